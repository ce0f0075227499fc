import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '..', '..', '..', '..')

const FOLDERS = ['packages/server', 'packages/contracts', 'packages/media']

const MIGRATIONS = 'packages/server/src/platform/db/migrations'

const git = (...args: string[]): Promise<string> => run('git', args, { cwd: ROOT }).then(({ stdout }) => stdout.trim())

/** As it was when the version became the present one; null where the history is not at hand, as in a shallow clone. */
async function commitBefore(): Promise<string | null> {
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
  const change = await git('log', '-1', '--format=%H', '-S', `"version": "${version}"`, '--', 'package.json').catch(
    () => null,
  )
  if (change === null) return null
  // A version that nobody has committed yet follows on what is there.
  return change === '' ? git('rev-parse', 'HEAD') : git('rev-parse', '--verify', `${change}^`).catch(() => null)
}

export interface VersionBefore {
  /** Its program. */
  readonly main: string
  /** The last that it knows. */
  readonly migration: string
}

/** The version directly before this one, from the project's own history: machines of it still run while others have been upgraded. */
export async function versionBefore(): Promise<VersionBefore | null> {
  const commit = await commitBefore()
  if (commit === null) return null
  const files = (await git('ls-tree', '--name-only', commit, `${MIGRATIONS}/`)).split('\n')
  const migration = basename(files.filter((name) => /\/\d{4}-[^.]+\.ts$/.test(name)).at(-1) ?? '', '.ts')
  return { main: await programOf(commit), migration }
}

async function programOf(commit: string): Promise<string> {
  const folder = join(ROOT, 'packages', 'testkit', '.cache', `version-${commit}`)
  const main = join(folder, 'packages', 'server', 'src', 'main.ts')
  if (existsSync(main)) return main
  const unfinished = `${folder}-${process.pid}`
  await mkdir(join(unfinished, 'node_modules', '@siarin'), { recursive: true })
  const archive = join(unfinished, 'archive.tar')
  await git('archive', '--output', archive, commit, 'package.json', ...FOLDERS)
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
