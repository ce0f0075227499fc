import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '..', '..', '..', '..')

/** The release of 0.6.0, and the last migration that it knows: machines of that version still run while others have been upgraded. */
const COMMIT = '2240d637'
export const LAST_MIGRATION = '0044-branding'
const FOLDERS = ['packages/server', 'packages/contracts', 'packages/media']

/** The program of the version before, from this project's own history; null where that is not at hand, as in a shallow clone. */
export async function versionBefore(): Promise<string | null> {
  const folder = join(ROOT, 'packages', 'testkit', '.cache', `version-${COMMIT}`)
  const main = join(folder, 'packages', 'server', 'src', 'main.ts')
  if (existsSync(main)) return main
  const isKnown = await run('git', ['cat-file', '-e', `${COMMIT}^{commit}`], { cwd: ROOT }).then(
    () => true,
    () => false,
  )
  if (!isKnown) return null
  const unfinished = `${folder}-${process.pid}`
  await mkdir(join(unfinished, 'node_modules', '@siarin'), { recursive: true })
  const archive = join(unfinished, 'archive.tar')
  await run('git', ['archive', '--output', archive, COMMIT, 'package.json', ...FOLDERS], { cwd: ROOT })
  await run('tar', ['-xf', archive, '-C', unfinished])
  await rm(archive)
  // Its own parts, not those of today. All else is found further up.
  for (const name of ['contracts', 'media']) {
    await symlink(`../../packages/${name}`, join(unfinished, 'node_modules', '@siarin', name))
  }
  // Another worker may have made it meanwhile.
  await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true, force: true }))
  return main
}
