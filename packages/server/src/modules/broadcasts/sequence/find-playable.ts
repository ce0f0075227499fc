import { type Course, type ListItem, type Place, stepsOf } from '../../playlists/next-item.ts'

export interface Found<Item, Clip> {
  /** Null: nothing of the list can be played, or it has come to its end. */
  readonly next: { readonly place: Place; readonly clip: Clip } | null
  /** What stands before it and cannot be played. */
  readonly passed: readonly Item[]
}

/** What follows a place and can be played. Each item is tried once, `open` answers null for one that cannot be played. */
export async function findPlayable<Item extends ListItem, Clip>(
  from: Place,
  course: Omit<Course, 'items'> & { readonly items: readonly Item[] },
  open: (item: Item) => Promise<Clip | null>,
): Promise<Found<Item, Clip>> {
  const after = stepsOf(course)
  const items: ReadonlyMap<string, Item> = new Map(course.items.map((item) => [item.id, item]))
  const passed = new Map<string, Item>()
  let place = after(from)
  // The next round of a shuffled list brings those again that this one has brought already: together they bring all.
  for (let steps = 0; steps <= 2 * items.size; steps++) {
    const item = place && items.get(place.itemId)
    if (!place || !item) break
    const clip = passed.has(item.id) ? null : await open(item)
    if (clip !== null) return { next: { place, clip }, passed: [...passed.values()] }
    passed.set(item.id, item)
    if (passed.size === items.size) break
    place = after(place)
  }
  return { next: null, passed: [...passed.values()] }
}
