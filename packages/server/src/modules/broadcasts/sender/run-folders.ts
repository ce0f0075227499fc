import { rmSync, statfsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Where one broadcast has its files. */
export interface RunFolder {
  readonly directory: string
  /** Takes what finds no room there any more; null: there is no other place. */
  readonly spare: string | null
}

export type RunFolders = ReturnType<typeof createRunFolders>

/** For what is about to begin, and for the progress of what runs, which grows and shrinks by some kilobytes for each. */
const LEAST_FREE_BYTES = 16 * 1024 ** 2
const LEAST_FREE_FILES = 1_000
const SPARE_SUFFIX = '.more'

/** Null: nobody knows. */
function freeBytesIn(folder: string): number | null {
  try {
    const { bavail, bsize, files, ffree } = statfsSync(folder)
    // Some count no files.
    return files > 0 && ffree < LEAST_FREE_FILES ? 0 : bavail * bsize
  } catch {
    return null
  }
}

/** The folders of running broadcasts: in memory, or on the disk for those that begin while there is no room in memory. */
export function createRunFolders({
  runDir,
  diskDir,
  freeBytes = freeBytesIn,
}: {
  runDir: string
  diskDir: string
  freeBytes?: (folder: string) => number | null
}) {
  /** Those that have theirs on the disk. */
  const onDisk = new Set<string>()
  const isInMemory = runDir !== diskDir
  const hasRoom = (): boolean => (freeBytes(runDir) ?? LEAST_FREE_BYTES) >= LEAST_FREE_BYTES
  const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true })

  const folderOf = (streamId: string): RunFolder =>
    isInMemory && !onDisk.has(streamId)
      ? { directory: join(runDir, streamId), spare: join(diskDir, `${streamId}${SPARE_SUFFIX}`) }
      : { directory: join(diskDir, streamId), spare: null }

  return {
    all: isInMemory ? [runDir, diskDir] : [runDir],
    /** Where what runs already, or ran last, has its files. */
    of: folderOf,
    /** For a new session. The disk is not touched unless it is needed, or was: it may hang. */
    begin(streamId: string): RunFolder {
      if (!isInMemory) return folderOf(streamId)
      const wasOnDisk = onDisk.has(streamId)
      if (hasRoom()) {
        if (wasOnDisk) remove(join(diskDir, streamId))
        onDisk.delete(streamId)
      } else {
        if (!wasOnDisk) remove(join(runDir, streamId))
        onDisk.add(streamId)
      }
      return folderOf(streamId)
    },
    /** At the start: an earlier run of the program may have had no room. */
    async takeStock(): Promise<void> {
      if (!isInMemory) return
      for (const name of await readdir(diskDir).catch(() => [])) if (!name.endsWith(SPARE_SUFFIX)) onDisk.add(name)
    },
  }
}
