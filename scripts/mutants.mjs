import { join } from 'node:path'
import { ensurePackages } from './lib/packages.mjs'
import { runInForeground } from './lib/processes.mjs'
import { projectEnv, ROOT, runScript } from './lib/shell.mjs'

/** Changes the pure rules one by one and counts the changes that no unit test notices; stryker.config.mjs says which. */
await runScript(async () => {
  await ensurePackages()
  const { code } = await runInForeground([
    {
      command: join(ROOT, 'node_modules', '.bin', 'stryker'),
      args: ['run', ...process.argv.slice(2)],
      cwd: ROOT,
      env: projectEnv(),
      toGroup: true,
      stdin: 'ignore',
    },
  ])
  return code
})
