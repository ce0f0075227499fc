import type { Broadcast, BroadcastStream } from '@siarin/contracts/broadcasts'
import type { EndedStream } from '@siarin/contracts/streams'
import { describe, expect, it } from 'vitest'
import { endedRows } from './ended-rows.ts'
import { type Feed, openRow } from './open-row.ts'

const AT = '2026-11-16T08:00:00.000Z'
const LATER = '2026-11-16T09:00:00.000Z'
const NO_FEED: Feed = new Map()
const NOT_FAR = { roundIndex: 0, positionMs: 0, durationMs: 5_000, roundPositionMs: 0, roundDurationMs: 9_000 }

const stream = (change: Partial<BroadcastStream> = {}): BroadcastStream => ({
  ...{ streamId: 's1', platform: 'youtube', sourceName: 'hujan.mp4', nextSource: null, onFallback: false, note: null },
  ...{
    startedAt: AT,
    state: 'live',
    reason: null,
    since: AT,
    firstLiveAt: AT,
    nextTryAt: null,
    bitrate: 2500,
    speed: 1,
  },
  ...{
    frames: 100,
    restarts: 0,
    reconnects: 0,
    uptime: 60,
    targetId: null,
    targetName: null,
    endedAt: null,
    ended: null,
  },
  ...change,
})

const broadcast = (streams: BroadcastStream[], change: Partial<Broadcast> = {}): Broadcast => ({
  ...{ broadcastId: 'b1', title: 'Hujan malam', source: 'hujan.mp4', sourceName: 'hujan.mp4', online: false },
  ...{ accountId: null, looping: true, startedAt: AT, endedAt: null, state: 'live', preparation: null },
  streams,
  ...change,
})

const ended = (change: Partial<EndedStream> = {}): EndedStream => ({
  ...{ broadcastId: 'b1', targetId: null, targetName: null },
  ...{ streamId: 'e1', platform: 'youtube', source: 'hujan.mp4', sourceName: 'hujan.mp4', accountId: null },
  ...{ fallback: null, title: 'Hujan malam', startedAt: AT, endedAt: LATER, ended: 'stopped', reason: null },
  ...{ restored: false, restarts: 0, onAirSeconds: 3600, onAirPercent: 100 },
  ...change,
})

describe('the row of a broadcast', () => {
  it('is on air with a clock since its first target was', () => {
    const row = openRow(broadcast([stream({ firstLiveAt: LATER }), stream({ streamId: 's2' })]), NO_FEED)
    expect(row).toMatchObject({
      group: 'live',
      onAirSince: AT,
      trouble: null,
      name: 'Hujan malam',
      picture: 'hujan.mp4',
    })
    expect(row.targets.map(({ lamp }) => lamp)).toEqual(['live', 'live'])
  })

  it('needs attention while one of its targets reconnects, and says which part of it and why', () => {
    const lost = stream({ streamId: 's2', state: 'waiting', reason: 'Platform menutup sambungan.', nextTryAt: LATER })
    expect(openRow(broadcast([stream(), lost]), NO_FEED)).toMatchObject({
      ...{ group: 'attention', trouble: '1 dari 2 tujuan: Platform menutup sambungan.', nextTryAt: LATER },
      targets: [{ lamp: 'live' }, { lamp: 'trouble', word: 'Menyambung ulang' }],
    })
  })

  it('takes a start after an interruption for trouble, and the first start for waiting', () => {
    const starting = (restarts: number) => broadcast([stream({ state: 'starting', restarts, firstLiveAt: null })])
    expect(openRow(starting(1), NO_FEED).group).toBe('attention')
    expect(openRow(starting(0), NO_FEED)).toMatchObject({ group: 'waiting', word: 'Memulai', onAirSince: null })
  })

  it('keeps the lamp of a target that gave up, until it is begun again or was taken away', () => {
    const gone = stream({
      streamId: 's2',
      platform: 'facebook',
      state: 'ended',
      ended: 'failed',
      reason: 'Kunci ditolak.',
    })
    expect(openRow(broadcast([stream(), gone]), NO_FEED)).toMatchObject({
      ...{ group: 'attention', trouble: '1 dari 2 tujuan: Kunci ditolak.' },
      targets: [{ word: 'Tayang' }, { word: 'Gagal', lamp: 'trouble' }],
    })
    const again = stream({ streamId: 's3', platform: 'facebook', startedAt: LATER })
    expect(openRow(broadcast([stream(), gone, again]), NO_FEED).targets.map(({ streamId }) => streamId)).toEqual([
      's1',
      's3',
    ])
    const taken = stream({ streamId: 's2', state: 'ended', ended: 'stopped' })
    expect(openRow(broadcast([stream(), taken]), NO_FEED)).toMatchObject({
      group: 'live',
      targets: [{ streamId: 's1' }],
    })
  })

  it('follows the feed, which knows more than the list and sooner', () => {
    const next = { itemId: 'i2', index: 1, filename: 'kota.mp4' }
    const playlist = { id: 'p', name: 'Malam', shuffle: false, itemId: 'i1', filename: 'laut.mp4', index: 0, count: 2 }
    const pushed = {
      streamId: 's1',
      state: 'live' as const,
      playlist: { ...playlist, ...NOT_FAR, round: 0, next },
      preparation: null,
    }
    const row = openRow(broadcast([stream({ state: 'starting', firstLiveAt: null })]), new Map([['s1', pushed]]))
    expect(row).toMatchObject({ group: 'live', playing: { now: 'laut.mp4', next: 'kota.mp4' }, picture: 'laut.mp4' })
    expect(row.playing?.listedBy).toBe('s1')
  })

  it('looks the same whatever the figures are that it does not show', () => {
    const at = (bitrate: number) => openRow(broadcast([stream()]), new Map([['s1', { bitrate, uptime: bitrate }]]))
    expect(at(2500)).toEqual(at(3000))
  })

  it('needs attention while the stand-in is on air, and none while its video is being prepared', () => {
    expect(openRow(broadcast([stream({ onFallback: true })]), NO_FEED)).toMatchObject({
      ...{ group: 'attention', trouble: 'Sumber terputus; video cadangan tayang' },
    })
    const preparation = { step: 'preparing', progress: 40, secondsLeft: null, queue: null } as const
    const waits = broadcast([stream({ state: 'waiting', reason: 'Menunggu video.' })], { preparation })
    expect(openRow(waits, NO_FEED)).toMatchObject({ group: 'waiting', word: 'Menunggu video', trouble: null })
  })
})

describe('what ended today', () => {
  const since = Date.parse('2026-11-16T00:00:00.000Z')

  it('is a row for each broadcast, without what ended before', () => {
    const rows = endedRows(
      [
        ended(),
        ended({ streamId: 'e2', platform: 'facebook', targetName: 'Kanal lama' }),
        ended({ streamId: 'e3', broadcastId: 'b2' }),
        ended({ streamId: 'e4', endedAt: '2026-11-15T23:59:59.000Z' }),
      ],
      [],
      since,
    )
    expect(rows.map(({ id, again }) => [id, again.length])).toEqual([
      ['ended e1', 2],
      ['ended e3', 1],
    ])
    expect(rows[0]).toMatchObject({ group: 'ended', isOpen: false, word: 'Selesai' })
    expect(rows[0]?.targets.map(({ name }) => name)).toEqual(['YouTube', 'Kanal lama'])
  })

  it('is started again where it was on air at its end: not where it was taken out, but where it was added', () => {
    const [before, between] = ['2026-11-16T08:30:00.000Z', '2026-11-16T08:40:00.000Z']
    const almost = '2026-11-16T08:59:57.000Z'
    const a = ended({ streamId: 'a', targetId: 'A', targetName: 'Kanal A', endedAt: almost })
    const b = ended({ streamId: 'b', targetId: 'B', targetName: 'Kanal B', endedAt: before })
    const c = ended({ streamId: 'c', targetId: 'C', targetName: 'Kanal C', startedAt: between })
    const [row, ...others] = endedRows([c, a, b], [], since)
    expect(others).toEqual([])
    expect(row?.again.map(({ streamId }) => streamId)).toEqual(['c', 'a'])
    expect(row?.targets.map(({ name }) => name)).toEqual(['Kanal C', 'Kanal A'])
    // One that gave up was not taken out, unless it was begun again since.
    const lost = { ...b, ended: 'failed' as const, reason: 'Kunci ditolak.' }
    expect(endedRows([c, a, lost], [], since)[0]?.again).toHaveLength(3)
    const anew = { ...c, targetId: 'B' }
    expect(endedRows([anew, a, lost], [], since)[0]?.again.map(({ streamId }) => streamId)).toEqual(['c', 'a'])
  })

  it('leaves targets of a running broadcast to that one', () => {
    const running = broadcast([stream(), stream({ streamId: 'e1', state: 'ended', ended: 'stopped' })])
    expect(endedRows([ended()], [running], since)).toEqual([])
  })

  it('needs attention where it failed, until it is begun again', () => {
    const failed = ended({ ended: 'failed', reason: 'Kunci ditolak.' })
    expect(endedRows([failed], [], since)).toMatchObject([{ group: 'attention', trouble: 'Kunci ditolak.' }])
    const other = { broadcastId: 'b2' }
    const elsewhere = broadcast([stream({ platform: 'facebook', startedAt: LATER })], other)
    expect(endedRows([failed], [elsewhere], since)).toMatchObject([{ group: 'attention' }])
    const again = broadcast([stream({ startedAt: LATER })], other)
    expect(endedRows([failed], [again], since)).toMatchObject([{ group: 'ended', trouble: null }])
  })
})
