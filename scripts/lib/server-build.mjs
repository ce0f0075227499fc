import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { capture } from './processes.mjs'
import { assertWritable, Fault, NODE_24, projectEnv, ROOT, say } from './shell.mjs'
import { filesUnder, hashFiles, stampMatches, writeStamp } from './stamps.mjs'

const SERVER = join(ROOT, 'packages', 'server')
const DIST = join(SERVER, 'dist')
const STAMP = '.build-stamp'
const TEST = /\.test\.ts$/

/**
 * Puts the server's 1,300 modules into a few files when its sources are not those of the last time: to find, read and compile each of them
 * takes longer than all else that a start does, and their memory stays taken.
 */
export async function ensureServerBuilt() {
  const hash = hashServerSources(ROOT)
  if (stampMatches(join(DIST, STAMP), hash)) return
  assertWritable()
  say('Building the server …')
  // As the web app: built beside the old one and swapped in whole.
  const next = join(SERVER, '.cache', `dist-next-${process.pid}`)
  const last = join(SERVER, '.cache', `dist-last-${process.pid}`)
  const bundle = [join(ROOT, 'scripts', 'bundle-server.mjs'), next]
  const { code, output } = await capture(NODE_24, bundle, { cwd: ROOT, env: projectEnv() })
  if (code !== 0) {
    process.stderr.write(output)
    throw new Fault('Building the server failed; its words are above.')
  }
  writeStamp(join(next, STAMP), hash)
  mkdirSync(join(SERVER, '.cache'), { recursive: true })
  if (existsSync(DIST)) renameSync(DIST, last)
  renameSync(next, DIST)
  rmSync(last, { recursive: true, force: true })
}

export const hashServerSources = (root) =>
  hashFiles(root, [
    ...['server', 'contracts', 'media']
      .flatMap((name) => filesUnder(join(root, 'packages', name, 'src')))
      .filter((file) => !TEST.test(file)),
    join(root, 'scripts', 'bundle-server.mjs'),
    join(root, 'package-lock.json'),
  ])
