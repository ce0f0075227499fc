import { auditPackages } from './lib/audit.mjs'
import { runChecks } from './lib/checks.mjs'
import { ensurePackages } from './lib/packages.mjs'
import { runScript } from './lib/shell.mjs'

await runScript(async () => {
  await ensurePackages()
  const { failed } = await runChecks()
  const weak = await auditPackages()
  return failed + weak > 0 ? 1 : 0
})
