import { join } from 'node:path'
import { ensurePackages } from './lib/packages.mjs'
import { runInForeground } from './lib/processes.mjs'
import { watchedServerCommand } from './lib/server-command.mjs'
import { loadDotEnv, NODE_24, projectEnv, ROOT, runScript } from './lib/shell.mjs'
import { ensureSystem } from './lib/system.mjs'

const vite = {
  command: NODE_24,
  args: [join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js')],
  cwd: join(ROOT, 'packages', 'web'),
  env: projectEnv(),
  toGroup: true,
  stdin: 'ignore',
}

await runScript(async () => {
  loadDotEnv()
  await ensurePackages()
  await ensureSystem(['ffmpeg'])
  const env = { LOG_LEVEL: 'debug', ...process.env }
  const { code } = await runInForeground([watchedServerCommand({ env }), vite])
  return code
})
