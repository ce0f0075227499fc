import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { NODE_24, ROOT } from './shell.mjs'

const SERVER = join('packages', 'server')
const SOURCE = join(SERVER, 'src', 'main.ts')
/** What `ensureServerBuilt` makes of it. */
const BUILT = join(SERVER, 'dist', 'main.js')
const CLI = join('packages', 'server', 'src', 'cli.ts')

/** Asked for a file that is not there, Node says so on every start. */
const dotEnv = () => (existsSync(join(ROOT, '.env')) ? ['--env-file-if-exists=.env'] : [])

/**
 * glibc gives each thread a heap of its own and seldom takes memory back from it, and Node lets much garbage gather before it looks: a
 * program that keeps 2,000 broadcasts needs 270 MB with these and 360 MB without. Left to itself, Node lets its heap grow to four times what
 * is alive: an account that reads much at once had 35 MB alive of 150 MB. With `--heap-growing-percent=50` it is half as much again. The threshold is
 * glibc's own first one: once set, it no longer grows with the largest file that was read, and what is free goes back. Each buffer beyond
 * 128 KB then comes from the system anew; neither uploads nor S3 are slower by that (`npm run bench`). With more threads than Node's four,
 * names that are slow to be looked up do not hold up the others (name-lookup.ts). The testkit runs it alike.
 */
const TUNING = {
  env: { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072', UV_THREADPOOL_SIZE: '16' },
  flags: ['--max-semi-space-size=8', '--heap-growing-percent=50'],
}

/** Node keeps what it compiles there, if it may write there, and the next start is quicker by it. */
const NODE_COMPILE_CACHE = join(ROOT, SERVER, '.cache', 'compiled')

export const serverCommand = ({ env = process.env } = {}) => ({
  command: NODE_24,
  args: [...dotEnv(), ...TUNING.flags, BUILT],
  cwd: ROOT,
  env: { NODE_COMPILE_CACHE, ...TUNING.env, ...env },
})

/** From its source, and again after each change of it. */
export const watchedServerCommand = ({ env }) => ({
  ...serverCommand({ env }),
  args: [...dotEnv(), ...TUNING.flags, '--watch', SOURCE],
})

/** With the server's settings: they say which database it is. */
export const cliCommand = (words) => ({
  command: NODE_24,
  args: [...dotEnv(), CLI, ...words],
  cwd: ROOT,
  env: { NODE_COMPILE_CACHE, ...process.env },
})
