import type { AnalyticsDay, AnalyticsSummary } from '@siarin/contracts/analytics'
import { PLATFORMS, type Platform } from '@siarin/contracts/platforms'
import { type Day, dayAt } from './days.ts'
import type { ToldSpan, ToldStream } from './lives.reads.ts'

interface Share {
  onAirMs: number
  wantedMs: number
  incidents: number
}

type Shares = Pick<AnalyticsDay, 'onAirSeconds' | 'wantedSeconds' | 'onAirPercent' | 'incidents'>
type Totals = Pick<AnalyticsSummary, 'days' | 'platforms'> & {
  totals: Shares & { offAirSeconds: number; streams: number; broadcasts: number }
  longest: { streamNo: number; beganAt: number; endedAt: number | null; seconds: number } | null
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

/** Hours on air, per cent and incidents, by day and platform. Days follow each other without a gap; what lies outside does not count. */
export function summarize(
  days: readonly Day[],
  streams: readonly ToldStream[],
  spans: readonly ToldSpan[],
  now: number,
): Totals {
  const table = days.map(() => new Map<Platform, Share>())
  const cell = (day: number, platform: Platform): Share => {
    const row = table[day] ?? new Map<Platform, Share>()
    const share = row.get(platform) ?? noShare()
    row.set(platform, share)
    return share
  }
  const byNo = new Map(streams.map((stream) => [stream.no, stream]))
  for (const { knownFrom, endedAt, platform } of streams) {
    cut(days, knownFrom, endedAt ?? now, (day, ms) => {
      cell(day, platform).wantedMs += ms
    })
  }
  let offAirMs = 0
  let longest: Totals['longest'] = null
  for (const { streamNo, isRun, beganAt, endedAt } of spans) {
    const platform = byNo.get(streamNo)?.platform
    if (!platform) continue
    let lastedMs = 0
    cut(days, beganAt, endedAt ?? now, (day, ms) => {
      lastedMs += ms
      if (isRun) cell(day, platform).onAirMs += ms
    })
    if (isRun && lastedMs > (longest?.seconds ?? 0) * 1000) {
      longest = { streamNo, beganAt, endedAt, seconds: seconds(lastedMs) }
    }
    if (isRun) continue
    offAirMs += lastedMs
    const day = dayAt(days, beganAt)
    if (day >= 0 && day < days.length) cell(day, platform).incidents++
  }
  const ofPlatform = (platform: Platform, rows: readonly Map<Platform, Share>[]) =>
    sum(rows.flatMap((row) => row.get(platform) ?? []))
  const isUsed = (platform: Platform, rows: readonly Map<Platform, Share>[]) => rows.some((row) => row.has(platform))
  const platformsIn = (rows: readonly Map<Platform, Share>[]) =>
    PLATFORMS.filter((platform) => isUsed(platform, rows)).map((platform) => ({
      platform,
      ...shown(ofPlatform(platform, rows)),
    }))
  return {
    days: days.map(({ date }, index) => {
      const row = table[index] ?? new Map<Platform, Share>()
      return { date, ...shown(sum(row.values())), platforms: platformsIn([row]) }
    }),
    platforms: platformsIn(table),
    totals: {
      ...shown(sum(table.flatMap((row) => [...row.values()]))),
      offAirSeconds: seconds(offAirMs),
      streams: streams.length,
      broadcasts: new Set(streams.map(({ broadcastId }) => broadcastId)).size,
    },
    longest,
  }
}

/** The shares of one stream, or of several together, over their whole lives. */
export function sharesOf(streams: readonly ToldStream[], spans: readonly ToldSpan[], now: number): Shares {
  const share = noShare()
  for (const { knownFrom, endedAt } of streams) share.wantedMs += Math.max(0, (endedAt ?? now) - knownFrom)
  for (const { isRun, beganAt, endedAt } of spans) {
    if (isRun) share.onAirMs += Math.max(0, (endedAt ?? now) - beganAt)
    else share.incidents++
  }
  return shown(share)
}
