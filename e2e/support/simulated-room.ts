import type { Page, Route } from '@playwright/test'
import type { Broadcast, BroadcastStream } from '@siarin/contracts/broadcasts'
import type { ScheduledOccurrence } from '@siarin/contracts/schedules/schedules'
import type { ActiveStream, EndedStream } from '@siarin/contracts/streams'

/** What the page asked to be done. */
export type RoomCalls = { readonly stopped: string[]; readonly started: { title?: string; targets: object[] }[] }

const HOUR_MS = 3_600_000
/** The streams of a broadcast begin at the same moment. */
const STARTED_MS = Date.now()
const ago = (ms: number): string => new Date(STARTED_MS - ms).toISOString()

const TROUBLES: Partial<Record<number, Partial<BroadcastStream>>> = {
  3: { state: 'waiting', reason: 'Platform menutup sambungan.', firstLiveAt: null, restarts: 2 },
  7: { state: 'queued', firstLiveAt: null, since: null },
}

const stream = (index: number, platform: BroadcastStream['platform'], targetName: string | null): BroadcastStream => ({
  ...{
    streamId: `stream-${index}-${platform}`,
    platform,
    targetId: null,
    targetName,
    sourceName: `video-${index}.mp4`,
  },
  ...{ nextSource: null, onFallback: false, note: null, startedAt: ago(index * HOUR_MS), state: 'live', reason: null },
  ...{ since: ago(index * HOUR_MS), firstLiveAt: ago(index * HOUR_MS), nextTryAt: null, bitrate: 2500, speed: 1 },
  ...{ frames: 900, restarts: 0, reconnects: 0, uptime: 60, endedAt: null, ended: null },
  ...TROUBLES[index],
})

/** Broadcast 3 reconnects, 7 is queued, 5 plays a playlist, every second one goes to Facebook too; the others are well. */
const broadcast = (index: number): Broadcast => {
  const streams = [
    stream(index, 'youtube', `Kanal ${index}`),
    ...(index % 2 === 0 ? [stream(index, 'facebook', null)] : []),
  ]
  return {
    ...{ broadcastId: `broadcast-${index}`, title: `Siaran ${index}`, source: `video-${index}.mp4` },
    ...{ sourceName: `video-${index}.mp4`, online: false, accountId: null, looping: true },
    ...{
      startedAt: ago(index * HOUR_MS),
      endedAt: null,
      state: streams[0]?.state ?? 'live',
      preparation: null,
      streams,
    },
  }
}

const active = ({ broadcastId, title, source, streams }: Broadcast): ActiveStream[] =>
  streams.map(({ endedAt, ended, ...rest }) => ({
    ...rest,
    ...{
      broadcastId,
      title,
      source,
      online: false,
      accountId: null,
      fallback: null,
      preparation: null,
      playlist: null,
    },
    ...(title === 'Siaran 5' && {
      playlist: {
        ...{ id: 'p', name: 'Malam', shuffle: false, itemId: 'i1', filename: 'laut.mp4', index: 0, count: 2, round: 0 },
        ...{ roundIndex: 0, positionMs: 4_000, durationMs: 60_000, roundPositionMs: 4_000, roundDurationMs: 120_000 },
        next: { itemId: 'i2', index: 1, filename: 'kota.mp4' },
      },
    }),
  }))

const ended = ({ broadcastId, title, source, sourceName, streams }: Broadcast): EndedStream[] =>
  streams.map(({ streamId, targetId, targetName, platform, startedAt }) => ({
    ...{ streamId, broadcastId, targetId, targetName },
    ...{ platform, source, sourceName, title, startedAt, accountId: null, fallback: null },
    ...{
      endedAt: new Date().toISOString(),
      ended: 'stopped',
      reason: null,
      restored: false,
      restarts: 0,
      onAirSeconds: 60,
      onAirPercent: 100,
    },
  }))

const UPCOMING: ScheduledOccurrence = {
  ...{ scheduleId: 'schedule-1', title: 'Kajian subuh', platform: 'youtube', date: '2026-11-17', state: 'due' },
  targets: [{ targetId: null, name: null, platform: 'youtube', deleted: false }],
  ...{ dueAt: new Date(Date.now() + HOUR_MS).toISOString(), endsAt: null, reasonCode: null, reason: null },
  ...{
    warningCode: 'plan_limit',
    warning: 'Paket penuh pada jam itu.',
    streamId: null,
    startedAt: null,
    lateMinutes: null,
  },
}

/** Answers for the server as if so many broadcasts were wanted, and does what it is asked: a hundred real ones would need a machine of their own. */
export async function simulateRoom(page: Page, count: number): Promise<RoomCalls> {
  const calls: RoomCalls = { stopped: [], started: [] }
  const open = new Map(Array.from({ length: count }, (_, index) => [`broadcast-${index + 1}`, broadcast(index + 1)]))
  const over: Broadcast[] = []
  const on = (path: RegExp, answer: (route: Route) => object | null): Promise<unknown> =>
    page.route(
      (url) => path.test(url.pathname),
      (route) => {
        const said = answer(route)
        return said ? route.fulfill({ json: { success: true, message: '', ...said } }) : route.fallback()
      },
    )

  // The feed never opens, so the page polls.
  await page.route(/\/fitur\/steam\/live/, () => {})
  await on(/^\/fitur\/steam\/active$/, () => ({ streams: [...open.values()].flatMap(active) }))
  await on(/^\/fitur\/steam\/history$/, () => ({ streams: over.flatMap(ended) }))
  await on(/^\/fitur\/schedule\/upcoming$/, () => ({ data: [UPCOMING], more: false }))
  await on(/^\/fitur\/broadcast$/, (route) => {
    if (route.request().method() === 'GET') return { broadcasts: [...open.values()], nextCursor: null }
    const body = route.request().postDataJSON()
    calls.started.push(body)
    const again = over.findIndex(({ title }) => title === body.title)
    for (const found of over.splice(again, 1)) open.set(found.broadcastId, found)
    return { broadcastId: 'again', streamIds: [] }
  })
  await on(/^\/fitur\/broadcast\/[^/]+(\/stop)?$/, (route) => {
    const [id = '', action] = new URL(route.request().url()).pathname.split('/').slice(3)
    if (!action)
      return { broadcast: [...open.values(), ...over].find(({ broadcastId }) => broadcastId === id) ?? over[0] }
    calls.stopped.push(id)
    const found = open.get(id)
    if (found) over.push(found)
    open.delete(id)
    return {}
  })
  return calls
}
