import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { NODE_24, ROOT } from './shell.mjs'

const MAIN = join('packages', 'server', 'src', 'main.ts')

/** Asked for a file that is not there, Node says so on every start. */
const dotEnv = () => (existsSync(join(ROOT, '.env')) ? ['--env-file-if-exists=.env'] : [])

/**
 * glibc gives each thread a heap of its own and seldom takes memory back from it: with two for all of them a program that keeps
 * 2,000 broadcasts needs a third less.
 */
const MEMORY = { MALLOC_ARENA_MAX: '2' }

export const serverCommand = ({ flags = [], env = process.env } = {}) => ({
  command: NODE_24,
  args: [...dotEnv(), ...flags, MAIN],
  cwd: ROOT,
  env: { ...MEMORY, ...env },
})
