import type { Platform } from '@siarin/contracts/platforms'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Day, dayAt, daysBetween, monthBefore, monthDates } from './days.ts'
import { reasonsOf } from './reasons.ts'
import { createTally, percentOf } from './summarize.ts'
import type { ToldSpan, ToldStream } from './told-lives.ts'

const HOUR = 3_600_000
const iso = (text: string) => Date.parse(text)

describe('[STAT-02] days on the wall', () => {
  it.each([
    ['Asia/Jakarta', '2026-11-16', '2026-11-15T17:00:00Z', 24],
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00Z', 23],
    ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00Z', 25],
    // The clock leaps at midnight there: the day begins at one.
    ['Asia/Beirut', '2026-03-29', '2026-03-28T22:00:00Z', 23],
  ])('in %s: %s begins at %s and has %s hours', (zone, date, from, hours) => {
    const [day] = daysBetween(zone, date, date)
    expect(new Date(day?.fromMs ?? 0).toISOString()).toBe(new Date(from).toISOString())
    expect(((day?.toMs ?? 0) - (day?.fromMs ?? 0)) / HOUR).toBe(hours)
  })
  it('follow each other without a gap, in any zone; a moment lies in exactly one', () => {
    const zone = fc.constantFrom('Asia/Jakarta', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Beirut', 'UTC')
    fc.assert(
      fc.property(zone, fc.double({ min: 0, max: 1, noNaN: true }), (name, part) => {
        const days = daysBetween(name, '2026-03-01', '2026-11-30')
        const [first, last] = [days[0]?.fromMs ?? 0, days.at(-1)?.toMs ?? 0]
        for (const [index, day] of days.entries()) if (index > 0) expect(day.fromMs).toBe(days[index - 1]?.toMs)
        const at = Math.floor(first + part * (last - first - 1))
        const day = days[dayAt(days, at)]
        expect(at >= (day?.fromMs ?? Infinity) && at < (day?.toMs ?? 0)).toBe(true)
        expect([dayAt(days, first - 1), dayAt(days, last)]).toEqual([-1, days.length])
      }),
      { numRuns: 40 },
    )
  })
  it('a month has its dates', () => {
    expect([monthDates('2026-02'), monthDates('2028-02'), monthBefore('2026-01')]).toEqual([
      { from: '2026-02-01', to: '2026-02-28' },
      { from: '2028-02-01', to: '2028-02-29' },
      '2025-12',
    ])
  })
})

const stream = (no: number, platform: Platform, knownFrom: number, endedAt: number | null): ToldStream => ({
  ...{ no, platform, knownFrom, endedAt, streamId: `s${no}`, broadcastId: 'b', title: 't', targetName: null },
  ...{ askedAt: knownFrom, firstLiveAt: knownFrom, endReason: null, endCause: null, schedule: null },
  ...{ onAirMs: 0, incidents: 0, longestRunMs: 0 },
})
const span = (streamNo: number, isRun: boolean, beganAt: number, endedAt: number | null): ToldSpan => ({
  ...{ id: beganAt, streamNo, isRun, beganAt, endedAt, reason: null, planned: false, outcome: null },
  ...{ counted: 0, times: 1, offAirMs: null },
})

function summarize(days: readonly Day[], streams: readonly ToldStream[], spans: readonly ToldSpan[], now: number) {
  const tally = createTally(days, now)
  for (const one of streams) tally.addStream(one)
  for (const one of spans) tally.addSpan(one, streams.find(({ no }) => no === one.streamNo)?.platform ?? 'lain')
  return tally.result()
}

describe('[STAT-02] a summary', () => {
  const days = daysBetween('Asia/Jakarta', '2026-11-15', '2026-11-17')
  const noon = iso('2026-11-15T05:00:00Z')

  it('cuts runs at midnight of the zone, counts planned interruptions too, and only what has passed', () => {
    const streams = [stream(1, 'youtube', noon, null), stream(2, 'tiktok', noon + 20 * HOUR, noon + 22 * HOUR)]
    const spans = [
      ...[span(1, true, noon, noon + 18 * HOUR), span(1, false, noon + 18 * HOUR, noon + 19 * HOUR)],
      ...[span(1, true, noon + 19 * HOUR, null), span(2, true, noon + 20 * HOUR, noon + 22 * HOUR)],
    ]
    const { totals, platforms, longest, ...rest } = summarize(days, streams, spans, noon + 24 * HOUR)
    expect(rest.days.map(({ date, onAirSeconds, incidents }) => [date, onAirSeconds / 3600, incidents])).toEqual([
      ...[
        ['2026-11-15', 12, 0],
        ['2026-11-16', 13, 1],
        ['2026-11-17', 0, 0],
      ],
    ])
    expect(rest.days[1]?.platforms.map(({ platform, onAirSeconds }) => [platform, onAirSeconds / 3600])).toEqual([
      ...[
        ['tiktok', 2],
        ['youtube', 11],
      ],
    ])
    expect(platforms.find(({ platform }) => platform === 'youtube')).toMatchObject({ onAirPercent: 95.83 })
    expect(totals).toMatchObject({ onAirSeconds: 25 * 3600, wantedSeconds: 26 * 3600, onAirPercent: 96.15 })
    expect(totals).toMatchObject({ offAirSeconds: 3600, broadcasts: 1, streams: 2, incidents: 1 })
    expect(longest).toMatchObject({ streamNo: 1, beganAt: noon, seconds: 18 * 3600 })
  })
  it('is not a hundred per cent where anything was missed, and nothing where nothing was wanted', () => {
    expect([percentOf(999_999, 1_000_000), percentOf(1, 1), percentOf(2, 1), percentOf(0, 0), percentOf(0, 5)]).toEqual(
      [99.99, 100, 100, null, 0],
    )
  })
  it('adds up: the days together are the whole, however a life lies over them', () => {
    const moment = fc.integer({ min: noon - 40 * HOUR, max: noon + 80 * HOUR })
    const life = fc.array(moment, { minLength: 2, maxLength: 9 }).map((list) => list.sort((a, b) => a - b))
    fc.assert(
      fc.property(fc.array(life, { maxLength: 4 }), moment, (lives, now) => {
        const streams = lives.map((edges, no) =>
          stream(no, no % 2 ? 'youtube' : 'lain', edges[0] ?? 0, edges.at(-1) ?? 0),
        )
        const spans = lives.flatMap((edges, no) =>
          edges.slice(1).map((to, index) => span(no, index % 2 === 0, edges[index] ?? 0, to)),
        )
        const { totals, ...rest } = summarize(days, streams, spans, now)
        const runs = spans.filter(({ isRun }) => isRun)
        const [from, to] = [days[0]?.fromMs ?? 0, days.at(-1)?.toMs ?? 0]
        const direct = runs.reduce(
          (sum, run) => sum + Math.max(0, Math.min(run.endedAt ?? now, to) - Math.max(run.beganAt, from)),
          0,
        )
        expect(Math.abs(totals.onAirSeconds * 1000 - direct)).toBeLessThanOrEqual(500)
        const byDay = rest.days.reduce((sum, day) => sum + day.onAirSeconds, 0)
        expect(Math.abs(byDay - totals.onAirSeconds)).toBeLessThanOrEqual(days.length)
        expect(totals.onAirPercent ?? 0).toBeLessThanOrEqual(100)
        expect(totals.onAirSeconds).toBeLessThanOrEqual(totals.wantedSeconds + 1)
      }),
    )
  })
})

describe('[STAT-04] the reasons of incidents', () => {
  const days = daysBetween('Asia/Jakarta', '2026-11-15', '2026-11-17')
  const [fromMs, toMs] = [days[0]?.fromMs ?? 0, days.at(-1)?.toMs ?? 0]
  const incident = (beganAt: number, ms: number, reason: string | null): ToldSpan => ({
    ...span(1, false, beganAt, beganAt + ms),
    reason,
  })

  it('come to what the summary says in all, to the second, and count what began in this time', () => {
    const lengths = fc.array(fc.tuple(fc.nat(5_000), fc.constantFrom('killed', 'target-closed', null)), {
      maxLength: 30,
    })
    fc.assert(
      fc.property(lengths, (all) => {
        // The first began before the time, and the last lasts on after it.
        const step = (toMs - fromMs) / Math.max(1, all.length - 1)
        const spans = all.map(([ms, reason], index) => incident(Math.round(fromMs - 2_000 + index * step), ms, reason))
        const { totals, reasons: shares } = summarize(days, [stream(1, 'youtube', fromMs, toMs)], spans, toMs)
        const reasons = reasonsOf(shares)
        expect(reasons.reduce((sum, { seconds }) => sum + seconds, 0)).toBe(totals.offAirSeconds)
        expect(reasons.reduce((sum, { count }) => sum + count, 0)).toBe(totals.incidents)
      }),
    )
  })

  it('are told with the most frequent first', () => {
    const spans = [
      incident(fromMs, 600, 'killed'),
      incident(fromMs + HOUR, 600, null),
      incident(fromMs + 9, 1, 'killed'),
    ]
    expect(reasonsOf(summarize(days, [stream(1, 'youtube', fromMs, toMs)], spans, toMs).reasons)).toMatchObject([
      { reasonCode: 'killed', count: 2, seconds: 1 },
      { reasonCode: 'unknown', count: 1, seconds: 0 },
    ])
  })
})
