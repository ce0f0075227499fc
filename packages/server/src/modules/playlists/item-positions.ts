/** So far apart are items that are put behind each other. */
export const STEP = 1024
/** A gap that is smaller than this is not divided any more: the whole list is spread anew. */
const SMALLEST_GAP = 1e-3

/** Values for `count` items between two neighbours, null where there is none. Null: there is no room, the list has to be spread anew. */
export function positionsBetween(before: number | null, after: number | null, count: number): number[] | null {
  if (before === null && after === null) return spread(count)
  if (after === null) return spread(count).map((position) => position + (before ?? 0))
  if (before === null) return spread(count).map((position) => after - STEP * (count + 1) + position)
  const gap = (after - before) / (count + 1)
  if (gap < SMALLEST_GAP) return null
  return Array.from({ length: count }, (_, index) => before + gap * (index + 1))
}

export const spread = (count: number): number[] => Array.from({ length: count }, (_, index) => STEP * (index + 1))
