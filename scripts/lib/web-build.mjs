import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { capture } from './processes.mjs'
import { assertWritable, Fault, projectEnv, ROOT, say } from './shell.mjs'
import { filesUnder, hashFiles, stampMatches, writeStamp } from './stamps.mjs'

const WEB = join(ROOT, 'packages', 'web')
const DIST = join(WEB, 'dist')
const STAMP = '.build-stamp'
const NOT_SOURCES = ['node_modules', 'dist', '.cache']
const TEST = /\.test\.tsx?$/

/** Builds the web app when its sources are not those of the last build. */
export async function ensureWebBuilt() {
  const hash = hashWebSources(ROOT)
  if (stampMatches(join(DIST, STAMP), hash)) return
  assertWritable()

  say('Building the web app …')
  // Built beside the old one and swapped in whole: a broken or interrupted build never becomes what the server shows.
  const next = join(WEB, '.cache', 'dist-next')
  const last = join(WEB, '.cache', 'dist-last')
  const args = ['run', 'build', '-w', '@siarin/web', '--', '--outDir', next, '--emptyOutDir']
  const { code, output } = await capture('npm', args, { cwd: ROOT, env: projectEnv({ NODE_ENV: 'production' }) })
  if (code !== 0) {
    process.stderr.write(output)
    throw new Fault('Building the web app failed; its words are above.')
  }
  writeStamp(join(next, STAMP), hash)
  mkdirSync(join(WEB, '.cache'), { recursive: true })
  rmSync(last, { recursive: true, force: true })
  if (existsSync(DIST)) renameSync(DIST, last)
  renameSync(next, DIST)
  rmSync(last, { recursive: true, force: true })
}

export const hashWebSources = (root) =>
  hashFiles(root, [
    ...filesUnder(join(root, 'packages', 'web'), NOT_SOURCES).filter((file) => !TEST.test(file)),
    ...filesUnder(join(root, 'packages', 'contracts', 'src')).filter((file) => !TEST.test(file)),
    join(root, 'package-lock.json'),
  ])
