import type { AnalyticsDay } from '@siarin/contracts/analytics'
import { PLATFORMS, type Platform } from '@siarin/contracts/platforms'
import { formatCalendarDay } from '../../lib/format.ts'
import { daysIn, plusDays } from './range.ts'

export interface DaySeconds {
  /** A day of the calendar, as '2026-11-15'. */
  readonly date: string
  readonly platforms: Readonly<Partial<Record<Platform, number>>>
}

/** A day, or as many days as make bars that can be told apart. */
export interface Bar {
  readonly from: string
  readonly to: string
  readonly seconds: Readonly<Record<Platform, number>>
  readonly total: number
}

const NONE: Readonly<Record<Platform, number>> = { facebook: 0, tiktok: 0, youtube: 0, lain: 0 }
/** More bars than this are too thin for a phone. */
const MOST_BARS = 62
const WEEK = 7

function sum(days: readonly DaySeconds[]): Pick<Bar, 'seconds' | 'total'> {
  const seconds = { ...NONE }
  for (const { platforms } of days) {
    for (const platform of PLATFORMS) seconds[platform] += platforms[platform] ?? 0
  }
  return { seconds, total: PLATFORMS.reduce((all, platform) => all + seconds[platform], 0) }
}

/** One bar for each day of the range, also for those on which nothing was on air; weeks where there are too many days. */
export function barsOf(days: readonly DaySeconds[], range: { from: string; to: string }): Bar[] {
  const byDate = new Map(days.map((day) => [day.date, day]))
  const count = Math.max(0, daysIn(range))
  const step = count > MOST_BARS ? WEEK : 1
  const bars: Bar[] = []
  // The last week is whole, the first one may be short: what is newest is compared.
  for (let end = count; end > 0; end -= step) {
    const begin = Math.max(0, end - step)
    const [from, to] = [plusDays(range.from, begin), plusDays(range.from, end - 1)]
    const own = Array.from({ length: end - begin }, (_, index) => byDate.get(plusDays(from, index)))
    bars.unshift({ from, to, ...sum(own.filter((day) => day !== undefined)) })
  }
  return bars
}

/** The platforms that were on air at all, the one with the most hours first. */
export const platformsOf = (bars: readonly Bar[]): { platform: Platform; seconds: number }[] =>
  PLATFORMS.map((platform) => ({ platform, seconds: bars.reduce((all, bar) => all + bar.seconds[platform], 0) }))
    .filter(({ seconds }) => seconds > 0)
    .toSorted((a, b) => b.seconds - a.seconds)

/** '15 Nov 2026', '9 Nov 2026 – 15 Nov 2026' */
export const barWords = ({ from, to }: Pick<Bar, 'from' | 'to'>): string =>
  from === to ? formatCalendarDay(from) : `${formatCalendarDay(from)} – ${formatCalendarDay(to)}`

export interface BarUnit {
  readonly seconds: number
  readonly word: 'jam' | 'menit'
}

/** Hours, or minutes where there is no whole hour yet. */
export const unitOf = (bars: readonly Bar[]): BarUnit =>
  bars.some(({ total }) => total >= 3600) ? { seconds: 3600, word: 'jam' } : { seconds: 60, word: 'menit' }

/**
 * The heights of stacked bars as a chart draws them: each row is a platform with all that stand below it, the highest first, so that the
 * next one is drawn over it.
 */
export function stackedRows(bars: readonly Bar[], platforms: readonly Platform[], unit: BarUnit): (number | null)[][] {
  return platforms.map((_, index) => {
    const below = platforms.slice(0, platforms.length - index)
    // None, not zero: the edge of a bar without height would cut the axis.
    return bars.map(({ seconds }) => below.reduce((all, platform) => all + seconds[platform], 0) / unit.seconds || null)
  })
}

type DayShares = Pick<AnalyticsDay, 'date' | 'wantedSeconds' | 'onAirPercent' | 'incidents'>

export interface BarShares extends Pick<DayShares, 'onAirPercent' | 'incidents'> {
  readonly bar: Bar
}

/** Per cent on air and incidents of the bars in which something was wanted. */
export const barShares = (bars: readonly Bar[], days: readonly DayShares[]): BarShares[] =>
  bars.flatMap((bar) => {
    const own = days.filter(({ date }) => date >= bar.from && date <= bar.to)
    const wanted = own.reduce((all, { wantedSeconds }) => all + wantedSeconds, 0)
    if (wanted === 0) return []
    // From the days' own shares: seconds are rounded, and a week with a short interruption has not a hundred per cent.
    const onAir = own.reduce((all, { wantedSeconds, onAirPercent }) => all + wantedSeconds * (onAirPercent ?? 0), 0)
    return [{ bar, onAirPercent: onAir / wanted, incidents: own.reduce((all, { incidents }) => all + incidents, 0) }]
  })
