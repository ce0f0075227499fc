import { describe, expect, it } from 'vitest'
import { monthsUntil, monthWords, newestMonth, readMonth } from './report-months.ts'

describe('[STAT-04] the months of a report', () => {
  it('go a year back, over the turn of the year', () => {
    const months = monthsUntil('2026-02-16')
    expect([months.length, months[0], months[1], months[2], months.at(-1)]).toEqual([
      12,
      '2026-02',
      '2026-01',
      '2025-12',
      '2025-03',
    ])
    expect(monthWords('2025-12')).toBe('Desember 2025')
  })

  it('are asked for by the address; what is not there is not', () => {
    const read = (search: string): string | null => readMonth(new URLSearchParams(search), '2026-02-16')
    expect([read(''), read('bulan=2026-02'), read('bulan=2027-01'), read('bulan=x')]).toEqual([
      null,
      '2026-02',
      null,
      null,
    ])
  })

  it('begins with the newest one that has a broadcast', () => {
    const days = (...wanted: [date: string, wantedSeconds: number][]) =>
      wanted.map(([date, wantedSeconds]) => ({ date, wantedSeconds }))
    const newest = (...wanted: [string, number][]): string => newestMonth(days(...wanted), '2026-02-16')
    expect(newest(['2026-01-30', 5], ['2026-02-16', 5])).toBe('2026-02')
    expect(newest(['2025-12-30', 5], ['2026-02-16', 0])).toBe('2025-12')
    expect([newest(), newest(['2025-02-20', 5])]).toEqual(['2026-02', '2026-02'])
  })
})
