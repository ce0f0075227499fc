import type { Page, Route } from '@playwright/test'
import type {
  AnalyticsBroadcast,
  AnalyticsDay,
  AnalyticsSummary,
  BroadcastStory,
  Incident,
  LiveFigures,
  MonthlyReport,
  Series,
} from '@siarin/contracts/analytics'
import type { Platform } from '@siarin/contracts/platforms'
import { STREAM_REASON_TEXTS } from '@siarin/contracts/stream-reason-texts'

const HOUR = 3600
const DAY = 24 * HOUR
/** Weeks of figures cannot be waited for: what a busy month looks like, the same each time. */
const NOW = Math.floor(Date.now() / 60_000) * 60
const iso = (seconds: number): string => new Date(seconds * 1000).toISOString()
const wave = (at: number, period: number): number => Math.sin((at / period) * 2 * Math.PI)

const REASONS = ['target-closed', 'stalled', 'killed', 'session-renewed'] as const

const names = (index: number) => ({
  streamId: `stream-${index}`,
  broadcastId: `broadcast-${index}`,
  title: ['Kajian subuh', 'Hujan di hutan, suara alam untuk tidur nyenyak semalaman', 'Lofi belajar'][index % 3] ?? '',
  platform: (['youtube', 'facebook', 'tiktok', 'lain'] as const)[index % 4] as Platform,
  targetName: index % 2 === 0 ? 'Kanal utama' : null,
})

const incident = (index: number, startedAt: number): Incident => {
  const reasonCode = REASONS[index % REASONS.length] ?? 'killed'
  const seconds = [12, 95, 2, 1][index % 4] ?? 1
  return {
    ...names(index),
    incidentId: `incident-${index}`,
    kind: 'interrupted',
    startedAt: iso(startedAt),
    endedAt: iso(startedAt + seconds),
    seconds,
    reasonCode,
    reason: STREAM_REASON_TEXTS[reasonCode],
    planned: reasonCode === 'session-renewed',
    outcome: 'recovered',
  }
}

const shares = (onAirSeconds: number, wantedSeconds: number, incidents: number) => ({
  onAirSeconds,
  wantedSeconds,
  onAirPercent: wantedSeconds > 0 ? Math.round((onAirSeconds / wantedSeconds) * 10_000) / 100 : null,
  incidents,
})

const dateOf = (at: number): string => iso(at).slice(0, 10)

function dayOf(date: string, index: number): AnalyticsDay {
  const hours = { youtube: 23.6, facebook: 12 + (index % 5) * 2, tiktok: index % 3, lain: index % 7 === 0 ? 4 : 0 }
  const platforms = (Object.keys(hours) as Platform[])
    .filter((platform) => hours[platform] > 0)
    .map((platform) => ({
      platform,
      ...shares(Math.round(hours[platform] * HOUR), Math.ceil(hours[platform]) * HOUR, 1),
    }))
  const sum = (of: (each: (typeof platforms)[number]) => number) => platforms.reduce((all, each) => all + of(each), 0)
  return {
    date,
    platforms,
    ...shares(
      sum((each) => each.onAirSeconds),
      sum((each) => each.wantedSeconds),
      index % 3,
    ),
  }
}

function daysBetween(from: string, to: string): AnalyticsDay[] {
  const begin = Date.parse(from) / 1000
  const count = Math.round((Date.parse(to) / 1000 - begin) / DAY) + 1
  return Array.from({ length: count }, (_, index) => dayOf(dateOf(begin + index * DAY), index))
}

function summaryOf(from: string, to: string): AnalyticsSummary {
  const days = daysBetween(from, to)
  const sum = (of: (day: AnalyticsDay) => number) => days.reduce((all, day) => all + of(day), 0)
  return {
    zone: 'Asia/Jakarta',
    from,
    to,
    access: { days: 365, csv: true, live: true, report: true },
    oldestDate: dateOf(NOW - 364 * DAY),
    totals: {
      ...shares(
        sum((day) => day.onAirSeconds),
        sum((day) => day.wantedSeconds),
        14,
      ),
      broadcasts: 9,
      streams: 14,
      offAirSeconds: 412,
      longestRun: { ...names(1), startedAt: iso(NOW - 4 * DAY), endedAt: null, seconds: 4 * DAY - 5 * HOUR },
    },
    platforms: [],
    days,
    incidents: Array.from({ length: 14 }, (_, index) => incident(index, NOW - index * 7 * HOUR)),
    moreIncidents: false,
  }
}

function seriesOf(from: number, to: number, step: 5 | 60 | 3600, off: (at: number) => boolean): Series {
  const at = Array.from({ length: Math.floor((to - from) / step) }, (_, index) => from + index * step)
  const kbps = at.map((each) => (off(each) ? null : Math.round(2500 + 220 * wave(each, 900) + 90 * wave(each, 65))))
  return {
    resolutionSeconds: step,
    at,
    bitrateKbps: kbps,
    bitrateMinKbps: kbps,
    bitrateMaxKbps: kbps,
    fps: kbps.map((each) => each && 30),
    speed: kbps.map((each) => each && 1),
    unsentKb: kbps.map((each) => each && 4),
    onAirPercent: kbps.map((each) => (each === null ? 0 : 100)),
  }
}

function storyOf(): BroadcastStory {
  const from = NOW - 26 * HOUR
  const streams = [1, 2].map((index): BroadcastStory['streams'][number] => ({
    ...names(index),
    broadcastId: 'broadcast-1',
    title: names(1).title,
    ...shares(26 * HOUR - 400, 26 * HOUR, 3),
    startedAt: iso(from),
    endedAt: null,
    firstLiveAt: iso(from + 4),
    ended: null,
    endReasonCode: null,
    endReason: null,
    longestRunSeconds: 14 * HOUR,
    runs: [],
    incidents: [0, 1, 2].map((each) => ({
      ...incident(each, from + (each * 6 + index * 2) * HOUR),
      incidentId: `incident-${index}-${each}`,
      streamId: `stream-${index}`,
    })),
    series: seriesOf(from, NOW, 60, (at) => index === 1 && at > from + 8 * HOUR && at < from + 8.6 * HOUR),
  }))
  return {
    broadcastId: 'broadcast-1',
    title: names(1).title,
    startedAt: iso(from),
    endedAt: null,
    from: iso(from),
    to: iso(NOW),
    schedule: { scheduleId: 'schedule-1', title: 'Setiap malam', dueAt: iso(from) },
    streams,
    events: [
      { at: iso(from), streamId: 'stream-1', kind: 'asked', reason: null },
      { at: iso(from + 4), streamId: 'stream-1', kind: 'live', reason: null },
      { at: iso(from + 13 * HOUR), streamId: 'stream-1', kind: 'swapped', reason: 'hujan-deras.mp4' },
    ],
    recordings: [],
  }
}

const broadcastOf = (index: number): AnalyticsBroadcast => ({
  broadcastId: `broadcast-${index}`,
  title: names(index).title,
  platforms: [names(index).platform, 'youtube'],
  streams: 2,
  startedAt: iso(NOW - (index + 1) * 9 * HOUR),
  endedAt: index === 0 ? null : iso(NOW - index * 9 * HOUR),
  scheduled: index % 2 === 1,
  ...shares(9 * HOUR - index * 40, 9 * HOUR, index % 3),
})

function liveOf(now: number): LiveFigures {
  const streams = [0, 1, 2].map((index): LiveFigures['streams'][number] => ({
    ...names(index),
    state: index === 2 ? 'waiting' : 'live',
    health: (['good', 'weak', 'off'] as const)[index] ?? 'good',
    series: seriesOf(now - 600, now, 5, (at) => index === 2 && at > now - 90),
  }))
  return { at: iso(now), streams }
}

function reportOf(month: string): MonthlyReport {
  const last = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 0)).toISOString().slice(0, 10)
  const { access, oldestDate, ...summary } = summaryOf(`${month}-01`, last)
  return {
    ...summary,
    month,
    isRunning: false,
    brand: 'Siarin',
    owner: 'sari',
    before: shares(900 * HOUR, 905 * HOUR, 21),
    platforms: (['youtube', 'facebook'] as const).map((platform) => ({
      platform,
      ...shares(700 * HOUR, 702 * HOUR, 7),
    })),
    broadcasts: [0, 1, 2, 3, 4].map(broadcastOf),
    reasons: REASONS.slice(0, 3).map((reasonCode, index) => ({
      ...{ reasonCode, reason: STREAM_REASON_TEXTS[reasonCode], count: 7 - index * 2, seconds: 120 + index * 33 },
    })),
  }
}

const answer = (route: Route, data: object): Promise<void> =>
  route.fulfill({ json: { success: true, message: '', data, nextCursor: null } })

/** A busy account, as the server would tell it; everything else is the real server's. */
export async function simulateAnalytics(page: Page): Promise<void> {
  await page.route('**/fitur/analytics/*?*', async (route) => {
    const { pathname, searchParams } = new URL(route.request().url())
    const [from, to] = [searchParams.get('from') ?? '', searchParams.get('to') ?? '']
    switch (pathname.split('/').at(-1)) {
      case 'summary':
        return answer(route, summaryOf(from, to))
      case 'broadcasts':
        return answer(route, [0, 1, 2, 3].map(broadcastOf))
      case 'report':
        return answer(route, reportOf(searchParams.get('month') ?? ''))
      case 'live':
        return route.fulfill({
          contentType: 'text/event-stream',
          body: `retry: 60000\nevent: now\ndata: ${JSON.stringify(liveOf(NOW))}\n\n`,
        })
      default:
        return route.fallback()
    }
  })
  await page.route('**/fitur/analytics/broadcast/*', (route) => answer(route, storyOf()))
}
