import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { placeFile } from '../storage/durable.ts'
import { VIDEO_FOLDER } from './manifest.ts'

/** Sizes of the files that a backup has, by their path within `media`. */
type VideoFiles = Map<string, number>

const isGone = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

/**
 * Paths of all files below `folder`, one folder after the other: Node's own recursive listing fails as a whole when somebody deletes one
 * folder meanwhile. Whatever else keeps a folder from being read is thrown: a backup without its videos must not look like a whole one.
 */
export async function* filesIn(folder: string, inner = ''): AsyncGenerator<string> {
  const entries = await readdir(join(folder, inner), { withFileTypes: true }).catch((error) => {
    if (isGone(error)) return []
    throw error
  })
  for (const entry of entries) {
    const path = join(inner, entry.name)
    if (entry.isDirectory()) yield* filesIn(folder, path)
    else if (entry.isFile()) yield path
  }
}

/** `into`: where the files of `dataDir` go too; null: they are only listed. */
export function createVideoCollector(dataDir: string, into: string | null) {
  const media = join(dataDir, VIDEO_FOLDER)
  const files: VideoFiles = new Map()

  /** Whether it is there. */
  async function collect(path: string): Promise<boolean> {
    const from = join(media, path)
    try {
      if (into) await placeFile(from, join(into, path))
      files.set(path, (await stat(into ? join(into, path) : from)).size)
      return true
    } catch (error) {
      if (isGone(error)) return false
      throw error
    }
  }

  return {
    files,
    collect,
    /** Adds what `files` has not yet. */
    async collectAll(): Promise<void> {
      for await (const path of filesIn(media)) {
        if (!files.has(path) && !path.endsWith('.part')) await collect(path)
      }
    },
  }
}
