import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ensurePackages } from './lib/packages.mjs'
import { runInForeground } from './lib/processes.mjs'
import { Fault, projectEnv, ROOT, runScript } from './lib/shell.mjs'
import { ensureBrowser, ensureSystem } from './lib/system.mjs'
import { ensureWebBuilt } from './lib/web-build.mjs'

/** `shots`, `previews` or `tutorials`: what Playwright makes of the real program besides tests. */
await runScript(async () => {
  const [what = '', ...args] = process.argv.slice(2)
  const config = `${what}.config.ts`
  if (!existsSync(join(ROOT, 'e2e', config))) throw new Fault(`There is no e2e/${config}.`)
  await ensurePackages()
  await ensureSystem(['ffmpeg', 'nginx'])
  await ensureBrowser()
  await ensureWebBuilt()
  const { code } = await runInForeground([
    {
      command: join(ROOT, 'node_modules', '.bin', 'playwright'),
      args: ['test', '--config', config, ...args],
      cwd: join(ROOT, 'e2e'),
      env: projectEnv(),
      toGroup: true,
      stdin: 'ignore',
    },
  ])
  return code
})
