import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { biomeDirections } from './lib/directions.mjs'
import { ROOT, runScript } from './lib/shell.mjs'

/** Writes the import directions of `lib/directions.mjs` as Biome reads them. */
await runScript(async () => {
  writeFileSync(join(ROOT, 'biome.directions.jsonc'), biomeDirections())
  return 0
})
