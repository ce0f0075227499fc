import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { barShares, barsOf, barWords, platformsOf, stackedRows, unitOf } from './day-bars.ts'
import { plusDays } from './range.ts'

const FIRST = '2026-01-01'
const rangeOf = (days: number) => ({ from: FIRST, to: plusDays(FIRST, days - 1) })

describe('[STAT-02] bars of hours on air', () => {
  it('has one for each day, also for those without anything', () => {
    const bars = barsOf([{ date: '2026-01-02', platforms: { youtube: 3600, lain: 1800 } }], rangeOf(3))
    expect(bars.map(({ from, total }) => [from, total])).toEqual([
      ['2026-01-01', 0],
      ['2026-01-02', 5400],
      ['2026-01-03', 0],
    ])
    expect(platformsOf(bars)).toEqual([
      { platform: 'youtube', seconds: 3600 },
      { platform: 'lain', seconds: 1800 },
    ])
  })

  it('joins days to weeks where there are too many, and loses no second', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 366 }),
        fc.array(fc.nat(86_400), { minLength: 366, maxLength: 366 }),
        (days, s) => {
          const told = s.slice(0, days).map((seconds, index) => ({
            date: plusDays(FIRST, index),
            platforms: { facebook: seconds },
          }))
          const bars = barsOf(told, rangeOf(days))
          expect(bars.length).toBeLessThanOrEqual(62)
          expect(bars[0]?.from).toBe(FIRST)
          expect(bars.at(-1)?.to).toBe(plusDays(FIRST, days - 1))
          const total = bars.reduce((all, bar) => all + bar.total, 0)
          expect(total).toBe(told.reduce((all, { platforms }) => all + platforms.facebook, 0))
        },
      ),
    )
  })

  it('stacks: the first row is the whole, the last one the lowest platform alone', () => {
    const bars = barsOf([{ date: FIRST, platforms: { youtube: 7200, facebook: 3600 } }], rangeOf(1))
    expect(stackedRows(bars, ['youtube', 'facebook'], unitOf(bars))).toEqual([[3], [2]])
  })

  it('counts minutes while there is no whole hour', () => {
    const bars = barsOf([{ date: FIRST, platforms: { lain: 300 } }], rangeOf(1))
    expect(unitOf(bars).word).toBe('menit')
    expect(stackedRows(bars, ['lain'], unitOf(bars))).toEqual([[5]])
    // Nothing is drawn where nothing was on air, not even the edge of a bar.
    const withEmpty = barsOf([{ date: FIRST, platforms: { lain: 300 } }], rangeOf(2))
    expect(stackedRows(withEmpty, ['lain'], unitOf(bars))).toEqual([[5, null]])
  })

  it('names a day, and the first and last of a week', () => {
    expect(barWords({ from: FIRST, to: FIRST })).toBe('1 Jan 2026')
    expect(barWords({ from: FIRST, to: '2026-01-07' })).toBe('1 Jan 2026 – 7 Jan 2026')
  })

  it('tells the shares of a week, and leaves out bars in which nothing was wanted', () => {
    const bars = barsOf([], rangeOf(70))
    const day = (date: string, wantedSeconds: number, onAirPercent: number) => ({
      ...{ date, wantedSeconds, onAirPercent, incidents: 1 },
    })
    // The range ends with a whole week, from 5 March on.
    const shares = barShares(bars, [day('2026-03-05', 100, 50), day('2026-03-11', 300, 100)])
    expect(shares).toMatchObject([{ bar: { from: '2026-03-05', to: '2026-03-11' }, onAirPercent: 87.5, incidents: 2 }])
  })
})
