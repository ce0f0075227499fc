import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { NODE_24, ROOT } from './shell.mjs'

const MAIN = join('packages', 'server', 'src', 'main.ts')

/** Asked for a file that is not there, Node says so on every start. */
const dotEnv = () => (existsSync(join(ROOT, '.env')) ? ['--env-file-if-exists=.env'] : [])

export const serverCommand = ({ flags = [], env = process.env } = {}) => ({
  command: NODE_24,
  args: [...dotEnv(), ...flags, MAIN],
  cwd: ROOT,
  env,
})
