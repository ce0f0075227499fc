export type Encoders = ReturnType<typeof createEncoders>

/** A source that is away for longer finds another's in its place. */
const KEPT_MS = 15 * 60_000
/** Who waits asks again: every few seconds while a stand-in plays, else within 80 s and the look at its source. */
const WAITS_MS = 120_000

/** A stream that is to have an encoder. */
export interface Wish {
  readonly streamId: string
  readonly owner: string
  /** Comes after those who pay. */
  readonly isOnTrial: boolean
  /** It is on air without one too: it takes what nobody waits for. */
  readonly canDoWithout?: boolean
}

interface Place extends Wish {
  /** Until when it is kept for its stream; null: it is at work. */
  readonly keptUntilMs: number | null
}

/**
 * Re-encoding takes most of a core: only so many streams of this machine may do it at once. While others wait, an owner gets no further
 * encoder, and one of several goes to an owner who has none. Nobody's only one is taken away: where a machine has one in all, who comes
 * first has it.
 */
export function createEncoders(max: number, now: () => number = () => performance.now()) {
  const taken = new Map<string, Place>()
  /** In the order in which they came. */
  const waiting = new Map<string, Wish & { readonly askedAtMs: number }>()

  function forgetLapsed(): void {
    for (const { streamId, keptUntilMs } of taken.values())
      if (keptUntilMs !== null && now() >= keptUntilMs) taken.delete(streamId)
    for (const { streamId, askedAtMs } of waiting.values()) if (now() - askedAtMs >= WAITS_MS) waiting.delete(streamId)
  }

  /** `next`: the owners whose turn it is, and whose place each gets; null: a free one. `left`: how many nobody waits for. */
  function deal() {
    forgetLapsed()
    const held = Map.groupBy(taken.values(), ({ owner }) => owner)
    const next = new Map<string, Place | null>()
    let left = max - taken.size
    for (const wish of inLine(waiting.values(), held)) {
      const place = left > 0 ? null : placeOfAnother(wish, held)
      if (place === undefined) continue
      next.set(wish.owner, place)
      if (place === null) left--
    }
    return { next, left }
  }

  const isToGo = (streamId: string): boolean =>
    waiting.size > 0 && [...deal().next.values()].some((place) => place?.streamId === streamId)

  /** Null: its own, or a free one. Undefined: it has to wait. */
  function placeFor(wish: Wish): Place | null | undefined {
    forgetLapsed()
    if (taken.has(wish.streamId)) return null
    if (wish.canDoWithout) return deal().left > 0 ? null : undefined
    waiting.set(wish.streamId, { ...wish, askedAtMs: now() })
    const place = deal().next.get(wish.owner)
    // One that is at work is free once its session has ended.
    return place?.keptUntilMs === null ? undefined : place
  }

  return {
    /** False: others have them, or come first. Who asks again keeps its place in the line. */
    acquire(wish: Wish): boolean {
      if (isToGo(wish.streamId)) taken.delete(wish.streamId)
      const place = placeFor(wish)
      if (place === undefined) return false
      if (place) taken.delete(place.streamId)
      waiting.delete(wish.streamId)
      taken.set(wish.streamId, { ...wish, keptUntilMs: null })
      return true
    },
    /** One that has none stands in the line from here on. */
    hasRoomFor: (wish: Wish): boolean => !isToGo(wish.streamId) && placeFor(wish) !== undefined,
    /** What an earlier run of the program left on air comes before all who wait. */
    takeOver(wish: Wish): void {
      if (taken.size < max) taken.set(wish.streamId, { ...wish, keptUntilMs: null })
    },
    /** Its source is away: what was on air goes on when that is back, before anyone who came later. */
    keep(streamId: string): void {
      waiting.delete(streamId)
      const place = taken.get(streamId)
      if (place?.keptUntilMs === null) taken.set(streamId, { ...place, keptUntilMs: now() + KEPT_MS })
    },
    /** Whether its encoder is to go to an owner who waits and has none. */
    isToGo,
    release(streamId: string): void {
      taken.delete(streamId)
      waiting.delete(streamId)
    },
  }
}

type Held = ReadonlyMap<string, Place[]>

/** The first wish of each owner: those who pay, then who has fewer, then who came first. */
function inLine(waiting: Iterable<Wish>, held: Held): Wish[] {
  const count = ({ owner }: Wish): number => held.get(owner)?.length ?? 0
  const firsts = [...Map.groupBy(waiting, ({ owner }) => owner).values()].flatMap((wishes) => wishes.slice(0, 1))
  return firsts.toSorted((a, b) => Number(a.isOnTrial) - Number(b.isOnTrial) || count(a) - count(b))
}

const isOnTrial = (places: readonly Place[]): boolean => places.some((place) => place.isOnTrial)

/**
 * For an owner who has none, out of what one has who has several: of those on trial first, and of whom has most. Who is on trial gets none
 * of those who pay. It is gone from `held` then; undefined: there is none.
 */
function placeOfAnother({ owner, isOnTrial: isFromTrial }: Wish, held: Held): Place | undefined {
  if (held.has(owner)) return undefined
  const [most] = [...held.values()]
    .filter((places) => places.length > 1 && (!isFromTrial || isOnTrial(places)))
    .toSorted((a, b) => Number(isOnTrial(b)) - Number(isOnTrial(a)) || b.length - a.length)
  // The latest of those that do the least harm.
  const place = most?.toReversed().toSorted((a, b) => harmOf(a) - harmOf(b))[0]
  if (most && place) most.splice(most.indexOf(place), 1)
  return place
}

/** It stays on air without one; it is not on air with it; it goes off air. */
const harmOf = ({ canDoWithout = false, keptUntilMs }: Place): number =>
  canDoWithout ? 0 : keptUntilMs === null ? 2 : 1
