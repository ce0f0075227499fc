import { constants } from 'node:fs'
import { type FileHandle, lchown, open, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export interface Owner {
  readonly uid: number
  readonly gid: number
}

const ROOT = 0

/** Whom root works for in this folder: its owner. Null: nobody else, or we may not give anything away. */
export async function ownerToServe(folder: string): Promise<Owner | null> {
  if (process.geteuid?.() !== ROOT) return null
  const found = await stat(folder).catch(() => null)
  return found && found.uid !== ROOT ? { uid: found.uid, gid: found.gid } : null
}

/** A file that we have just made belongs to whom its folder belongs to: a server that runs as that user has to read it. */
export async function giveToFolderOwner(file: string): Promise<void> {
  const owner = await ownerToServe(dirname(file))
  // Where root may not give away, such as on a network file system, nothing is lost by the file being root's.
  if (owner) await lchown(file, owner.uid, owner.gid).catch(() => {})
}

/**
 * Gives what root has made in these places, and all that lies in them, to the owner of the folder. That owner could put a link in
 * place of anything while we look: each place is opened first, from its opened folder, and a link is neither followed nor given.
 */
export async function giveToOwner(folder: string, names: readonly string[]): Promise<void> {
  const owner = await ownerToServe(folder)
  if (!owner) return
  for (const name of names) await giveTree(join(folder, name), owner)
}

async function giveTree(path: string, owner: Owner): Promise<void> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null)
  if (!handle) return
  try {
    const found = await handle.stat()
    // A second name may lie anywhere: what has one is left alone.
    const isGiven = found.isDirectory() || (found.isFile() && found.nlink === 1)
    if (isGiven && found.uid === ROOT) await handle.chown(owner.uid, owner.gid).catch(() => {})
    if (found.isDirectory()) await giveInside(handle, owner)
  } finally {
    await handle.close()
  }
}

async function giveInside(folder: FileHandle, owner: Owner): Promise<void> {
  const opened = `/proc/self/fd/${folder.fd}`
  for (const name of await readdir(opened).catch(() => [])) await giveTree(join(opened, name), owner)
}
