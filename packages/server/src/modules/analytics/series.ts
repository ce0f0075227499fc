import type { Series } from '@siarin/contracts/analytics'
import type { Clock } from '../../platform/clock.ts'
import type { NextStep, SmallSteps } from '../../platform/small-steps.ts'
import { MINUTES_KEPT_MS, SAMPLES_KEPT_MS } from './roll-up.ts'
import {
  groupBy,
  HOUR_MS,
  LIVE_STATE,
  MINUTE_MS,
  MINUTES_PER_HOUR,
  type Rollup,
  rollUpMinutes,
  rollUpSamples,
  type Sample,
  SLOT_MS,
  SLOTS_PER_MINUTE,
  slotOf,
} from './sample-rules.ts'
import type { SamplesRepo } from './samples.repo.ts'

/** What a chart can show. */
const SLOTS_UP_TO_MS = 2 * HOUR_MS
const MINUTES_UP_TO_MS = 48 * HOUR_MS
/** Rollups are made within a minute or two of their time. Where they are further behind, the newest points come later. */
const TAIL_SLOTS = 15 * SLOTS_PER_MINUTE
const TAIL_MINUTES = 3 * MINUTES_PER_HOUR

/** More than the charts of one page can show. More streams in one answer have fewer points each. */
const MOST_POINTS = 5_000

/** The finest that is still kept from there on, and that a chart can show. `streams`: in one answer. */
function resolutionOf(fromMs: number, toMs: number, now: number, streams: number): 5 | 60 | 3600 {
  const lengthMs = toMs - fromMs
  const isFew = (lengthMs / SLOT_MS) * streams <= MOST_POINTS
  if (isFew && lengthMs <= SLOTS_UP_TO_MS && fromMs >= now - SAMPLES_KEPT_MS) return 5
  return lengthMs <= MINUTES_UP_TO_MS && fromMs >= now - MINUTES_KEPT_MS ? 60 : 3600
}

const tenths = (value: number | null): number | null => (value === null ? null : value / 10)
const thousandths = (value: number | null): number | null => (value === null ? null : value / 1000)

export const sampleSeries = (samples: readonly Sample[]): Series => ({
  resolutionSeconds: 5,
  at: samples.map(({ at }) => (at * SLOT_MS) / 1000),
  bitrateKbps: samples.map(({ kbps }) => kbps),
  bitrateMinKbps: samples.map(({ kbps }) => kbps),
  bitrateMaxKbps: samples.map(({ kbps }) => kbps),
  fps: samples.map(({ fps }) => tenths(fps)),
  speed: samples.map(({ speed }) => thousandths(speed)),
  unsentKb: samples.map(({ unsentKb }) => unsentKb),
  onAirPercent: samples.map(({ state }) => (state === LIVE_STATE ? 100 : 0)),
})

const rollupSeries = (resolutionSeconds: number, rows: readonly Rollup[]): Series => ({
  resolutionSeconds,
  at: rows.map(({ at }) => at * resolutionSeconds),
  bitrateKbps: rows.map(({ kbps }) => kbps),
  bitrateMinKbps: rows.map(({ kbpsMin }) => kbpsMin),
  bitrateMaxKbps: rows.map(({ kbpsMax }) => kbpsMax),
  fps: rows.map(({ fps }) => tenths(fps)),
  speed: rows.map(({ speed }) => thousandths(speed)),
  unsentKb: rows.map(({ unsentKb }) => unsentKb),
  onAirPercent: rows.map(({ live, samples }) => (samples === 0 ? 0 : Math.round((live / samples) * 100))),
})

interface SeriesDeps {
  readonly samples: SamplesRepo
  readonly clock: Clock
  readonly steps: SmallSteps
}

/** Each stream's own, in order of time. */
type ByStream<Row> = ReadonlyMap<number, readonly Row[]>

export function createSeries({ samples, clock, steps }: SeriesDeps) {
  /** With those of the last moments, which nobody has rolled up yet. */
  async function minutes(
    streamNos: readonly number[],
    from: number,
    to: number,
    step: NextStep,
  ): Promise<ByStream<Rollup>> {
    const place = await samples.placeOf('minutes')
    const rolled = byStream(await samples.minutes(streamNos, from, Math.min(to, place), { step }))
    const tailFrom = Math.max(from, place, to - TAIL_SLOTS / SLOTS_PER_MINUTE)
    if (tailFrom >= to) return rolled
    const [tail, end] = [tailFrom * SLOTS_PER_MINUTE, to * SLOTS_PER_MINUTE]
    const rest = byStream(await samples.samples(streamNos, tail, end, { step }))
    return joined(streamNos, rolled, (no) =>
      [...groupBy(rest.get(no) ?? [], SLOTS_PER_MINUTE)].map(([at, group]) => rollUpSamples(at, group)),
    )
  }

  async function hours(
    streamNos: readonly number[],
    from: number,
    to: number,
    step: NextStep,
  ): Promise<ByStream<Rollup>> {
    const place = await samples.placeOf('hours')
    const rolled = byStream(await samples.hours(streamNos, from, Math.min(to, place), { step }))
    const tailFrom = Math.max(from * MINUTES_PER_HOUR, place * MINUTES_PER_HOUR, to * MINUTES_PER_HOUR - TAIL_MINUTES)
    const tailTo = Math.min(to * MINUTES_PER_HOUR, minuteAfter(clock.now()))
    if (tailFrom >= tailTo) return rolled
    const rest = await minutes(streamNos, tailFrom, tailTo, step)
    return joined(streamNos, rolled, (no) =>
      [...groupBy(rest.get(no) ?? [], MINUTES_PER_HOUR)].map(([at, group]) => rollUpMinutes(at, group)),
    )
  }

  const LEVELS = {
    60: { name: 'minutes', newest: minutes },
    3600: { name: 'hours', newest: hours },
  } as const

  /** From the moment on that holds the first, up to the one that holds the last. Returns how to get that of each stream. */
  return async (
    workspaceId: string,
    streamNos: readonly number[],
    { fromMs, toMs }: { fromMs: number; toMs: number },
  ): Promise<(streamNo: number) => Series> => {
    const step = steps.of(workspaceId)
    const resolution = resolutionOf(fromMs, toMs, clock.now(), streamNos.length)
    const stepMs = resolution * 1000
    const [from, to] = [Math.floor(fromMs / stepMs), Math.ceil(toMs / stepMs)]
    if (resolution === 5) {
      const found = byStream(await samples.samples(streamNos, from, to, { step }))
      return (streamNo) => sampleSeries(found.get(streamNo) ?? [])
    }
    const { name, newest } = LEVELS[resolution]
    const together = Math.max(1, Math.ceil(((to - from) * streamNos.length) / MOST_POINTS))
    // The database makes points of all but the newest ones, for which there may be nothing but samples.
    const rolledTo = Math.min(to, await samples.placeOf(name))
    const cutAt = Math.max(from, Math.floor(rolledTo / together) * together)
    const older = byStream(await samples[name](streamNos, from, cutAt, { step, together }))
    const newer = await newest(streamNos, cutAt, to, step)
    const rows = joined(streamNos, older, (no) => joinedBy(together, newer.get(no) ?? []))
    return (streamNo) => rollupSeries(resolution * together, rows.get(streamNo) ?? [])
  }
}

/** So many points as one. */
const joinedBy = (together: number, rows: readonly Rollup[]): readonly Rollup[] =>
  together <= 1 ? rows : [...groupBy(rows, together)].map(([at, group]) => rollUpMinutes(at, group))

const byStream = <Row extends { readonly streamNo: number }>(rows: readonly Row[]): ByStream<Row> =>
  Map.groupBy(rows, ({ streamNo }) => streamNo)

const joined = (
  streamNos: readonly number[],
  rolled: ByStream<Rollup>,
  restOf: (streamNo: number) => readonly Rollup[],
): ByStream<Rollup> => new Map(streamNos.map((no) => [no, [...(rolled.get(no) ?? []), ...restOf(no)]]))

const minuteAfter = (atMs: number): number => Math.floor(atMs / MINUTE_MS) + 1

/** The last so many slots up to now. */
export const lastSlots = (now: number, count: number): { from: number; to: number } => ({
  from: slotOf(now) - count + 1,
  to: slotOf(now) + 1,
})
