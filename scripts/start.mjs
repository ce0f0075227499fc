import { ensurePackages } from './lib/packages.mjs'
import { runInForeground } from './lib/processes.mjs'
import { ensureServerBuilt } from './lib/server-build.mjs'
import { serverCommand } from './lib/server-command.mjs'
import { loadDotEnv, runScript } from './lib/shell.mjs'
import { ensureSystem } from './lib/system.mjs'
import { ensureWebBuilt } from './lib/web-build.mjs'

await runScript(async () => {
  loadDotEnv()
  await ensurePackages()
  await ensureSystem(['ffmpeg'])
  await ensureServerBuilt()
  if (process.env.ROLE !== 'worker') await ensureWebBuilt()
  // For root, where the server runs as a user who may not write here.
  if (process.argv.includes('--prepare')) return 0
  const { code } = await runInForeground([serverCommand()])
  return code
})
