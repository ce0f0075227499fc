import { ensurePackages } from './lib/packages.mjs'
import { ensureServerBuilt } from './lib/server-build.mjs'
import { runScript } from './lib/shell.mjs'

// Tests call it before they start the program.
await runScript(async () => {
  await ensurePackages()
  await ensureServerBuilt()
  return 0
})
