import type uPlot from 'uplot'

export interface TimePoint {
  /** In ms. */
  readonly at: number
  /** 'unmeasured': it was on air, and nobody knows its figure. */
  readonly value: number | 'unmeasured' | 'off-air'
}

/** '2,5 Mbps', 'tidak terukur', 'tidak tayang' */
export function pointWords({ value }: Pick<TimePoint, 'value'>, format: (value: number) => string): string {
  if (value === 'off-air') return 'tidak tayang'
  return value === 'unmeasured' ? 'tidak terukur' : format(value)
}

/** As uPlot takes them: null is a gap, and the line is joined over what is undefined. */
const plotted = (value: TimePoint['value']): number | null | undefined => {
  if (value === 'off-air') return null
  return value === 'unmeasured' ? undefined : value
}

export const lineData = (points: readonly TimePoint[]): uPlot.AlignedData => [
  points.map(({ at }) => at),
  points.map(({ value }) => plotted(value)),
]
