import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { NODE_24, ROOT } from './shell.mjs'

const MAIN = join('packages', 'server', 'src', 'main.ts')
const CLI = join('packages', 'server', 'src', 'cli.ts')

/** Asked for a file that is not there, Node says so on every start. */
const dotEnv = () => (existsSync(join(ROOT, '.env')) ? ['--env-file-if-exists=.env'] : [])

/**
 * glibc gives each thread a heap of its own and seldom takes memory back from it, and Node lets much garbage gather before it looks: a
 * program that keeps 2,000 broadcasts needs 240 MB with these and 360 MB without. The testkit runs it alike.
 */
const MEMORY = { env: { MALLOC_ARENA_MAX: '2' }, flags: ['--max-semi-space-size=4'] }

export const serverCommand = ({ flags = [], env = process.env } = {}) => ({
  command: NODE_24,
  args: [...dotEnv(), ...MEMORY.flags, ...flags, MAIN],
  cwd: ROOT,
  env: { ...MEMORY.env, ...env },
})

/** With the server's settings: they say which database it is. */
export const cliCommand = (words) => ({
  command: NODE_24,
  args: [...dotEnv(), CLI, ...words],
  cwd: ROOT,
  env: process.env,
})
