import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
export const NODE_24 = join(ROOT, 'node_modules', 'node', 'bin', 'node')
const BIN = join(ROOT, 'node_modules', '.bin')

/** Something the person at the keyboard can act on: shown as its one line, without a stack. */
export class Fault extends Error {}

export const say = (line) => process.stdout.write(`${line}\n`)

export function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

/** The sbin folders are not on an ordinary user's PATH, yet nginx lives there. */
export function findCommand(...names) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/local/sbin', '/usr/sbin', '/sbin']
  for (const name of names) {
    const folder = folders.find((candidate) => candidate && isExecutable(join(candidate, name)))
    if (folder) return join(folder, name)
  }
  return null
}

/** Where the server's user may not write, a user who may has to install and build: a stack would not say so. */
export function assertWritable(folder = ROOT) {
  try {
    accessSync(folder, constants.W_OK)
  } catch {
    throw new Fault(
      `${folder} has changed since it was prepared, and this user may not write there. Run npm start -- --prepare in it as root.`,
    )
  }
}

const pathWithout = (folder) =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter((entry) => entry !== folder)
    .join(delimiter)

/** The project's Node and tools come first, whatever Node the machine has. */
export const projectEnv = (extra = {}) => ({
  ...process.env,
  PATH: `${BIN}${delimiter}${pathWithout(BIN)}`,
  ...extra,
})

/** The machine's own Node: an install replaces the Node inside node_modules, and must not stand on it. */
export const machineEnv = (extra = {}) => ({ ...process.env, PATH: pathWithout(BIN), ...extra })

/** What `.env` says counts here too (ROLE, FFMPEG_PATH); the server reads the file itself. Node before 20.12 cannot. */
export function loadDotEnv() {
  const file = join(ROOT, '.env')
  if (existsSync(file)) process.loadEnvFile?.(file)
}

/** Runs a script's body and ends the process with the code that it answers. */
export async function runScript(body) {
  try {
    if (Number(process.versions.node.split('.')[0]) < 20) {
      throw new Fault(`Siarin needs Node 20 or later; this is Node ${process.versions.node}.`)
    }
    process.chdir(ROOT)
    process.exitCode = await body()
  } catch (error) {
    process.stderr.write(`${error instanceof Fault ? error.message : error.stack}\n`)
    process.exitCode = 1
  }
}
