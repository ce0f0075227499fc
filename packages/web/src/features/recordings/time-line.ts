import type { RecordingDetails, RecordingPart } from '@siarin/contracts/recordings'

/** A part on the wall clock, in ms, and in the recording, in seconds. */
interface Stretch {
  readonly begin: number
  readonly end: number
  readonly from: number
  readonly seconds: number
  readonly msPerSecond: number
}

/** While it lasted nothing was sent; in the recording it takes no time. */
export interface Gap {
  readonly begin: number
  readonly end: number
  /** Where the recording goes on. */
  readonly seconds: number
  readonly why: string
}

export interface TimeLine {
  readonly begin: number
  readonly end: number
  readonly seconds: number
  readonly stretches: readonly Stretch[]
  readonly gaps: readonly Gap[]
}

const NO_REASON = 'Siaran tidak tayang.'

/** A clock that was set back would let two parts lie on each other: the later one begins where the earlier one ends. */
function stretchesOf(parts: readonly RecordingPart[]): Stretch[] {
  const stretches: Stretch[] = []
  for (const { at, until, from, seconds, folded } of parts) {
    const begin = Math.max(Date.parse(at), stretches.at(-1)?.end ?? 0)
    // Where short breaks are folded into it, a second of it takes longer on the wall clock.
    const end = Math.max(begin + seconds * 1000, folded > 0 ? Date.parse(until) : 0)
    const msPerSecond = folded > 0 && seconds > 0 ? (end - begin) / seconds : 1000
    stretches.push({ begin, end, from, seconds, msPerSecond })
  }
  return stretches
}

function gapsOf(stretches: readonly Stretch[], parts: readonly RecordingPart[]): Gap[] {
  return stretches.slice(1).map(({ begin, from }, index) => ({
    begin: stretches[index]?.end ?? begin,
    end: begin,
    seconds: from,
    why: parts[index + 1]?.interruption ?? NO_REASON,
  }))
}

export function timeLineOf({ parts, startedAt }: Pick<RecordingDetails, 'parts' | 'startedAt'>): TimeLine {
  const stretches = stretchesOf(parts)
  const [first, last] = [stretches[0], stretches.at(-1)]
  const begin = first?.begin ?? Date.parse(startedAt)
  return {
    begin,
    end: last?.end ?? begin,
    seconds: last ? last.from + last.seconds : 0,
    stretches,
    gaps: gapsOf(stretches, parts),
  }
}

const within = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most)

/**
 * When what stands at this second of the recording was sent. Where two parts meet that is two moments: the later one, or, for where a
 * choice ends, the earlier one.
 */
export function wallAt({ stretches, begin }: TimeLine, seconds: number, side: 'begin' | 'end' = 'begin'): number {
  const found =
    side === 'begin'
      ? (stretches.findLast(({ from }) => from <= seconds) ?? stretches[0])
      : (stretches.find(({ from, seconds: own }) => seconds <= from + own) ?? stretches.at(-1))
  return found ? found.begin + within(seconds - found.from, 0, found.seconds) * found.msPerSecond : begin
}

/** The second of the recording that was sent at this moment; of a gap, where the recording goes on. */
export function secondsAt({ stretches, seconds }: TimeLine, wall: number): number {
  const found = stretches.find(({ end }) => wall < end)
  return found ? found.from + within((wall - found.begin) / found.msPerSecond, 0, found.seconds) : seconds
}

/** Where a moment lies on the line, from 0 to 1. */
export const placeOf = ({ begin, end }: TimeLine, wall: number): number =>
  end > begin ? within((wall - begin) / (end - begin), 0, 1) : 0

export const wallAtPlace = ({ begin, end }: TimeLine, place: number): number =>
  begin + within(place, 0, 1) * (end - begin)
