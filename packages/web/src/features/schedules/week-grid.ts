import type { ScheduledOccurrence } from '@siarin/contracts/schedules/schedules'
import { dateOfDay, dayNumber, instantOf, wallTimeAt } from '@siarin/contracts/schedules/wall-time'

export const DAY_MINUTES = 1440
/** A block has to be pressed and read: shorter ones are drawn this long. */
const SHORTEST_MINUTES = 60
/** More beside each other could not be read. */
export const LANES_MAX = 3

export interface Block {
  readonly key: string
  readonly occurrence: ScheduledOccurrence
  /** Minutes since the day's midnight, by the clock on the wall. */
  readonly from: number
  readonly to: number
  /** It began on an earlier day, or goes on on the next one. */
  readonly fromBefore: boolean
  readonly goesOn: boolean
  /** Which of the columns beside each other, and how many there are. */
  readonly lane: number
  readonly lanes: number
}

export interface GridDay {
  readonly date: string
  readonly blocks: readonly Block[]
  /** How many more there are than fit beside each other. */
  readonly hidden: number
}

export const keyOf = ({ scheduleId, dueAt }: ScheduledOccurrence): string => `${scheduleId} ${dueAt}`

export const daysFrom = (date: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => dateOfDay(dayNumber(date) + at))

/** The instant at which a day begins in a zone. */
export const startOfDay = (zone: string, date: string): number => instantOf(zone, { date, minutes: 0 })

type Piece = Omit<Block, 'lane' | 'lanes'>

/** The part of an occurrence that lies on a day; null: none does. */
function pieceOn(occurrence: ScheduledOccurrence, date: string, zone: string): Piece | null {
  const start = wallTimeAt(zone, Date.parse(occurrence.dueAt))
  const end = occurrence.endsAt === null ? null : wallTimeAt(zone, Date.parse(occurrence.endsAt))
  // One without an end is drawn on its first day: nobody knows how long it will last.
  const lastDate = end?.date ?? start.date
  // What ends at midnight has nothing of the day that begins.
  const isOver = date > lastDate || (date === lastDate && date !== start.date && end?.minutes === 0)
  if (date < start.date || isOver) return null
  const fromBefore = start.date < date
  const goesOn = date < lastDate && !(end?.minutes === 0 && dayNumber(lastDate) - dayNumber(date) === 1)
  const from = Math.min(fromBefore ? 0 : start.minutes, DAY_MINUTES - SHORTEST_MINUTES)
  const until = date < lastDate ? DAY_MINUTES : (end?.minutes ?? from)
  return { key: keyOf(occurrence), occurrence, from, to: Math.max(until, from + SHORTEST_MINUTES), fromBefore, goesOn }
}

/** Puts a run of blocks that touch each other into columns, each into the first that is free. */
function laneOut(run: readonly Piece[]): Block[] {
  const freeAt: number[] = []
  const placed = run.map((piece) => {
    const free = freeAt.findIndex((at) => at <= piece.from)
    const lane = free < 0 ? freeAt.length : free
    freeAt[lane] = piece.to
    return { ...piece, lane }
  })
  const lanes = Math.min(freeAt.length, LANES_MAX)
  return placed.map((block) => ({ ...block, lanes }))
}

function gridDay(occurrences: readonly ScheduledOccurrence[], date: string, zone: string): GridDay {
  const pieces = occurrences
    .flatMap((occurrence) => pieceOn(occurrence, date, zone) ?? [])
    .sort((one, other) => one.from - other.from || other.to - one.to)
  const runs: Piece[][] = []
  let until = -1
  for (const piece of pieces) {
    if (piece.from >= until) runs.push([])
    runs.at(-1)?.push(piece)
    until = Math.max(until, piece.to)
  }
  const all = runs.flatMap(laneOut)
  const blocks = all.filter(({ lane }) => lane < LANES_MAX)
  return { date, blocks, hidden: all.length - blocks.length }
}

/** What happens on these days, by the clock on one wall. */
export const weekGrid = (
  occurrences: readonly ScheduledOccurrence[],
  dates: readonly string[],
  zone: string,
): GridDay[] => dates.map((date) => gridDay(occurrences, date, zone))
