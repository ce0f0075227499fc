import type { AnalyticsDay, AnalyticsSummary } from '@siarin/contracts/analytics'
import { PLATFORMS, type Platform } from '@siarin/contracts/platforms'
import { type Day, dayAt } from './days.ts'
import { RUNS, reasonOf } from './span-sums.ts'
import type { DaySum, SummedRun } from './sums.repo.ts'
import type { ListedStream, ToldSpan, ToldStream } from './told-lives.ts'

interface Share {
  onAirMs: number
  wantedMs: number
  incidents: number
}

type Shares = Pick<AnalyticsDay, 'onAirSeconds' | 'wantedSeconds' | 'onAirPercent' | 'incidents'>
export interface ReasonShare {
  count: number
  lastedMs: number
}
export interface Longest {
  readonly streamNo: number
  readonly beganAt: number
  readonly endedAt: number | null
  readonly seconds: number
}
type Totals = Pick<AnalyticsSummary, 'days' | 'platforms'> & {
  totals: Shares & { offAirSeconds: number; streams: number; broadcasts: number }
  longest: Longest | null
  reasons: ReadonlyMap<string, ReasonShare>
}

const noShare = (): Share => ({ onAirMs: 0, wantedMs: 0, incidents: 0 })
const seconds = (ms: number): number => Math.round(ms / 1000)

/** Down, so that nothing but no interruption at all is a hundred. Runs cannot be longer than what was wanted but by the clock. */
export function percentOf(onAirMs: number, wantedMs: number): number | null {
  if (wantedMs <= 0) return null
  return Math.floor(Math.min(1, Math.max(0, onAirMs / wantedMs)) * 10_000) / 100
}

const shown = ({ onAirMs, wantedMs, incidents }: Share): Shares => ({
  onAirSeconds: seconds(onAirMs),
  wantedSeconds: seconds(wantedMs),
  onAirPercent: percentOf(onAirMs, wantedMs),
  incidents,
})

const sum = (shares: Iterable<Share>): Share => {
  const all = noShare()
  for (const { onAirMs, wantedMs, incidents } of shares) {
    all.onAirMs += onAirMs
    all.wantedMs += wantedMs
    all.incidents += incidents
  }
  return all
}

/** Calls back with each day that a stretch touches, and for how long. */
function cut(days: readonly Day[], fromMs: number, toMs: number, each: (day: number, ms: number) => void): void {
  for (let index = Math.max(0, dayAt(days, fromMs)); index < days.length; index++) {
    const day = days[index]
    if (!day || day.fromMs >= toMs) return
    const ms = Math.min(toMs, day.toMs) - Math.max(fromMs, day.fromMs)
    if (ms > 0) each(index, ms)
  }
}

/**
 * Hours on air, per cent and incidents, by day and platform, as they come in. Days follow each other without a gap; what lies outside does
 * not count.
 */
export function createTally(days: readonly Day[], now: number) {
  const table = days.map(() => new Map<Platform, Share>())
  const reasons = new Map<string, ReasonShare>()
  const broadcasts = new Set<string>()
  let [streams, offAirMs] = [0, 0]
  let longest: Longest | null = null

  function cell(day: number, platform: Platform): Share {
    const row = table[day] ?? new Map<Platform, Share>()
    const share = row.get(platform) ?? noShare()
    row.set(platform, share)
    return share
  }

  function addOffAir(reason: string, count: number, lastedMs: number): void {
    const share = reasons.get(reason) ?? { count: 0, lastedMs: 0 }
    reasons.set(reason, { count: share.count + count, lastedMs: share.lastedMs + lastedMs })
    offAirMs += lastedMs
  }

  function offer(run: Pick<Longest, 'streamNo' | 'beganAt' | 'endedAt'>, lastedMs: number): void {
    if (lastedMs > (longest?.seconds ?? 0) * 1000) longest = { ...run, seconds: seconds(lastedMs) }
  }

  return {
    addStream({ knownFrom, endedAt, platform, broadcastId }: ListedStream): void {
      streams++
      broadcasts.add(broadcastId)
      cut(days, knownFrom, endedAt ?? now, (day, ms) => {
        cell(day, platform).wantedMs += ms
      })
    },
    /** One that is in no sum. */
    addSpan({ streamNo, isRun, beganAt, endedAt, reason }: ToldSpan, platform: Platform): void {
      let lastedMs = 0
      cut(days, beganAt, endedAt ?? now, (day, ms) => {
        lastedMs += ms
        if (isRun) cell(day, platform).onAirMs += ms
      })
      if (isRun) {
        offer({ streamNo, beganAt, endedAt }, lastedMs)
        return
      }
      const day = dayAt(days, beganAt)
      const beganHere = day >= 0 && day < days.length
      if (beganHere) cell(day, platform).incidents++
      if (beganHere || lastedMs > 0) addOffAir(reasonOf(reason), beganHere ? 1 : 0, lastedMs)
    },
    addSum({ day, platform, reason, onAirMs, ...sum }: DaySum): void {
      const share = cell(day, platform)
      share.onAirMs += Math.max(0, onAirMs)
      share.incidents += Math.max(0, sum.incidents)
      if (reason !== RUNS) addOffAir(reason, Math.max(0, sum.incidents), Math.max(0, sum.offAirMs))
    },
    addRun({ streamNo, beganAt, lastedMs }: SummedRun): void {
      const [fromMs, toMs] = [days[0]?.fromMs ?? 0, days.at(-1)?.toMs ?? 0]
      const endedAt = beganAt + lastedMs
      offer({ streamNo, beganAt, endedAt }, Math.min(endedAt, toMs) - Math.max(beganAt, fromMs))
    },
    result: (): Totals => ({
      days: days.map(({ date }, index) => {
        const row = table[index] ?? new Map<Platform, Share>()
        return { date, ...shown(sum(row.values())), platforms: platformsIn([row]) }
      }),
      platforms: platformsIn(table),
      totals: {
        ...shown(sum(table.flatMap((row) => [...row.values()]))),
        ...{ offAirSeconds: seconds(offAirMs), streams, broadcasts: broadcasts.size },
      },
      longest,
      reasons,
    }),
  }
}

function platformsIn(rows: readonly Map<Platform, Share>[]) {
  const isUsed = (platform: Platform) => rows.some((row) => row.has(platform))
  return PLATFORMS.filter(isUsed).map((platform) => ({
    platform,
    ...shown(sum(rows.flatMap((row) => row.get(platform) ?? []))),
  }))
}

/** The shares of streams together, over their whole lives (see wholeLives). */
export function createShares(now: number) {
  const share = noShare()
  return {
    add({ knownFrom, endedAt, onAirMs, incidents }: ToldStream): void {
      share.wantedMs += Math.max(0, (endedAt ?? now) - knownFrom)
      share.onAirMs += onAirMs
      share.incidents += incidents
    },
    result: (): Shares => shown(share),
  }
}

export function sharesOf(stream: ToldStream, now: number): Shares {
  const { add, result } = createShares(now)
  add(stream)
  return result()
}
