import type { Series } from '@siarin/contracts/analytics'
import { describe, expect, it } from 'vitest'
import { lineData, pointWords } from './chart/time-points.ts'
import { nextFigures } from './live-figures.ts'
import { lastOf, pointsOf, thinned } from './series-points.ts'

const series = (
  at: number[],
  kbps: (number | null)[],
  onAir = kbps.map((each) => (each === null ? 0 : 100)),
): Series => ({
  resolutionSeconds: 5,
  at,
  bitrateKbps: kbps,
  bitrateMinKbps: kbps,
  bitrateMaxKbps: kbps,
  fps: kbps.map(() => 30),
  speed: kbps.map(() => 1),
  unsentKb: kbps.map(() => 0),
  onAirPercent: onAir,
})

describe('[STAT-01] the points of a chart', () => {
  it('have a gap where it was off air', () => {
    expect(pointsOf(series([0, 5, 10, 60], [100, 200, 0, 300], [100, 100, 0, 100]))).toEqual([
      { at: 0, value: 100 },
      { at: 5000, value: 200 },
      { at: 10_000, value: 'off-air' },
      { at: 15_000, value: 'off-air' },
      { at: 60_000, value: 300 },
    ])
  })

  it('are joined over what nobody measured while it was on air', () => {
    const points = pointsOf(series([0, 5, 10], [100, null, 300], [100, 100, 0]))
    expect(points.map(({ value }) => value)).toEqual([100, 'unmeasured', 'off-air'])
    expect(lineData(points)).toEqual([
      [0, 5000, 10_000],
      [100, undefined, null],
    ])
    expect(points.map((point) => pointWords(point, String))).toEqual(['100', 'tidak terukur', 'tidak tayang'])
  })

  it('are joined over a hole within a run: only its samples are missing', () => {
    const told = series([0, 60], [100, 300])
    const instant = (seconds: number): string => new Date(seconds * 1000).toISOString()
    expect(pointsOf(told, [{ startedAt: instant(2), endedAt: null }])).toHaveLength(2)
    expect(pointsOf(told, [{ startedAt: instant(2), endedAt: instant(30) }])).toHaveLength(3)
  })

  it('are averaged for a table, and a stretch off air stays one', () => {
    const points = [100, 200, 'off-air' as const, 'off-air' as const, 50].map((value, at) => ({ at, value }))
    expect(thinned(points, 3)).toEqual([
      { at: 0, value: 150 },
      { at: 2, value: 'off-air' },
      { at: 4, value: 50 },
    ])
  })

  it('tell the last figure only while on air', () => {
    expect(lastOf(series([0, 5], [100, 200]), 'fps')).toBe(30)
    expect(lastOf(series([0, 5], [100, 0], [100, 0]), 'fps')).toBeNull()
    expect(lastOf(series([], []), 'fps')).toBeNull()
  })
})

describe('[STAT-01] pushed figures', () => {
  const at = (seconds: number): string => new Date(seconds * 1000).toISOString()
  const stream = (streamId: string, own: Series) => ({
    ...{ streamId, broadcastId: streamId, title: streamId, platform: 'youtube' as const, targetName: null },
    ...{ state: 'live' as const, health: 'good' as const, series: own },
  })
  const told = (seconds: number, ...streams: ReturnType<typeof stream>[]) => ({ at: at(seconds), streams })

  it('are added to what is known, each time once, and no older than ten minutes', () => {
    const first = nextFigures(null, told(1000, stream('a', series([390, 995, 1000], [1, 2, 3]))))
    const next = nextFigures(first, told(1005, stream('a', series([1000, 1005], [4, 5]))))
    expect(next.streams[0]?.series.at).toEqual([995, 1000, 1005])
    expect(next.streams[0]?.series.bitrateKbps).toEqual([2, 4, 5])
  })

  it('know only the streams that the last event named', () => {
    const first = nextFigures(null, told(1000, stream('a', series([1000], [1])), stream('b', series([1000], [1]))))
    const next = nextFigures(first, told(1005, stream('b', series([], [])), stream('c', series([1005], [7]))))
    expect(next.streams.map(({ streamId, series: own }) => [streamId, own.at])).toEqual([
      ['b', [1000]],
      ['c', [1005]],
    ])
  })
})
