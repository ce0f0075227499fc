import { type Course, isSamePlace, type Place, type Rounds, roundAt, roundsOf, stepsOf } from './next-item.ts'

/** More than anybody means: each of them is kept in the row until the list has passed it. */
const MOST_SKIPS = 200

/** What the row says a stream is to leave out. An earlier version kept something else there, which is over with its item. */
export function readSkips(text: string | null): Place[] {
  const read: unknown = text === null ? [] : JSON.parse(text)
  return Array.isArray(read) ? read : []
}

interface SkippingStream {
  readonly place: Place
  readonly course: Course
}

/**
 * What each stream of a broadcast is to leave out by one more skip, asked for at one of them; null: nothing can be. It is the same item for
 * all, as far as it can be: the first behind the place of who asked that none of them plays already. A stream that is further ahead,
 * or leaves that out already, leaves out what comes next there.
 */
export function skipsAfter<Stream extends SkippingStream>(
  asked: Stream,
  all: readonly Stream[],
): Map<Stream, Place[]> | null {
  const askedRounds = roundsOf(asked.course)
  const skipped = placeToSkip(asked, all, askedRounds)
  const skips = new Map<Stream, Place[]>()
  for (const stream of all) {
    const { place, course } = stream
    const roundOf = isOneList(course, asked.course) ? askedRounds : roundsOf(course)
    const isPassed = passedBy(stream, roundOf)
    const hasIt = skipped && (isPassed(skipped) || course.skips.some((skip) => isSamePlace(skip, skipped)))
    const own = hasIt ? stepsOf(course, roundOf)(place) : skipped
    if (own) skips.set(stream, [...pendingSkips(stream, isPassed), own])
  }
  return skipped && skips
}

/** Streams of one broadcast play the same list, as a rule: its rounds are found once for all of them. */
const isOneList = (one: Course, other: Course): boolean =>
  one.items === other.items &&
  one.ordering.shuffle === other.ordering.shuffle &&
  one.ordering.seed === other.ordering.seed &&
  one.ordering.startItemId === other.ordering.startItemId

function placeToSkip({ place, course }: SkippingStream, all: readonly SkippingStream[], roundOf: Rounds): Place | null {
  if (course.skips.length >= MOST_SKIPS) return null
  const after = stepsOf(course, roundOf)
  let skipped = after(place)
  for (let steps = 0; skipped && steps < all.length; steps++) {
    const isPlayed = all.some((stream) => isSamePlace(stream.place, skipped))
    if (!isPlayed) break
    skipped = after(skipped)
  }
  // Something has to come in its stead.
  return skipped && stepsOf({ ...course, skips: [...course.skips, skipped] }, roundOf)(place) ? skipped : null
}

/** Those that a stream has not passed yet; the one that it plays is one of them. */
const pendingSkips = (stream: SkippingStream, isPassed: PassedBy): Place[] =>
  stream.course.skips.filter((skip) => isSamePlace(skip, stream.place) || !isPassed(skip))

type PassedBy = (skip: Place) => boolean

/** Whether a stream has come to a place, or beyond. Where its item was removed, its round is found anew: once, for there may be many skips. */
function passedBy({ place, course }: SkippingStream, roundOf: Rounds): PassedBy {
  let indexes: ReadonlyMap<string, number> | null = null
  function indexOf(itemId: string): number {
    indexes ??= roundAt(place, course, roundOf).indexes
    return indexes.get(itemId) ?? -1
  }
  return (skip) =>
    skip.round === place.round ? indexOf(skip.itemId) <= indexOf(place.itemId) : skip.round < place.round
}
