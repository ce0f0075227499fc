import { lstatSync } from 'node:fs'
import { rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LONGEST_SESSION_MS } from '@siarin/media/session-limit'
import { SLOTS, slotList } from '@siarin/media/slot-list'

export type Slots = ReturnType<typeof createSlots>

/**
 * The two links that ffmpeg reads in turn, for ever. It opens a link anew each time it comes to it, so the one that it does not read
 * now says what plays next. `begins`: ffmpeg has not been started yet, so it is known that it begins with the first.
 */
export function createSlots(directory: string, { begins }: { begins: boolean }) {
  /** Which one ffmpeg reads; null: an earlier run of the program left it, and nobody knows. */
  let playing: 0 | 1 | null = begins ? 0 : null
  /** Which have been pointed since they were last read: only their times tell anything. */
  const isNew = [false, false]

  async function point(slot: 0 | 1, path: string): Promise<void> {
    const draft = join(directory, `${SLOTS[slot]}.new`)
    await rm(draft, { force: true })
    await symlink(path, draft)
    await rename(draft, join(directory, SLOTS[slot]))
    isNew[slot] = true
  }

  /**
   * Following a link sets its time of access, which a new link has in common with its time of making: so the same clip twice in a row is
   * told apart. A file system that keeps no times of access says nothing here.
   */
  function wasOpened(slot: 0 | 1): boolean {
    if (!isNew[slot]) return false
    const link = lstatSync(join(directory, SLOTS[slot]), { bigint: true, throwIfNoEntry: false })
    return link !== undefined && link.atimeNs > link.mtimeNs
  }

  function goOn(): void {
    if (playing === null) return
    isNew[playing] = false
    playing = playing === 0 ? 1 : 0
  }

  /** Follows ffmpeg to the next link, if it is there by now. */
  function follow(): boolean {
    const [first, second] = [wasOpened(0), wasOpened(1)]
    if (playing === null) {
      if (first === second) return false
      playing = first ? 0 : 1
      return true
    }
    const isNextOpen = playing === 0 ? second : first
    if (isNextOpen) goOn()
    return isNextOpen
  }

  return {
    /** Both links and the list of them, for an ffmpeg that is about to start. */
    async write(path: string, start: { fromSeconds: number; clipSeconds: number }) {
      const { text, wraps } = slotList({ ...start, maxSeconds: LONGEST_SESSION_MS / 1000 })
      const listFile = join(directory, 'list')
      await point(0, path)
      await point(1, path)
      await writeFile(listFile, text)
      return { kind: 'slots', listFile, wraps } as const
    },

    /** What plays is open already and plays on to its end. While it is not known which link that is, both are pointed. */
    async pointNext(path: string): Promise<void> {
      // It may have gone on since the last poll: then the other one comes next.
      follow()
      if (playing !== 1) await point(1, path)
      if (playing !== 0) await point(0, path)
    },

    /** Whether ffmpeg has gone on to the next link since this was last asked. */
    hasGoneOn: follow,

    /** For who has seen by other means that the next link is read. */
    goOn,
  }
}
