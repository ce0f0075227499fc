import { type ListItem, type Ordering, orderOfRound, type Place } from './next-item.ts'

interface Round {
  readonly items: readonly ListItem[]
  readonly removed: readonly ListItem[]
  readonly ordering: Ordering
}

interface PositionInRound {
  /** Null: it was removed, and has no place any more. */
  readonly roundIndex: number | null
  /** How long what comes before it in this round lasts, also where a broadcast began behind it or skipped it. */
  readonly beforeMs: number
  readonly wholeMs: number
}

/** Where an item stands in the order of its round. `lengthsMs`: by item; what is not known counts nothing. */
export function positionInRound(
  { itemId, round }: Place,
  { items, removed, ordering }: Round,
  lengthsMs: ReadonlyMap<string, number>,
): PositionInRound {
  const gone = items.some(({ id }) => id === itemId) ? [] : removed.filter(({ id }) => id === itemId)
  const order = orderOfRound([...items, ...gone], ordering, round)
  const at = order.findIndex(({ id }) => id === itemId)
  const lengthOf = (some: readonly ListItem[]): number =>
    some.reduce((sum, { id }) => sum + (lengthsMs.get(id) ?? 0), 0)
  return {
    roundIndex: at === -1 || gone.length > 0 ? null : at,
    beforeMs: lengthOf(order.slice(0, Math.max(0, at))),
    wholeMs: lengthOf(items),
  }
}
