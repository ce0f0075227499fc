import { copyFile, mkdir, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncToDisk } from './durable.ts'
import type { Storage } from './storage.ts'

export function createLocalStorage(root: string): Storage {
  const pathOf = (key: string): string => {
    if (!/^[\w.-]+(\/[\w.-]+)*\/?$/.test(key) || key.includes('..')) throw new Error(`not a storage key: ${key}`)
    return join(root, key)
  }
  return {
    async put(key, fromFile) {
      const path = pathOf(key)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      try {
        await syncToDisk(fromFile)
        await rename(fromFile, path)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
        await copyFile(fromFile, `${path}.part`)
        await syncToDisk(`${path}.part`)
        await rename(`${path}.part`, path)
        await rm(fromFile)
      }
      // Its folder may be new, and that of its owner.
      for (let folder = dirname(path); folder.length >= root.length; folder = dirname(folder)) await syncToDisk(folder)
    },
    localPath: async (key) => pathOf(key),
    async remove(key) {
      const path = pathOf(key)
      await rm(path, { recursive: true, force: true })
      // An empty folder would still tell whose it was.
      if (dirname(path) !== root) await rmdir(dirname(path)).catch(() => {})
    },
  }
}
