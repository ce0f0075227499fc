const two = (value: number): string => String(Math.trunc(value)).padStart(2, '0')

export function localDay(ms: number): string {
  const date = new Date(ms)
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** Such as 2026-12-15T09:30+07:00, in the time zone of this machine. */
export function localTime(ms: number | null): string {
  if (ms === null) return '-'
  const date = new Date(ms)
  const offset = -date.getTimezoneOffset()
  const zone = `${offset < 0 ? '-' : '+'}${two(Math.abs(offset) / 60)}:${two(Math.abs(offset) % 60)}`
  return `${localDay(ms)}T${two(date.getHours())}:${two(date.getMinutes())}${zone}`
}

export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

/** The last moment of a day in the time zone of this machine; null: there is no such day. */
export function endOfDay(typed: string): number | null {
  const [, year = 0, month = 0, day = 0] = (/^(\d{4})-(\d\d)-(\d\d)$/.exec(typed) ?? []).map(Number)
  const end = new Date(year, month - 1, day, 23, 59, 59, 999).getTime()
  return localDay(end) === typed ? end : null
}

/** The same day of a later month, or that month's last day where it is shorter. */
export function addMonths(ms: number, months: number): number {
  const date = new Date(ms)
  const day = date.getDate()
  date.setDate(1)
  date.setMonth(date.getMonth() + months)
  const lastDay = new Date(date.getFullYear(), date.getMonth() + 1, 0).getDate()
  date.setDate(Math.min(day, lastDay))
  return date.getTime()
}

export function addDays(ms: number, days: number): number {
  const date = new Date(ms)
  date.setDate(date.getDate() + days)
  return date.getTime()
}
