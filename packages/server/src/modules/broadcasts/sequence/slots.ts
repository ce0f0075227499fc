import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LONGEST_SESSION_MS } from '@siarin/media/session-limit'
import { SLOT_END, slotList } from '@siarin/media/slot-list'
import type { Place } from '../../playlists/next-item.ts'
import type { Clip } from './clips.ts'
import { LIST_SUFFIX, type Links, linksIn, realPath, type Slot } from './slot-links.ts'
import { readNotes, type SlotNote, writeNotes } from './slot-notes.ts'

/** What a slot can stand for. */
export type SlotClip = Pick<Clip, 'path' | 'loop'> & {
  readonly videoId?: string | undefined
  readonly recipe?: string | null | undefined
  readonly packets?: Clip['packets'] | undefined
}

/** What a slot is pointed at, and where in a playlist that is; null: it plays none. */
export interface SlotEntry {
  readonly clip: SlotClip
  readonly place: Place | null
}

export type Slots = ReturnType<typeof createSlots>

/** Which of these files the reader has open, the first that is; null: none, or nobody knows. */
type OpenFile = (paths: readonly string[]) => string | null

interface SlotStart {
  readonly fromSeconds: number
  readonly clipSeconds: number
  readonly meanSeconds?: number | null
  /** What follows; null: nothing does. Undefined: the same again. */
  readonly next?: SlotEntry | null | undefined
}

/** A link as it was pointed once. */
interface Placed {
  readonly slot: Slot
  /** What ffmpeg has open while it reads it; null: it leads nowhere. */
  readonly opens: string | null
  readonly note: SlotNote
}

/** ffmpeg comes to a former one only in the moment in which it is replaced. */
const MOST_FORMER = 8

/**
 * The two links that ffmpeg reads in turn, for ever. It opens a link again each time it comes to it, so the one that it does not read now
 * says what plays next. Which one it reads is told by the file that it has open, which nobody else can change. So in a playlist no two
 * entries between which ffmpeg may choose lead to the same file: where they would, one of them has a list of its own in between.
 */
export function createSlots(
  directory: string,
  left: 'nothing' | 'by-earlier-run' = 'nothing',
  spare: string | null = null,
) {
  const links = linksIn(directory, spare)
  const note = (notes: readonly SlotNote[]): void => writeNotes(directory, notes, spare)
  const reader = followReader(links, note, left === 'nothing' ? [] : leftIn(links, readNotes(directory, spare) ?? []))
  return {
    /** Both links and the list of them, for an ffmpeg that is about to start. */
    async write(first: SlotEntry, start: SlotStart) {
      const { text, wraps } = slotList({
        ...start,
        maxSeconds: LONGEST_SESSION_MS / 1000,
        hasLists: first.clip.loop !== null,
      })
      const listFile = join(directory, 'list')
      reader.place(0, first, links.put)
      reader.place(1, start.next === undefined ? first : start.next, links.put)
      writeFileSync(listFile, text)
      return { kind: 'slots', listFile, wraps } as const
    },

    /** What is played once has no links, and is noted all the same. */
    noteOnce: (entry: SlotEntry): void => note([noteOf(0, entry, entry.clip.path)]),

    /** From now on it is this process that reads them. */
    follow: reader.follow,

    /** What plays is open already and plays on to its end; null: nothing follows. While it is not known which link that is, both are pointed. */
    async pointNext(entry: SlotEntry | null): Promise<void> {
      const before = reader.slot()
      for (const slot of before === null ? ([1, 0] as const) : [otherThan(before)]) {
        reader.place(slot, entry, links.point)
      }
      const now = reader.slot()
      // It came to the link in the very moment. It reads what was there before, and comes to the other one next.
      if (before !== null && now !== null && now !== before) reader.place(before, entry, links.point)
    },

    /** What ffmpeg reads; null: nobody knows. */
    reading: reader.entry,

    /** What its links stand for, in the order in which they were pointed. */
    told: reader.told,

    /** Whether it was told that nothing follows, by this run of the program or by an earlier one. */
    hasEnd: links.hasEnd,
  }
}

/** Knows what each link stands for, and which one is read. Nothing here waits, so that nothing else happens between two steps. */
function followReader(links: Links, note: (notes: readonly SlotNote[]) => void, left: readonly Placed[]) {
  /** All that ffmpeg reads or may come to, in the order in which it was pointed. */
  let placed = left
  let reads: Placed | null = null
  let openFile: OpenFile = () => null

  const isLink = (each: Placed): boolean => placed.findLast(({ slot }) => slot === each.slot) === each

  /** Follows ffmpeg to what it reads by now. */
  function look(): void {
    // Lists first: behind one, ffmpeg has the file open too that another entry may lead to by itself.
    const paths = [...new Set(placed.flatMap(({ opens }) => opens ?? []))].sort((a, b) => rankOf(a) - rankOf(b))
    if (paths.length === 0 || (paths.length === 1 && reads?.opens === paths[0])) return
    const open = openFile(paths)
    if (open === null || open === reads?.opens) return
    reads = placed.findLast(({ opens }) => opens === open) ?? null
    placed = placed.filter((each) => each === reads || isLink(each))
  }

  function pathFor(slot: Slot, entry: SlotEntry): string {
    const path = links.pathOf(entry.clip)
    if (entry.place === null || !isTaken(realPath(path), slot, entry)) return path
    // The first that is free: in a session of weeks, a number for each would fill the memory with lists.
    for (let number = 1; ; number++) {
      const list = links.listOf(entry.clip, number)
      if (list === path || !isTaken(realPath(list), slot, entry)) return list
    }
  }

  const isTaken = (opens: string, slot: Slot, entry: SlotEntry): boolean =>
    placed.some((each) => each.opens === opens && (each.slot !== slot || !isSameEntry(each.note.entry, entry)))

  return {
    follow(open: OpenFile): void {
      openFile = open
    },

    place(slot: Slot, entry: SlotEntry | null, put: (slot: Slot, path: string) => void): void {
      const path = entry ? pathFor(slot, entry) : SLOT_END
      const opens = entry ? realPath(path) : null
      const now: Placed = { slot, opens, note: noteOf(slot, entry, opens) }
      const former = placed.filter((each) => each.slot === slot && each !== reads).slice(-MOST_FORMER)
      placed = [...placed.filter((each) => each.slot !== slot || each === reads), ...former, now]
      // What is pointed first is what ffmpeg begins with.
      reads ??= left.length === 0 ? now : null
      // Before the link: the next run of the program knows whatever ffmpeg may open from now on.
      note(notesOf(placed))
      put(slot, path)
    },

    /** The slot that ffmpeg reads; null: both may be it. */
    slot(): Slot | null {
      look()
      const slots = new Set(placed.flatMap(({ slot, opens }) => (reads && opens === reads.opens ? slot : [])))
      const [slot = null] = slots
      return slots.size === 1 ? slot : null
    },

    entry(): SlotEntry | null {
      look()
      return reads?.note.entry ?? null
    },

    told: (): SlotEntry[] => placed.filter(isLink).flatMap(({ note }) => note.entry ?? []),
  }
}

const notesOf = (placed: readonly Placed[]): SlotNote[] => placed.map(({ note }) => note)

const otherThan = (slot: Slot): Slot => (slot === 0 ? 1 : 0)

const rankOf = (path: string): number => (path.endsWith(LIST_SUFFIX) ? 0 : 1)

export const isSameEntry = (one: SlotEntry | null, other: SlotEntry | null): boolean =>
  one !== null &&
  other !== null &&
  one.clip.path === other.clip.path &&
  one.place?.itemId === other.place?.itemId &&
  one.place?.round === other.place?.round

const noteOf = (slot: Slot, entry: SlotEntry | null, opens: string | null): SlotNote => ({
  slot,
  opens,
  entry: entry && {
    clip: {
      path: entry.clip.path,
      loop: null,
      videoId: entry.clip.videoId,
      recipe: entry.clip.recipe,
      packets: entry.clip.packets,
    },
    place: entry.place,
  },
})

/**
 * What an earlier run pointed, as its notes say. A version that writes none may have run since: where a link leads elsewhere than they say, they
 * are older than the links, and nobody knows what those stand for.
 */
function leftIn(links: Links, notes: readonly SlotNote[]): Placed[] {
  const linked = ([0, 1] as const).flatMap((slot) => {
    const path = links.targetOf(slot)
    if (path === null) return []
    const opens = path === SLOT_END ? null : realPath(path)
    return [{ slot, opens, note: { slot, opens, entry: null } }]
  })
  const noted = notes.map((note) => ({ slot: note.slot, opens: note.opens, note }))
  const isLink = (each: Placed, link: Placed): boolean => each.slot === link.slot && each.opens === link.opens
  const lasts = linked.map((link) => noted.findLastIndex((each) => isLink(each, link)))
  if (lasts.includes(-1)) return linked
  // What was noted and not pointed any more is not there.
  return noted.filter((each, index) => linked.some(({ slot }, at) => slot === each.slot && index <= (lasts[at] ?? -1)))
}
