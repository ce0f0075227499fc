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

/** As `nextPlace`, for who takes many steps: the order of a round is found once. */
export function stepsOf(course: Course): (place: Place) => Place | null {
  const orders = new Map<number, ListItem[]>()
  const orderOf: typeof orderOfRound = (items, ordering, round) => {
    if (items !== course.items) return orderOfRound(items, ordering, round)
    const order = orders.get(round) ?? orderOfRound(items, ordering, round)
    orders.set(round, order)
    return order
  }
  const isSkipped = (place: Place): boolean => course.skips.some((skip) => isSamePlace(skip, place))
  const onward = (from: Place): Place | null => {
    let next = followingPlace(from, course, orderOf)
    for (let left = course.skips.length; next && left > 0 && isSkipped(next); left--)
      next = followingPlace(next, course, orderOf)
    return next
  }
  return (place) => {
    const next = onward(place)
    // A list that ends there has nothing to leave out instead.
    return next && isSkipped(place) ? (onward(next) ?? next) : next
  }
}

function followingPlace(
  { itemId, round }: Place,
  { items, removed, ordering, looping }: Course,
  orderOf: typeof orderOfRound,
): Place | null {
  if (items.length === 0) return null
  const gone = items.some(({ id }) => id === itemId) ? [] : removed.filter(({ id }) => id === itemId)
  const order = orderOf(gone.length === 0 ? items : [...items, ...gone], ordering, round)
  const index = order.findIndex(({ id }) => id === itemId)
  // Nobody knows any more where it was: the list begins anew.
  const next = index === -1 ? undefined : order[index + 1]
  if (next) return { itemId: next.id, round }
  if (!looping) return null
  const coming = orderOf(items, ordering, round + 1)
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
