const two = (value: number): string => String(Math.trunc(value)).padStart(2, '0')

export function localDay(ms: number): string {
  const date = new Date(ms)
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** Indonesian, since it has names for the zones of Indonesia: WIB, WITA, WIT. */
const zoned = new Intl.DateTimeFormat('id-ID', { timeZoneName: 'short' })

/** Such as '2026-12-15 09:30 WIB', in the zone that TZ names, or else the machine's: mostly another one than the customers'. */
export function localTime(ms: number | null): string {
  if (ms === null) return '-'
  const date = new Date(ms)
  const zone = zoned.formatToParts(date).find(({ type }) => type === 'timeZoneName')?.value
  return `${localDay(ms)} ${two(date.getHours())}:${two(date.getMinutes())} ${zone}`
}

export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

/** The last moment of a day in the same zone; null: there is no such day. */
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
