/** A mark of what one item is like; null: its parameters are not known (yet). */
export type Likeness = string | null

/**
 * Which items can follow each other in one session: those that are alike with most of the list. Where two groups are equally large, the
 * one that comes first counts. Null: not known yet.
 */
export function judgeFits(likenesses: readonly Likeness[]): (boolean | null)[] {
  const counts = new Map<string, number>()
  for (const likeness of likenesses) if (likeness !== null) counts.set(likeness, (counts.get(likeness) ?? 0) + 1)
  let usual: string | null = null
  for (const [likeness, count] of counts) if (count > (counts.get(usual ?? '') ?? 0)) usual = likeness
  return likenesses.map((likeness) => (likeness === null ? null : likeness === usual))
}
