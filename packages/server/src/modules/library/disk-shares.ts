import { createTurns } from '../../platform/turns.ts'

/** The part of the disk of an upload, or of what this program makes, all counted from its first byte. */
interface Share {
  readonly announced: number
  /** How much was here when it began, and when that was. */
  readonly arrived: number
  readonly sinceMs: number
  /** Up to here it may be written without asking again. */
  admitted: number
  written: number
}

/** So much is admitted at a time, where there is plenty. */
const STEP_BYTES = 64 * 1024 ** 2

/** An announcement is believed for so long, and after that as far as it would come within the next hour. */
const BELIEVED_MS = 60_000
const AHEAD_MS = 3_600_000
/** What is no more than this part of what is left is let in beside announcements that have not come: half of the disk is not theirs. */
const SMALL_PART = 1 / 16
const NOT_FOR_ANNOUNCED_PART = 1 / 2

export type DiskShares = ReturnType<typeof createDiskShares>

/** Hears how much has been written, and refuses what does not fit any more. */
export type Grow = (bytes: number) => Promise<void>

/**
 * What is on its way to the disk through this program. The disk knows only what has been written, so what the others may still write is
 * taken off what is left. One asks at a time, so that no two get the same bytes.
 *
 * Anyone can announce what never comes, so an upload that begins is let in beside announcements that are not believed. Such an announcement may still
 * come after all: the bytes themselves are admitted only where they fit beside those of all others, so that the reserve stays whole.
 */
export function createDiskShares(
  spareBytes: () => Promise<number>,
  full: () => Error,
  nowMs = () => performance.now(),
) {
  const shares = new Map<string, Share>()
  const inTurn = createTurns(1)

  function comingOf(except: string | null, endOf: (share: Share) => number): number {
    let bytes = 0
    for (const [id, share] of shares) if (id !== except) bytes += Math.max(0, endOf(share) - share.written)
    return bytes
  }

  /** Up to which byte it is believed to come. */
  function believedEnd({ announced, admitted, written, arrived, sinceMs }: Share): number {
    const agoMs = nowMs() - sinceMs
    const soon = agoMs < BELIEVED_MS ? announced : written + ((written - arrived) / agoMs) * AHEAD_MS
    return Math.max(admitted, Math.min(announced, soon))
  }

  const admittedEnd = ({ admitted }: Share): number => admitted

  /** What is left beside what the others may write at once. */
  async function leftBeside(except: string | null): Promise<number> {
    // Counted before the disk is asked: what is written meanwhile counts twice rather than not at all.
    const admitted = comingOf(except, admittedEnd)
    return (await spareBytes()) - admitted
  }

  async function assertLeft(bytes: number, except: string | null): Promise<void> {
    const announced = comingOf(except, believedEnd) - comingOf(except, admittedEnd)
    const left = await leftBeside(except)
    const isSmall = bytes <= left * SMALL_PART
    const taken = isSmall ? Math.min(announced, left * NOT_FOR_ANNOUNCED_PART) : announced
    if (left - taken < bytes) throw full()
  }

  async function assertLeftToMake(bytes: number): Promise<void> {
    if ((await leftBeside(null)) < bytes) throw full()
  }

  function enter(id: string, announced: number, arrived: number): void {
    shares.set(id, { announced, arrived, sinceMs: nowMs(), admitted: arrived, written: arrived })
  }

  return {
    /** Refuses what does not fit beside what has been announced, as far as that is believed. */
    assertRoom: (bytes: number): Promise<void> => assertLeft(bytes, null),
    /** The same, and from now on it counts for the others. */
    begin: (id: string, { announced, arrived }: { announced: number; arrived: number }): Promise<void> =>
      inTurn(async () => {
        await assertLeft(announced - arrived, id)
        enter(id, announced, arrived)
      }),
    /**
     * Refuses what is to be made here and does not fit beside what the others may write at once. What they have only announced takes nothing
     * from it: a video that was refused has failed, and so has the broadcast that waits for it, while an upload can be sent again.
     */
    assertRoomToMake: assertLeftToMake,
    /** The same, and from now on it counts for the others. */
    beginToMake: (id: string, announced: number): Promise<void> =>
      inTurn(async () => {
        await assertLeftToMake(announced)
        enter(id, announced, 0)
      }),
    /**
     * Answers up to which byte, `most` at the furthest, nobody needs to ask again. Here only what the others may write at once counts: one
     * that has announced much and comes slowly must not break off another that has begun.
     */
    admit: (id: string, upTo: number, most: number): Promise<number> =>
      inTurn(async () => {
        const share = shares.get(id) ?? { admitted: 0, written: 0 }
        const left = (await leftBeside(id)) - Math.max(0, upTo - share.written)
        if (left < 0) throw full()
        share.admitted = Math.min(most, upTo + Math.min(STEP_BYTES, Math.floor(left / 2)))
        return share.admitted
      }),
    wrote(id: string, upTo: number): void {
      const share = shares.get(id)
      if (share) share.written = upTo
    },
    end: (id: string): void => void shares.delete(id),
  }
}

/**
 * For a writer that cannot be held back: it says from time to time how much it has written, and a share of its own asks for as much again, which
 * may be there before it says so the next time.
 */
export function createGrowth({ admit, wrote }: Pick<DiskShares, 'admit' | 'wrote'>, id: string): Grow {
  let [written, admitted] = [0, 0]
  let isAsking = false
  return async (bytes) => {
    const upTo = bytes + Math.max(0, bytes - written)
    written = bytes
    wrote(id, bytes)
    if (upTo <= admitted || isAsking) return
    isAsking = true
    try {
      admitted = await admit(id, upTo, Number.POSITIVE_INFINITY)
    } finally {
      isAsking = false
    }
  }
}
