import { createHash } from 'node:crypto'
import { linkSync, lstatSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { loopListText } from '@siarin/media/loop-list'
import { LONGEST_SESSION_MS } from '@siarin/media/session-limit'
import { SLOT_END, SLOTS, slotList } from '@siarin/media/slot-list'
import type { Clip } from './clips.ts'

/** What a slot can stand for. */
export type SlotClip = Pick<Clip, 'path' | 'loop'>

export type Slots = ReturnType<typeof createSlots>

interface SlotStart {
  readonly fromSeconds: number
  readonly clipSeconds: number
  readonly meanSeconds?: number | null
  /** What follows; null: nothing does. Undefined: the same again. */
  readonly next?: SlotClip | null | undefined
}

/**
 * The two links that ffmpeg reads in turn, for ever. It opens a link anew each time it comes to it, so the one that it does not read
 * now says what plays next. `begins`: ffmpeg has not been started yet, so it is known that it begins with the first.
 */
export function createSlots(directory: string, { begins }: { begins: boolean }) {
  const links = linksIn(directory)
  const reader = followReader(links, begins)
  return {
    /** Both links and the list of them, for an ffmpeg that is about to start. */
    async write(clip: SlotClip, start: SlotStart) {
      const { text, wraps } = slotList({
        ...start,
        maxSeconds: LONGEST_SESSION_MS / 1000,
        hasLists: clip.loop !== null,
      })
      const listFile = join(directory, 'list')
      const next = start.next === undefined ? clip : start.next
      reader.begin(0, clip, links.pathOf(clip))
      reader.begin(1, next, next ? links.pathOf(next) : SLOT_END)
      writeFileSync(listFile, text)
      return { kind: 'slots', listFile, wraps } as const
    },

    /** What plays is open already and plays on to its end; null: nothing follows. While it is not known which link that is, both are pointed. */
    async pointNext(clip: SlotClip | null): Promise<void> {
      reader.pointNext(clip, clip ? links.pathOf(clip) : SLOT_END)
    },

    /** Whether ffmpeg has gone on to the next link since this was last asked. */
    hasGoneOn: reader.hasGoneOn,

    /** What ffmpeg reads; null: an earlier run of the program left it, and nobody knows. */
    playing: reader.playing,

    /** Whether the file system keeps times of access, as far as was seen: then `hasGoneOn` misses nothing. */
    keepsTimes: reader.keepsTimes,

    /** Whether it was told that nothing follows, by this run of the program or by an earlier one. */
    hasEnd: links.hasEnd,

    /** For who has seen by other means that the next link is read, and need not be told. */
    goOn: reader.goOnUntold,
  }
}

/** Knows which link ffmpeg reads, and what each stands for. Nothing here waits, so that nothing else happens between two steps. */
function followReader(links: ReturnType<typeof linksIn>, begins: boolean) {
  /** Which one ffmpeg reads; null: an earlier run of the program left it, and nobody knows. */
  let playing: 0 | 1 | null = begins ? 0 : null
  /** Which have been pointed since they were last read: only their times tell anything. */
  const isNew = [false, false]
  /** What each stands for. */
  const clips: [SlotClip | null, SlotClip | null] = [null, null]
  /** It has gone on, and nobody who asked has been told. */
  let isUntold = false
  /** A link was seen to be followed, by its time. */
  let keepsTimes = false

  /** Answers whether ffmpeg came to the link that was there, just before it was replaced. */
  function point(slot: 0 | 1, clip: SlotClip | null, path: string): boolean {
    const wasFollowed = links.point(slot, path) && isNew[slot] === true
    isNew[slot] = true
    clips[slot] = clip
    return wasFollowed
  }

  const openedAt = (slot: 0 | 1): bigint | null => (isNew[slot] ? links.openedAt(slot) : null)

  function goOn(): void {
    if (playing === null) return
    isNew[playing] = false
    playing = playing === 0 ? 1 : 0
    isUntold = true
  }

  /** Follows ffmpeg to the next link, if it is there by now. */
  function follow(): void {
    const [first, second] = [openedAt(0), openedAt(1)]
    keepsTimes ||= first !== null || second !== null
    if (playing === null) {
      if (first === second) return
      // Where both have been opened, it reads the one that it opened last.
      playing = (first ?? 0n) > (second ?? 0n) ? 0 : 1
      if (first !== null && second !== null) isNew[playing === 0 ? 1 : 0] = false
      isUntold = true
      return
    }
    if ((playing === 0 ? second : first) !== null) goOn()
  }

  return {
    /** For an ffmpeg that is not there yet: nobody follows the link that was there before. */
    begin(slot: 0 | 1, clip: SlotClip | null, path: string): void {
      links.place(slot, path)
      isNew[slot] = true
      clips[slot] = clip
    },

    goOnUntold(): void {
      goOn()
      isUntold = false
    },

    pointNext(clip: SlotClip | null, path: string): void {
      // It may have gone on since the last poll: then the other one comes next.
      follow()
      if (playing === null) {
        point(1, clip, path)
        point(0, clip, path)
        return
      }
      const [reads, next]: [0 | 1, 0 | 1] = playing === 0 ? [0, 1] : [1, 0]
      const before = clips[next]
      if (!point(next, clip, path)) return
      // It came there in the very moment. It reads what was there before, and comes to the other one next.
      goOn()
      clips[next] = before
      point(reads, clip, path)
    },

    hasGoneOn(): boolean {
      follow()
      const hasGoneOn = isUntold
      isUntold = false
      return hasGoneOn
    },

    playing: (): SlotClip | null => (playing === null ? null : clips[playing]),

    keepsTimes: (): boolean => keepsTimes,
  }
}

/**
 * Following a link sets its time of access, which a new link has in common with its time of making: so the same clip twice in a row is
 * told apart. A file system that keeps no times of access says nothing here. Null: never, or it is not there.
 */
function followedAt(link: string): bigint | null {
  const found = lstatSync(link, { bigint: true, throwIfNoEntry: false })
  return found !== undefined && found.atimeNs > found.mtimeNs ? found.atimeNs : null
}

/** The links as files. */
function linksIn(directory: string) {
  const listsWritten = new Set<string>()

  /** A file of its own for each list: one that ffmpeg may be reading never changes, and is there as a whole or not at all. */
  function pathOf({ path, loop }: SlotClip): string {
    if (loop === null || loop.isWhole) return path
    const text = loopListText(loop.list, path, loop.tailPath)
    const file = join(directory, `${createHash('sha256').update(text).digest('hex').slice(0, 16)}.ffconcat`)
    if (listsWritten.has(file)) return file
    writeFileSync(`${file}.new`, text)
    renameSync(`${file}.new`, file)
    listsWritten.add(file)
    return file
  }

  return {
    pathOf,

    place(slot: 0 | 1, path: string): void {
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

    /** Answers whether the link that was there before has been followed. In one go, so that nothing else happens between two of its steps. */
    point(slot: 0 | 1, path: string): boolean {
      const link = join(directory, SLOTS[slot])
      const [draft, former] = [`${link}.new`, `${link}.old`]
      rmSync(draft, { force: true })
      symlinkSync(path, draft)
      // By another name its time can be asked for when nobody can follow it any more.
      rmSync(former, { force: true })
      if (lstatSync(link, { throwIfNoEntry: false })) linkSync(link, former)
      renameSync(draft, link)
      const wasFollowed = followedAt(former) !== null
      rmSync(former, { force: true })
      return wasFollowed
    },

    openedAt: (slot: 0 | 1): bigint | null => followedAt(join(directory, SLOTS[slot])),

    async hasEnd(): Promise<boolean> {
      const targets = await Promise.all(SLOTS.map((slot) => readlink(join(directory, slot)).catch(() => '')))
      return targets.includes(SLOT_END)
    },
  }
}
