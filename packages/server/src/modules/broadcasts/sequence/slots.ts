import { createHash } from 'node:crypto'
import { lstatSync } from 'node:fs'
import { readlink, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loopListText } from '@siarin/media/loop-list'
import { LONGEST_SESSION_MS } from '@siarin/media/session-limit'
import { SLOT_END, SLOTS, slotList } from '@siarin/media/slot-list'
import type { Clip } from './clips.ts'

/** What a slot can stand for. */
export type SlotClip = Pick<Clip, 'path' | 'loop'>

export type Slots = ReturnType<typeof createSlots>

/**
 * The two links that ffmpeg reads in turn, for ever. It opens a link anew each time it comes to it, so the one that it does not read
 * now says what plays next. `begins`: ffmpeg has not been started yet, so it is known that it begins with the first.
 */
export function createSlots(directory: string, { begins }: { begins: boolean }) {
  const links = linksIn(directory)
  /** Which one ffmpeg reads; null: an earlier run of the program left it, and nobody knows. */
  let playing: 0 | 1 | null = begins ? 0 : null
  /** Which have been pointed since they were last read: only their times tell anything. */
  const isNew = [false, false]
  /** What each stands for. */
  const clips: [SlotClip | null, SlotClip | null] = [null, null]
  /** It has gone on, and nobody who asked has been told. */
  let isUntold = false

  async function point(slot: 0 | 1, clip: SlotClip | null): Promise<void> {
    await links.point(slot, clip)
    isNew[slot] = true
    clips[slot] = clip
  }

  const openedAt = (slot: 0 | 1): bigint | null => (isNew[slot] ? links.openedAt(slot) : null)

  function goOn(): void {
    if (playing === null) return
    isNew[playing] = false
    playing = playing === 0 ? 1 : 0
    isUntold = true
  }

  /** Follows ffmpeg to the next link, if it is there by now. */
  function follow(): boolean {
    const [first, second] = [openedAt(0), openedAt(1)]
    if (playing === null) {
      if (first === second) return false
      // Where both have been opened, it reads the one that it opened last.
      playing = (first ?? 0n) > (second ?? 0n) ? 0 : 1
      if (first !== null && second !== null) isNew[playing === 0 ? 1 : 0] = false
      isUntold = true
      return true
    }
    const isNextOpen = (playing === 0 ? second : first) !== null
    if (isNextOpen) goOn()
    return isNextOpen
  }

  return {
    /** Both links and the list of them, for an ffmpeg that is about to start. */
    async write(clip: SlotClip, start: { fromSeconds: number; clipSeconds: number; meanSeconds?: number | null }) {
      const { text, wraps } = slotList({
        ...start,
        maxSeconds: LONGEST_SESSION_MS / 1000,
        hasLists: clip.loop !== null,
      })
      const listFile = join(directory, 'list')
      await point(0, clip)
      await point(1, clip)
      await writeFile(listFile, text)
      return { kind: 'slots', listFile, wraps } as const
    },

    /** What plays is open already and plays on to its end; null: nothing follows. While it is not known which link that is, both are pointed. */
    async pointNext(clip: SlotClip | null): Promise<void> {
      // It may have gone on since the last poll: then the other one comes next.
      follow()
      if (playing !== 1) await point(1, clip)
      if (playing !== 0) await point(0, clip)
    },

    /** Whether ffmpeg has gone on to the next link since this was last asked. */
    hasGoneOn(): boolean {
      follow()
      const hasGoneOn = isUntold
      isUntold = false
      return hasGoneOn
    },

    /** What ffmpeg reads; null: an earlier run of the program left it, and nobody knows. */
    playing: (): SlotClip | null => (playing === null ? null : clips[playing]),

    /** Whether it was told that nothing follows, by this run of the program or by an earlier one. */
    hasEnd: links.hasEnd,

    /** For who has seen by other means that the next link is read. */
    goOn,
  }
}

/** The links as files. */
function linksIn(directory: string) {
  const listsWritten = new Set<string>()

  /** A file of its own for each list: one that ffmpeg may be reading never changes, and is there as a whole or not at all. */
  async function pathOf({ path, loop }: SlotClip): Promise<string> {
    if (loop === null) return path
    const text = loopListText(loop.list, path, loop.tailPath)
    const file = join(directory, `${createHash('sha256').update(text).digest('hex').slice(0, 16)}.ffconcat`)
    if (listsWritten.has(file)) return file
    await writeFile(`${file}.new`, text)
    await rename(`${file}.new`, file)
    listsWritten.add(file)
    return file
  }

  return {
    /** Null: at nothing. */
    async point(slot: 0 | 1, clip: SlotClip | null): Promise<void> {
      const path = clip ? await pathOf(clip) : SLOT_END
      const draft = join(directory, `${SLOTS[slot]}.new`)
      await rm(draft, { force: true })
      await symlink(path, draft)
      await rename(draft, join(directory, SLOTS[slot]))
    },

    /**
     * Following a link sets its time of access, which a new link has in common with its time of making: so the same clip twice in a row is
     * told apart. A file system that keeps no times of access says nothing here.
     */
    openedAt(slot: 0 | 1): bigint | null {
      const link = lstatSync(join(directory, SLOTS[slot]), { bigint: true, throwIfNoEntry: false })
      return link !== undefined && link.atimeNs > link.mtimeNs ? link.atimeNs : null
    },

    async hasEnd(): Promise<boolean> {
      const targets = await Promise.all(SLOTS.map((slot) => readlink(join(directory, slot)).catch(() => '')))
      return targets.includes(SLOT_END)
    },
  }
}
