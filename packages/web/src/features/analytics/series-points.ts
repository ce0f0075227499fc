import type { Series, StoryStream } from '@siarin/contracts/analytics'
import type { TimePoint } from './chart/time-points.ts'

/** A hole of more than so many points is one in which nothing was written. */
const HOLE_POINTS = 2

type Runs = StoryStream['runs']

/** It was on air all that time: what is missing is figures alone. */
const isWithinRun = (runs: Runs, fromMs: number, toMs: number): boolean =>
  runs.some(
    ({ startedAt, endedAt }) =>
      Date.parse(startedAt) <= fromMs && (endedAt === null ? Number.POSITIVE_INFINITY : Date.parse(endedAt)) >= toMs,
  )

/** The bitrate over time. Whether it was on air is what its state says, and where nothing was written, its runs. */
export function pointsOf({ at, bitrateKbps, onAirPercent, resolutionSeconds }: Series, runs: Runs = []): TimePoint[] {
  const points: TimePoint[] = []
  at.forEach((seconds, index) => {
    const before = at[index - 1]
    if (before !== undefined && seconds - before > resolutionSeconds * HOLE_POINTS) {
      const holeFrom = (before + resolutionSeconds) * 1000
      if (!isWithinRun(runs, holeFrom, seconds * 1000)) points.push({ at: holeFrom, value: 'off-air' })
    }
    const isOnAir = (onAirPercent[index] ?? 0) > 0
    points.push({ at: seconds * 1000, value: isOnAir ? (bitrateKbps[index] ?? 'unmeasured') : 'off-air' })
  })
  return points
}

function averageOf(points: readonly TimePoint[]): TimePoint['value'] {
  const values = points.flatMap(({ value }) => (typeof value === 'number' ? value : []))
  if (values.length > 0) return values.reduce((all, value) => all + value, 0) / values.length
  return points.some(({ value }) => value === 'unmeasured') ? 'unmeasured' : 'off-air'
}

/** At most so many lines for a table: each is the average of the points around it. */
export function thinned(points: readonly TimePoint[], most: number): TimePoint[] {
  const step = Math.max(1, Math.ceil(points.length / most))
  const lines: TimePoint[] = []
  for (let from = 0; from < points.length; from += step) {
    const own = points.slice(from, from + step)
    const [first] = own
    if (first) lines.push({ at: first.at, value: averageOf(own) })
  }
  return lines
}

type Column = 'fps' | 'speed'

/** What was measured last; null: nothing, or it is not on air. */
export function lastOf(series: Series, column: Column): number | null {
  if ((series.onAirPercent.at(-1) ?? 0) === 0) return null
  return series[column].at(-1) ?? null
}
