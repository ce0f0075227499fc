import { runChecks } from './lib/checks.mjs'
import { ensurePackages } from './lib/packages.mjs'
import { runScript } from './lib/shell.mjs'

await runScript(async () => {
  await ensurePackages()
  const { failed } = await runChecks()
  return failed > 0 ? 1 : 0
})
