import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** A hash of names and contents: a renamed file counts as a change, the order of reading does not. */
export function hashFiles(root, files) {
  const hash = createHash('sha256')
  for (const file of [...files].sort()) {
    const content = readFileSync(file)
    hash.update(`${relative(root, file)}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

/** Every file under a folder, without the folders named in `skip`. */
export function filesUnder(folder, skip = []) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (skip.includes(entry.name)) return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesUnder(path, skip) : entry.isFile() ? [path] : []
  })
}

const DECIDES_INSTALL = [
  'name',
  'version',
  'workspaces',
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
  'overrides',
  'allowScripts',
]

/** The lock file and what the manifests ask for; an edited npm script is no reason to install anew. */
export function hashInstall(root) {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')))
  for (const file of manifests(root)) {
    const manifest = JSON.parse(readFileSync(file, 'utf8'))
    hash.update(`${relative(root, file)}\0${JSON.stringify(DECIDES_INSTALL.map((field) => manifest[field] ?? null))}`)
  }
  return hash.digest('hex')
}

function manifests(root) {
  const own = join(root, 'package.json')
  const { workspaces = [] } = JSON.parse(readFileSync(own, 'utf8'))
  const folders = workspaces.flatMap((pattern) => {
    if (!pattern.endsWith('/*')) return [join(root, pattern)]
    const parent = join(root, pattern.slice(0, -2))
    return existsSync(parent) ? readdirSync(parent).map((name) => join(parent, name)) : []
  })
  return [own, ...folders.map((folder) => join(folder, 'package.json')).sort()].filter((file) => existsSync(file))
}

export const stampMatches = (file, hash) => existsSync(file) && readFileSync(file, 'utf8').trim() === hash

export const writeStamp = (file, hash) => writeFileSync(file, `${hash}\n`)

export const removeStamp = (file) => rmSync(file, { force: true })
