/** A date as people write it, `2026-11-16`, and the minutes since its midnight as the clock on the wall shows them. */
export interface WallTime {
  readonly date: string
  readonly minutes: number
}

export const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
/** Offsets reach from -12 to +14 hours, and Samoa once moved by a whole day. */
const AROUND_MS = 1.5 * DAY_MS
/** More than the longest stretch that is asked for at once. */
const MOST_KEPT_DAYS = 128

interface Zone {
  readonly format: Intl.DateTimeFormat
  /** Its offset at the beginning of days in UTC. */
  readonly offsets: Map<number, number>
}

/** As many as there are zones: some hundred. */
const zones = new Map<string, Zone>()

function zoneOf(name: string): Zone {
  // `asia/jakarta` is the same, and what the engine keeps of each outlives ours: somebody who spells it in every way would fill the memory.
  const zone = name.toLowerCase()
  const known = zones.get(zone)
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
  const added = { format, offsets: new Map() }
  zones.set(zone, added)
  return added
}

/** Names of the IANA database alone: an offset such as `+07:00` knows no change of the clock. */
export function isZone(zone: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{1,49}$/.test(zone)) return false
  try {
    zoneOf(zone)
    return true
  } catch {
    return false
  }
}

function readOffset({ format }: Zone, atMs: number): number {
  const parts: Record<string, number> = {}
  for (const { type, value } of format.formatToParts(atMs)) parts[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(atMs / 1000) * 1000
}

function offsetOfDay(zone: Zone, day: number): number {
  const known = zone.offsets.get(day)
  if (known !== undefined) return known
  if (zone.offsets.size >= MOST_KEPT_DAYS) zone.offsets.clear()
  const offset = readOffset(zone, day * DAY_MS)
  zone.offsets.set(day, offset)
  return offset
}

/**
 * How far the wall's clock is before UTC at an instant. `Intl` takes ten microseconds for that, and a schedule asks for thousands: a day that
 * begins and ends with one offset has it throughout, since no zone changes its clock and changes it back within a day.
 */
function offsetAt(name: string, atMs: number): number {
  const zone = zoneOf(name)
  const day = Math.floor(atMs / DAY_MS)
  const offset = offsetOfDay(zone, day)
  return offset === offsetOfDay(zone, day + 1) ? offset : readOffset(zone, atMs)
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
  return instantOnDay(zone, dayNumber(date), minutes)
}

/** The same for a day by its number. */
export function instantOnDay(zone: string, day: number, minutes: number): number {
  const wall = day * DAY_MS + minutes * MINUTE_MS
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
