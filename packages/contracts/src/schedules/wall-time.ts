/** A date as people write it, `2026-11-16`, and the minutes since its midnight as the clock on the wall shows them. */
export interface WallTime {
  readonly date: string
  readonly minutes: number
}

export const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
/** Offsets reach from -12 to +14 hours, and Samoa once moved by a whole day. */
const AROUND_MS = 1.5 * DAY_MS
const MOST_KEPT_ZONES = 700

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  // Somebody may write one zone in many ways.
  if (formats.size >= MOST_KEPT_ZONES) formats.clear()
  formats.set(zone, format)
  return format
}

/** Names of the IANA database alone: an offset such as `+07:00` knows no change of the clock. */
export function isZone(zone: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{1,49}$/.test(zone)) return false
  try {
    formatOf(zone)
    return true
  } catch {
    return false
  }
}

/** How far the wall's clock is before UTC at an instant. */
function offsetAt(zone: string, atMs: number): number {
  const parts: Record<string, number> = {}
  for (const { type, value } of formatOf(zone).formatToParts(atMs)) parts[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(atMs / 1000) * 1000
}

export const dayNumber = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY_MS
export const dateOfDay = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10)
/** 1 is Monday, 7 is Sunday. */
export const weekdayOf = (day: number): number => ((((day + 3) % 7) + 7) % 7) + 1

/** The date that a calendar on the wall shows at an instant. */
export const dateAt = (zone: string, atMs: number): string =>
  new Date(atMs + offsetAt(zone, atMs)).toISOString().slice(0, 10)

/** What the wall shows at an instant, for tests and for screens. */
export function wallTimeAt(zone: string, atMs: number): WallTime {
  const wall = new Date(atMs + offsetAt(zone, atMs))
  return { date: wall.toISOString().slice(0, 10), minutes: wall.getUTCHours() * 60 + wall.getUTCMinutes() }
}

/**
 * The instant at which the wall shows this time. A time that comes twice is its first. One that the clock leaps over is the instant of
 * the leap, the next that exists.
 */
export function instantOf(zone: string, { date, minutes }: WallTime): number {
  const wall = Date.parse(`${date}T00:00:00Z`) + minutes * MINUTE_MS
  const before = offsetAt(zone, wall - AROUND_MS)
  const after = offsetAt(zone, wall + AROUND_MS)
  const found = [wall - before, wall - after].filter((at) => at + offsetAt(zone, at) === wall)
  return found.length > 0
    ? Math.min(...found)
    : leapBetween(zone, wall - Math.max(before, after), wall - Math.min(before, after))
}

/** The first instant of another offset than the one at `from`. The caller knows that there is one. */
function leapBetween(zone: string, from: number, to: number): number {
  const old = offsetAt(zone, from)
  let [low, high] = [from, to]
  while (high - low > 1000) {
    const middle = Math.floor((low + high) / 2000) * 1000
    if (offsetAt(zone, middle) === old) low = middle
    else high = middle
  }
  return high
}
