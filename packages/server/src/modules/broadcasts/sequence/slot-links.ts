import { createHash } from 'node:crypto'
import { mkdirSync, readlinkSync, realpathSync, renameSync, rmSync, symlinkSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { loopListText } from '@siarin/media/loop-list'
import { SLOT_END, SLOTS } from '@siarin/media/slot-list'
import type { SlotClip } from './slots.ts'
import { isNoRoom, writeWhole } from './write-whole.ts'

export type Slot = 0 | 1
export type Links = ReturnType<typeof linksIn>

export const LIST_SUFFIX = '.ffconcat'

/** As /proc names a file that is open. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}

/** A memory disk has room for a short link even when it is full, and for a long one not. This one leads there by way of the disk. */
function linkInSpare(spare: string, slot: Slot, path: string): string {
  mkdirSync(spare, { recursive: true, mode: 0o700 })
  const link = join(spare, SLOTS[slot])
  rmSync(`${link}.new`, { force: true })
  symlinkSync(path, `${link}.new`)
  renameSync(`${link}.new`, link)
  return link
}

/** The links as files. Nothing here waits, so that nothing else happens between two steps. */
export function linksIn(directory: string, spare: string | null = null) {
  const listsWritten = new Map<string, string>()

  /** A file of its own for each list: one that ffmpeg may be reading never changes, and is there as a whole or not at all. */
  function writeList({ path, loop }: SlotClip, suffix: string): string {
    if (!loop) return path
    const text = loopListText(loop.list, path, loop.tailPath)
    const name = createHash('sha256').update(text).digest('hex').slice(0, 16)
    const fileName = `${name}${suffix}${LIST_SUFFIX}`
    const file = listsWritten.get(fileName) ?? writeWhole(directory, fileName, text, spare)
    listsWritten.set(fileName, file)
    return file
  }

  function targetOf(slot: Slot): string | null {
    try {
      return readlinkSync(join(directory, SLOTS[slot]))
    } catch {
      return null
    }
  }

  return {
    /** Null: it is not there. */
    targetOf,

    hasEnd: (): boolean => ([0, 1] as const).some((slot) => targetOf(slot) === SLOT_END),

    pathOf: (clip: SlotClip): string => (clip.loop === null || clip.loop.isWhole ? clip.path : writeList(clip, '')),

    /** A list that no other entry leads to. */
    listOf: (clip: SlotClip, number: number): string => writeList(clip, `-${number}`),

    put(slot: Slot, path: string): void {
      const link = join(directory, SLOTS[slot])
      try {
        symlinkSync(path, link)
      } catch (error) {
        // An earlier session left one.
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
        unlinkSync(link)
        symlinkSync(path, link)
      }
    },

    point(slot: Slot, path: string): void {
      const link = join(directory, SLOTS[slot])
      const draft = `${link}.new`
      rmSync(draft, { force: true })
      try {
        symlinkSync(path, draft)
      } catch (error) {
        if (!isNoRoom(error) || spare === null) throw error
        symlinkSync(linkInSpare(spare, slot, path), draft)
      }
      renameSync(draft, link)
    },
  }
}
