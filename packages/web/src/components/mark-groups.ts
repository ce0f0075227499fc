/** Something that happened at a moment, shown on the axis of a chart. */
export interface ChartMark {
  /** In ms. */
  readonly at: number
  /** 'trouble' is amber; 'note' is what was wanted, as a swap. */
  readonly tone: 'trouble' | 'note'
  readonly words: string
}

export interface MarkGroup {
  readonly marks: readonly ChartMark[]
  readonly tone: ChartMark['tone']
  /** Where it stands, in pixels from the left edge of the plot. */
  readonly x: number
}

interface Span {
  readonly from: number
  readonly to: number
  readonly width: number
}

/** Nearer to each other than this, a finger could not choose between two. */
const NEAREST_PX = 24

/** Marks side by side, those that would lie on each other as one. What lies outside of the chart's time is left out. */
export function groupMarks(marks: readonly ChartMark[], { from, to, width }: Span): MarkGroup[] {
  if (to <= from || width <= 0) return []
  const inside = marks.filter(({ at }) => at >= from && at <= to).toSorted((a, b) => a.at - b.at)
  const groups: { x: number; marks: ChartMark[] }[] = []
  for (const mark of inside) {
    const x = ((mark.at - from) / (to - from)) * width
    const last = groups.at(-1)
    if (last && x - last.x < NEAREST_PX) last.marks.push(mark)
    else groups.push({ x, marks: [mark] })
  }
  return groups.map(({ x, marks: own }) => ({
    x,
    marks: own,
    tone: own.some(({ tone }) => tone === 'trouble') ? 'trouble' : 'note',
  }))
}
