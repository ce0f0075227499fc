/** An item of a list, live or removed. */
export interface ListItem {
  readonly id: string
  readonly position: number
}

/** Which item plays, and in which round. */
export interface Place {
  readonly itemId: string
  readonly round: number
}

export interface Ordering {
  readonly shuffle: boolean
  /** A broadcast's own: its rounds are the same ones after a restart. */
  readonly seed: string
  /** What it was started with; null: whatever comes first. */
  readonly startItemId: string | null
}

export interface Course {
  readonly items: readonly ListItem[]
  /** Some of those that were removed: one may still play, and its place tells what follows it. */
  readonly removed: readonly ListItem[]
  readonly ordering: Ordering
  readonly looping: boolean
  /** What somebody wants to be left out. One of them may play already: then the one behind it is left out in its stead. */
  readonly skips: readonly Place[]
}

export const isSamePlace = (one: Place | null, other: Place | null): boolean =>
  one?.itemId === other?.itemId && one?.round === other?.round

/**
 * The items of one round, each once. A shuffled round sorts them by a hash of seed, round and item: it depends on nothing that happened
 * before, and an item that is added or removed leaves the others in their order.
 */
export function orderOfRound(items: readonly ListItem[], ordering: Ordering, round: number): ListItem[] {
  if (!ordering.shuffle) return [...items].sort((a, b) => a.position - b.position || compare(a.id, b.id))
  // With two items, another order would play one of them twice in a row.
  if (round === 0 || items.length <= 2) return startedOrder(items, ordering)
  const order = hashedOrder(items, ordering.seed, round)
  const before = round === 1 ? startedOrder(items, ordering) : hashedOrder(items, ordering.seed, round - 1)
  const [first, second, ...rest] = order
  // Where three or more are, this never changes which one is last, so the round before needs no look at its own predecessor.
  return first && second && first.id === before.at(-1)?.id ? [second, first, ...rest] : order
}

/** The first round begins with what was chosen. */
function startedOrder(items: readonly ListItem[], { seed, startItemId }: Ordering): ListItem[] {
  const order = hashedOrder(items, seed, 0)
  return [...order.filter(({ id }) => id === startItemId), ...order.filter(({ id }) => id !== startItemId)]
}

export function firstPlace(items: readonly ListItem[], ordering: Ordering): Place | null {
  const chosen = items.find(({ id }) => id === ordering.startItemId)
  const first = chosen ?? orderOfRound(items, ordering, 0)[0]
  return first ? { itemId: first.id, round: 0 } : null
}

/** What follows a place. Null: the list has come to its end, or has nothing left. */
export const nextPlace = (place: Place, course: Course): Place | null => stepsOf(course)(place)

/** The order of a round, and where in it each item is. */
interface Round {
  readonly order: readonly ListItem[]
  readonly indexes: ReadonlyMap<string, number>
}

export type Rounds = (round: number) => Round

const roundIn = (order: readonly ListItem[]): Round => ({
  order,
  indexes: new Map(order.map(({ id }, index) => [id, index])),
})

/** The rounds of a list, for who looks at them often: the order of each is found once, which costs the most. */
export function roundsOf({ items, ordering }: Pick<Course, 'items' | 'ordering'>): Rounds {
  const rounds = new Map<number, Round>()
  return (round) => {
    const found = rounds.get(round) ?? roundIn(orderOfRound(items, ordering, round))
    rounds.set(round, found)
    return found
  }
}

/** The round of a place, with its item, which may have been removed. */
export function roundAt({ itemId, round }: Place, { items, removed, ordering }: Course, roundOf: Rounds): Round {
  const known = roundOf(round)
  const gone = known.indexes.has(itemId) ? [] : removed.filter(({ id }) => id === itemId)
  return gone.length === 0 ? known : roundIn(orderOfRound([...items, ...gone], ordering, round))
}

/** As `nextPlace`, for who takes many steps. */
export function stepsOf(course: Course, roundOf: Rounds = roundsOf(course)): (place: Place) => Place | null {
  const skips = new Set(course.skips.map(nameOf))
  const isSkipped = (place: Place): boolean => skips.has(nameOf(place))
  const onward = (from: Place): Place | null => {
    let next = followingPlace(from, course, roundOf)
    for (let left = course.skips.length; next && left > 0 && isSkipped(next); left--)
      next = followingPlace(next, course, roundOf)
    return next
  }
  return (place) => {
    const next = onward(place)
    // A list that ends there has nothing to leave out instead.
    return next && isSkipped(place) ? (onward(next) ?? next) : next
  }
}

const nameOf = ({ itemId, round }: Place): string => `${round} ${itemId}`

function followingPlace(place: Place, course: Course, roundOf: Rounds): Place | null {
  if (course.items.length === 0) return null
  const { itemId, round } = place
  const { order, indexes } = roundAt(place, course, roundOf)
  const index = indexes.get(itemId)
  // Nobody knows any more where it was: the list begins anew.
  const next = index === undefined ? undefined : order[index + 1]
  if (next) return { itemId: next.id, round }
  if (!course.looping) return null
  const { order: coming } = roundOf(round + 1)
  // Only where the list was changed in between, or is one that is played in order and has a single item.
  const first = coming.find(({ id }) => id !== itemId || coming.length === 1)
  return first ? { itemId: first.id, round: round + 1 } : null
}

function hashedOrder(items: readonly ListItem[], seed: string, round: number): ListItem[] {
  return items
    .map((item) => ({ item, key: hashOf(`${seed}:${round}:${item.id}`) }))
    .sort((a, b) => a.key - b.key || compare(a.item.id, b.item.id))
    .map(({ item }) => item)
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** 53 bits, the same on every machine and in every version: what plays next must not change with an update. */
function hashOf(text: string): number {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    high = Math.imul(high ^ code, 2_654_435_761)
    low = Math.imul(low ^ code, 1_597_334_677)
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909)
  return 4_294_967_296 * (2_097_151 & low) + (high >>> 0)
}
