import { createBoundedMap } from '../../platform/bounded-map.ts'

export interface Placed {
  readonly endpoint_id: string
  readonly user_id: string
  /** The last try there failed or was slow, so the next may take all of its time. */
  readonly isFailing: boolean
}

export const PLACES = { inAll: 20, perEndpoint: 4, perUser: 8, forFailing: 10, perFailingEndpoint: 1 } as const

/**
 * A call that takes longer goes on beside the places: no receiver is known as slow before its first call, and those of a few users would
 * have all places. So many is what fifteen users may have under way.
 */
export const SLOW_CALLS = { afterMs: 1_500, most: 15 * PLACES.perUser } as const

const SLOW_MS = 3_000
/** Each look for what is due names all of them. One that had to make room is known again after its next try. */
export const MOST_SLOW = 500

/** Who may be called at the same time: receivers that hang hold neither all places nor all of one user's. */
export function createPlaces(most: Readonly<Record<Exclude<keyof typeof PLACES, 'inAll'>, number>> = PLACES) {
  const endpoints = new Map<string, number>()
  const users = new Map<string, number>()
  /** Endpoints whose last try from here was slow. */
  const slow = createBoundedMap<true>(MOST_SLOW)
  /** Calls that go on beside the places. */
  const aside = new Set<Placed>()
  let failing = 0
  const countOf = (counts: ReadonlyMap<string, number>, id: string): number => counts.get(id) ?? 0
  const full = (counts: ReadonlyMap<string, number>, limit: number): string[] =>
    [...counts].filter(([, count]) => count >= limit).map(([id]) => id)
  function add(counts: Map<string, number>, id: string, by: 1 | -1): void {
    const count = countOf(counts, id) + by
    if (count > 0) counts.set(id, count)
    else counts.delete(id)
  }
  function move(row: Placed, by: 1 | -1): void {
    add(endpoints, row.endpoint_id, by)
    add(users, row.user_id, by)
    if (row.isFailing && !aside.delete(row)) failing += by
  }
  return {
    /** False: no place for this one now. */
    take(row: Placed): boolean {
      const perEndpoint = row.isFailing ? most.perFailingEndpoint : most.perEndpoint
      if (countOf(endpoints, row.endpoint_id) >= perEndpoint || countOf(users, row.user_id) >= most.perUser)
        return false
      if (row.isFailing && failing >= most.forFailing) return false
      move(row, 1)
      return true
    },
    give: (row: Placed): void => move(row, -1),
    /** Its call takes long: others that fail need not wait for it. It still counts for its endpoint and its user. */
    moveAside(row: Placed): void {
      if (!row.isFailing || aside.has(row)) return
      aside.add(row)
      failing--
    },
    noteDuration(endpointId: string, durationMs: number): void {
      if (durationMs > SLOW_MS) slow.set(endpointId, true)
      else slow.delete(endpointId)
    },
    forget: (endpointId: string): void => slow.delete(endpointId),
    /** Those for whom there is no place whatever they have. `busy`: a failing or slow one of these has none either. */
    full: () => ({
      endpoints: full(endpoints, most.perEndpoint),
      users: full(users, most.perUser),
      busy: full(endpoints, most.perFailingEndpoint),
      failing: failing >= most.forFailing,
      slow: slow.keys(),
    }),
  }
}
