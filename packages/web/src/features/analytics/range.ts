/** Days of the calendar, both included, as '2026-11-15'. */
export interface DayRange {
  readonly from: string
  readonly to: string
}

const DAY_MS = 86_400_000

/** Where this browser is: a day is the person's own. */
export const zoneHere = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

export const RANGE_CHOICES = [
  { value: '7', label: '7 hari' },
  { value: '30', label: '30 hari' },
  { value: 'bulan', label: 'Bulan ini' },
  { value: 'tahun', label: 'Setahun' },
  { value: 'sendiri', label: 'Pilih' },
] as const
export type RangeChoice = (typeof RANGE_CHOICES)[number]['value']

const isDay = (text: string | null): text is string =>
  text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && plusDays(text, 0) === text

export function plusDays(day: string, days: number): string {
  const at = Date.parse(day)
  return Number.isNaN(at) ? day : new Date(at + days * DAY_MS).toISOString().slice(0, 10)
}

/** How many days a range has. */
export const daysIn = ({ from, to }: DayRange): number => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1

/** The day of the calendar that it is here. */
export function todayOf(nowMs: number): string {
  const now = new Date(nowMs)
  const two = (part: number): string => String(part).padStart(2, '0')
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}

/** The range that a choice means today. */
export function rangeOf(choice: Exclude<RangeChoice, 'sendiri'>, today: string): DayRange {
  switch (choice) {
    case '7':
      return { from: plusDays(today, -6), to: today }
    case '30':
      return { from: plusDays(today, -29), to: today }
    case 'bulan':
      return { from: `${today.slice(0, 8)}01`, to: today }
    case 'tahun':
      return { from: plusDays(today, -364), to: today }
  }
}

export interface ReadRange {
  readonly choice: RangeChoice
  readonly range: DayRange
  /** What is wrong with days that were typed; null: nothing. */
  readonly fault: string | null
}

/** What the page's address asks for; nothing or nonsense is a week. */
export function readRange(search: URLSearchParams, today: string): ReadRange {
  const asked = search.get('rentang')
  if (asked !== 'sendiri') {
    const choice = RANGE_CHOICES.find(({ value }) => value === asked)?.value ?? '7'
    const known = choice === 'sendiri' ? '7' : choice
    return { choice: known, range: rangeOf(known, today), fault: null }
  }
  const [from, to] = [search.get('dari'), search.get('sampai')]
  if (!isDay(from) || !isDay(to)) {
    const range = rangeOf('7', today)
    const isMissing = !from && !to
    return { choice: 'sendiri', range, fault: isMissing ? null : 'Isi kedua tanggalnya.' }
  }
  return { choice: 'sendiri', range: { from, to }, fault: faultOf({ from, to }, today) }
}

function faultOf({ from, to }: DayRange, today: string): string | null {
  if (from > to) return 'Tanggal awal ada setelah tanggal akhir. Tukar keduanya.'
  if (from > today) return 'Hari-hari itu belum terjadi. Pilih tanggal sampai hari ini.'
  return null
}

/** As the page's address has it. */
export function searchOf(choice: RangeChoice, range: DayRange): URLSearchParams {
  if (choice !== 'sendiri') return new URLSearchParams({ rentang: choice })
  return new URLSearchParams({ rentang: choice, dari: range.from, sampai: range.to })
}
