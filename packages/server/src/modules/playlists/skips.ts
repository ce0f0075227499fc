import { type Course, isSamePlace, nextPlace, orderOfRound, type Place } from './next-item.ts'

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
  const skipped = placeToSkip(asked, all)
  const skips = new Map<Stream, Place[]>()
  for (const stream of all) {
    const { place, course } = stream
    const isPassed = passedBy(stream)
    const hasIt = skipped && (isPassed(skipped) || course.skips.some((skip) => isSamePlace(skip, skipped)))
    const own = hasIt ? nextPlace(place, course) : skipped
    if (own) skips.set(stream, [...pendingSkips(stream, isPassed), own])
  }
  return skipped && skips
}

function placeToSkip({ place, course }: SkippingStream, all: readonly SkippingStream[]): Place | null {
  if (course.skips.length >= MOST_SKIPS) return null
  let skipped = nextPlace(place, course)
  for (let steps = 0; skipped && steps < all.length; steps++) {
    const isPlayed = all.some((stream) => isSamePlace(stream.place, skipped))
    if (!isPlayed) break
    skipped = nextPlace(skipped, course)
  }
  // Something has to come in its stead.
  return skipped && nextPlace(place, { ...course, skips: [...course.skips, skipped] }) ? skipped : null
}

/** Those that a stream has not passed yet; the one that it plays is one of them. */
const pendingSkips = (stream: SkippingStream, isPassed: PassedBy): Place[] =>
  stream.course.skips.filter((skip) => isSamePlace(skip, stream.place) || !isPassed(skip))

type PassedBy = (skip: Place) => boolean

/** Whether a stream has come to a place, or beyond. The order of its round is made once: it costs the most, and there may be many skips. */
function passedBy({ place, course: { items, removed, ordering } }: SkippingStream): PassedBy {
  let indexes: ReadonlyMap<string, number> | null = null
  function indexOf(itemId: string): number {
    if (!indexes) {
      const gone = items.some(({ id }) => id === place.itemId) ? [] : removed.filter(({ id }) => id === place.itemId)
      const order = orderOfRound([...items, ...gone], ordering, place.round)
      indexes = new Map(order.map(({ id }, index) => [id, index]))
    }
    return indexes.get(itemId) ?? -1
  }
  return (skip) =>
    skip.round === place.round ? indexOf(skip.itemId) <= indexOf(place.itemId) : skip.round < place.round
}
