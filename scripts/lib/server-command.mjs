import { join } from 'node:path'
import { NODE_24, ROOT } from './shell.mjs'

const MAIN = join('packages', 'server', 'src', 'main.ts')

export const serverCommand = ({ flags = [], env = process.env, toGroup = false } = {}) => ({
  command: NODE_24,
  args: ['--env-file-if-exists=.env', ...flags, MAIN],
  cwd: ROOT,
  env,
  toGroup,
})
