import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { capture } from './processes.mjs'
import { assertWritable, Fault, isExecutable, machineEnv, NODE_24, ROOT, say } from './shell.mjs'
import { hashInstall, removeStamp, stampMatches, writeStamp } from './stamps.mjs'

const STAMP = join(ROOT, 'node_modules', '.siarin-installed')

/** Brings node_modules in step with package-lock.json; does nothing when it is. */
export async function ensurePackages() {
  const hash = hashInstall(ROOT)
  const isThere = isExecutable(NODE_24)
  if (isThere && stampMatches(STAMP, hash)) return
  assertWritable()
  // A developer's own `npm install` is as good as ours.
  if (isThere && installedMatchesLock(ROOT)) return writeStamp(STAMP, hash)

  say('Installing packages …')
  removeStamp(STAMP)
  // Not `npm ci`: it refuses a lock file that lacks the optional packages of other systems, and such a file is all that
  // npm can write where the package source does not carry them. `--no-save` leaves the lock file as it is.
  // Without scripts: better-sqlite3 brings its binaries, but the npm that comes with Node 20 would compile it anyway.
  // The web build needs what npm calls dev dependencies, also where NODE_ENV is production.
  await npm('install', '--no-save', '--ignore-scripts', '--include=dev')
  // The one script we want: it fetches the Node binary.
  if (!isExecutable(NODE_24)) await npm('rebuild', 'node', '--ignore-scripts=false')
  if (!isExecutable(NODE_24)) throw new Fault('Node 24 did not arrive with the packages; run npm install to see why.')
  writeStamp(STAMP, hash)
}

async function npm(...args) {
  const { code, output } = await capture('npm', args, { cwd: ROOT, env: machineEnv() })
  if (code === 0) return
  process.stderr.write(output)
  throw new Fault(`npm ${args[0]} failed; its words are above.`)
}

/** npm notes what it installed in a hidden lock file, written when all is in place. */
export function installedMatchesLock(root) {
  const hidden = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(hidden)) return false
  const installed = JSON.parse(readFileSync(hidden, 'utf8')).packages
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  return Object.entries(wanted).every(([path, { version, link, optional, peer }]) => {
    if (!path.startsWith('node_modules/') && !path.includes('/node_modules/')) return true
    // Packages for other systems are in the lock file only.
    if (optional || peer) return true
    return link ? installed[path]?.link === true : installed[path]?.version === version
  })
}
