import type { AnalyticsDay } from '@siarin/contracts/analytics'

/** 'November 2026' */
const words = new Intl.DateTimeFormat('id-ID', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** As far back as figures are kept. */
const MONTHS = 12

export const monthWords = (month: string): string => words.format(new Date(`${month}-01`))

/** The month of a day and those before it, newest first. */
export function monthsUntil(today: string): string[] {
  const [year = 0, month = 1] = today.split('-').map(Number)
  return Array.from({ length: MONTHS }, (_, back) =>
    new Date(Date.UTC(year, month - 1 - back, 1)).toISOString().slice(0, 7),
  )
}

/** What the page's address asks for; null: nothing that is there. */
export const readMonth = (search: URLSearchParams, today: string): string | null =>
  monthsUntil(today).find((month) => month === search.get('bulan')) ?? null

/** The newest month in which a broadcast was wanted; without any, this one. */
export function newestMonth(days: readonly Pick<AnalyticsDay, 'date' | 'wantedSeconds'>[], today: string): string {
  const last = days.findLast(({ wantedSeconds }) => wantedSeconds > 0)?.date ?? today
  return monthsUntil(today).find((month) => last.startsWith(month)) ?? today.slice(0, 7)
}
