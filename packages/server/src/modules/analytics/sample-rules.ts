import type { LiveHealth } from '@siarin/contracts/analytics'
import type { StreamPhase } from '@siarin/contracts/streams'

/** How a stream fares at a moment, from the program that keeps it. */
export interface StreamFigure {
  readonly streamId: string
  readonly phase: StreamPhase
  readonly bitrateKbps: number | null
  readonly fps: number | null
  readonly speed: number | null
  readonly unsentBytes: number
}

/** As it is kept: see StatSampleTable. */
export interface Sample {
  readonly at: number
  readonly state: number
  readonly kbps: number | null
  readonly fps: number | null
  readonly speed: number | null
  readonly unsentKb: number
}

/** Samples of a longer time together. */
export interface Rollup {
  readonly at: number
  readonly samples: number
  readonly live: number
  readonly measured: number
  readonly kbps: number | null
  readonly kbpsMin: number | null
  readonly kbpsMax: number | null
  readonly fps: number | null
  readonly speed: number | null
  readonly unsentKb: number
}

export const SLOT_MS = 5_000
export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const SLOTS_PER_MINUTE = MINUTE_MS / SLOT_MS
export const MINUTES_PER_HOUR = 60

/** Their places are what the rows say: only ever add at the end. */
export const SAMPLE_STATES: readonly StreamPhase[] = ['queued', 'starting', 'live', 'waiting', 'stopping', 'ended']
export const LIVE_STATE = SAMPLE_STATES.indexOf('live')

/** The columns hold no more than these, and PostgreSQL multiplies the first by as many samples as an hour has. */
const MOST_KBPS = 2_000_000
const MOST_KB = 2_000_000_000
const MOST_SMALL = 32_000

const within = (value: number, most: number): number => Math.min(most, Math.max(0, Math.round(value)))
const small = (value: number | null, times: number): number | null =>
  value === null ? null : within(value * times, MOST_SMALL)

export const slotOf = (atMs: number): number => Math.floor(atMs / SLOT_MS)

export const sampleOf = (figure: StreamFigure, at: number): Sample => ({
  at,
  state: Math.max(0, SAMPLE_STATES.indexOf(figure.phase)),
  kbps: figure.bitrateKbps === null ? null : within(figure.bitrateKbps, MOST_KBPS),
  fps: small(figure.fps, 10),
  speed: small(figure.speed, 1000),
  unsentKb: within(figure.unsentBytes / 1000, MOST_KB),
})

const isNumber = (value: number | null): value is number => value !== null

/** The average of those that have a value, each counted as often as its weight says. */
function average<T>(rows: readonly T[], figureOf: (row: T) => number | null, weightOf: (row: T) => number) {
  let [sum, weight] = [0, 0]
  for (const row of rows) {
    const value = figureOf(row)
    if (value === null) continue
    sum += value * weightOf(row)
    weight += weightOf(row)
  }
  return weight === 0 ? null : Math.round(sum / weight)
}

const extreme = (of: (...values: number[]) => number, values: readonly (number | null)[]): number | null => {
  const known = values.filter(isNumber)
  return known.length === 0 ? null : of(...known)
}

/** The samples of one minute together, as the database does it (see roll-up.repo): for those that it has not come to yet. */
export const rollUpSamples = (at: number, samples: readonly Sample[]): Rollup => ({
  at,
  samples: samples.length,
  live: samples.filter(({ state }) => state === LIVE_STATE).length,
  measured: samples.filter(({ kbps }) => kbps !== null).length,
  kbps: average(
    samples,
    ({ kbps }) => kbps,
    () => 1,
  ),
  kbpsMin: extreme(
    Math.min,
    samples.map(({ kbps }) => kbps),
  ),
  kbpsMax: extreme(
    Math.max,
    samples.map(({ kbps }) => kbps),
  ),
  fps: average(
    samples,
    ({ fps }) => fps,
    () => 1,
  ),
  speed: average(
    samples,
    ({ speed }) => speed,
    () => 1,
  ),
  unsentKb: Math.max(0, ...samples.map(({ unsentKb }) => unsentKb)),
})

/** The minutes of one hour together. */
export function rollUpMinutes(at: number, minutes: readonly Rollup[]): Rollup {
  const sum = (of: (minute: Rollup) => number): number => minutes.reduce((all, minute) => all + of(minute), 0)
  const weightOf = ({ measured }: Rollup): number => measured
  return {
    at,
    samples: sum(({ samples }) => samples),
    live: sum(({ live }) => live),
    measured: sum(weightOf),
    kbps: average(minutes, ({ kbps }) => kbps, weightOf),
    kbpsMin: extreme(
      Math.min,
      minutes.map(({ kbpsMin }) => kbpsMin),
    ),
    kbpsMax: extreme(
      Math.max,
      minutes.map(({ kbpsMax }) => kbpsMax),
    ),
    fps: average(minutes, ({ fps }) => fps, weightOf),
    speed: average(minutes, ({ speed }) => speed, weightOf),
    unsentKb: Math.max(0, ...minutes.map(({ unsentKb }) => unsentKb)),
  }
}

/** Groups what comes in order of time, by the number of the longer time that each belongs to. */
export function groupBy<T extends { at: number }>(rows: readonly T[], per: number): Map<number, T[]> {
  const groups = new Map<number, T[]>()
  for (const row of rows) {
    const group = Math.floor(row.at / per)
    const known = groups.get(group)
    if (known) known.push(row)
    else groups.set(group, [row])
  }
  return groups
}

/** How much the network has not taken yet, in seconds of the broadcast. */
const unsentSeconds = ({ unsentKb, kbps }: Sample): number => (kbps ? (unsentKb * 8) / kbps : 0)

/** By its newest sample. */
export function healthOf(sample: Sample | null): LiveHealth {
  if (!sample || sample.state !== LIVE_STATE) return 'off'
  const speed = (sample.speed ?? 1000) / 1000
  if (sample.kbps === 0 || speed < 0.9 || unsentSeconds(sample) > 5) return 'bad'
  return speed < 0.97 || unsentSeconds(sample) > 2 ? 'weak' : 'good'
}
