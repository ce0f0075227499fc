import { minutesOf, nextOccurrence, type Occurrence } from '@siarin/contracts/schedules/recurrence'
import type { ScheduleRule, ScheduleWindow } from '@siarin/contracts/schedules/schedule-rule'
import { lateWords, lengthWords } from '@siarin/contracts/schedules/schedule-texts'
import type { ScheduledOccurrence } from '@siarin/contracts/schedules/schedules'
import { dayNumber, wallTimeAt, weekdayOf } from '@siarin/contracts/schedules/wall-time'
import type { BadgeTone } from '../../components/badge.tsx'
import { formatCalendarDay } from '../../lib/format.ts'
import { zoneWords } from './zones.ts'

export const DAY_NAMES = ['Senin', 'Selasa', 'Rabu', 'Kamis', 'Jumat', 'Sabtu', 'Minggu'] as const
const dayName = (weekday: number): string => DAY_NAMES[weekday - 1] ?? ''
export const shortDayName = (weekday: number): string => dayName(weekday).slice(0, 3)

/** 'a', 'a dan b', 'a, b, dan c' */
function listWords(parts: readonly string[]): string {
  if (parts.length < 3) return parts.join(' dan ')
  return `${parts.slice(0, -1).join(', ')}, dan ${parts.at(-1)}`
}

/** '19.30' for '19:30' */
const clockWords = (clock: string): string => clock.replace(':', '.')

const timeWords = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}.${String(minutes % 60).padStart(2, '0')}`

/** The zone stands right behind the hour that it belongs to. */
function windowWords({ start, end, minutes }: ScheduleWindow, zone: string): string {
  const from = clockWords(start)
  if (minutes !== undefined) return `${from} ${zone} selama ${lengthWords(minutes)}`
  if (end === undefined) return `${from} ${zone} tanpa akhir`
  return `${from} sampai ${clockWords(end)} ${zone}${minutesOf(end) <= minutesOf(start) ? ' keesokan harinya' : ''}`
}

/** 'Sen 16 Nov 2026' */
export const dateWords = (date: string): string =>
  `${shortDayName(weekdayOf(dayNumber(date)))} ${formatCalendarDay(date)}`

function repeatWords({ repeat }: ScheduleRule): string {
  if (repeat.kind === 'once') return `sekali, ${dateWords(repeat.date)},`
  const days = repeat.kind === 'daily' ? [] : [...new Set(repeat.days)].sort()
  if (days.length === 0 || days.length === 7) return 'setiap hari'
  const [first = 1] = days
  const isRun = days.length > 2 && days.every((day, at) => day === first + at)
  return isRun
    ? `setiap ${dayName(first)} sampai ${dayName(days.at(-1) ?? first)}`
    : `setiap ${listWords(days.map(dayName))}`
}

const rangeWords = ({ firstDay, lastDay }: ScheduleRule): string =>
  [firstDay && `, mulai ${dateWords(firstDay)}`, lastDay && `, terakhir ${dateWords(lastDay)}`].filter(Boolean).join('')

/** 'setiap hari pukul 19.00 sampai 21.00 WIB, terakhir Sen 30 Nov 2026' */
export const ruleWords = (rule: ScheduleRule): string =>
  `${repeatWords(rule)} pukul ${listWords(rule.windows.map((each) => windowWords(each, zoneWords(rule.zone))))}${rangeWords(rule)}`

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function endingWords({ windows }: ScheduleRule, endAtPass: boolean): string {
  const ends = windows.some(({ end, minutes }) => end !== undefined || minutes !== undefined)
  if (!ends) return 'Siarannya berjalan sampai Anda menghentikannya.'
  return endAtPass
    ? 'Saat waktunya habis, putaran video yang sedang tayang diselesaikan dulu.'
    : 'Siarannya berakhir tepat pada waktunya, walau videonya belum selesai.'
}

/** What will happen, in a sentence or two. */
export const planWords = (rule: ScheduleRule, endAtPass: boolean): string =>
  `Tayang ${ruleWords(rule)}. ${endingWords(rule, endAtPass)}`

/** The next times that it happens; fewer where it ends before. */
export function nextTimes(rule: ScheduleRule, nowMs: number, most = 3): Occurrence[] {
  const found: Occurrence[] = []
  let from = nowMs
  while (found.length < most) {
    const next = nextOccurrence(rule, from)
    if (!next) break
    found.push(next)
    from = next.dueAt + 1
  }
  return found
}

/** 'Sen 16 Nov 2026 19.00', by the clock on the wall of a zone. */
export function momentWords(zone: string, atMs: number): string {
  const { date, minutes } = wallTimeAt(zone, atMs)
  return `${dateWords(date)} ${timeWords(minutes)}`
}

/** '19.00–21.00', '22.00–02.00 (+1)', 'mulai 19.00' */
export function spanWords(zone: string, dueAt: number, endsAt: number | null): string {
  const start = wallTimeAt(zone, dueAt)
  if (endsAt === null) return `mulai ${timeWords(start.minutes)}`
  const end = wallTimeAt(zone, endsAt)
  const days = dayNumber(end.date) - dayNumber(start.date)
  return `${timeWords(start.minutes)}–${timeWords(end.minutes)}${days > 0 ? ` (+${days} hari)` : ''}`
}

interface StateWords {
  readonly label: string
  readonly tone: BadgeTone
  /** Why, and what to do; null: nothing has to be said. */
  readonly why: string | null
}

const plain = (label: string): StateWords => ({ label, tone: 'neutral', why: null })

/** What has become of an occurrence. Red is on air and nothing else, and only the list of broadcasts knows that. */
export function stateWords(occurrence: ScheduledOccurrence): StateWords {
  const { state, reason, reasonCode, warning, lateMinutes } = occurrence
  const late = lateMinutes === null ? null : `${lateWords(lateMinutes)}.`
  switch (state) {
    case 'due':
      if (reason) return { label: 'Dicoba lagi', tone: 'warn', why: reason }
      return warning ? { label: 'Perlu diperiksa', tone: 'warn', why: warning } : plain('Menunggu')
    case 'starting':
      return { label: 'Sedang dimulai', tone: 'accent', why: null }
    case 'started':
      return reason
        ? { label: 'Bermasalah', tone: 'warn', why: reason }
        : { label: 'Sudah dimulai', tone: 'accent', why: late }
    case 'ended':
      return { ...plain('Selesai'), why: late }
    case 'missed':
      return { label: 'Terlewat', tone: 'warn', why: reason }
    case 'failed':
      return { label: 'Gagal', tone: 'warn', why: reason }
    case 'skipped':
      return {
        ...plain(reasonCode === 'paused' ? 'Dijeda' : 'Dilewati'),
        why: reasonCode === 'skipped' ? null : reason,
      }
  }
}
