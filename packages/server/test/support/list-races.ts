import { waitFor } from '@siarin/testkit/wait-for'
import { expect } from 'vitest'
import { addVideo, type Owner } from './filled-lists.ts'
import type { TestProgram } from './program.ts'
import { AT_ONCE, everyoneWasTaken, othersWereRefused, type Race, taken } from './races.ts'

/** More than each of those that come at once takes away or leaves out. */
const ITEMS = AT_ONCE + 2
const newList = async ({ ask }: Owner, begin: readonly string[] = []) => {
  const videos = [...begin, ...Array(ITEMS - begin.length).fill('klip.mp4')]
  return (await ask('POST', '/fitur/playlist', { name: 'Daftar', videos })).body.playlist
}

/** Their video has no file: its broadcasts wait, and stay where they began. */
const target = (n = 0) => ({ platform: 'lain', rtmpStream: `rtmp://127.0.0.1:1/live/${crypto.randomUUID()}-${n}` })
const startAt = async ({ ask }: Owner, source: string, count: number) => {
  const targets = Array.from({ length: count }, (_, n) => target(n))
  const { status, body } = await ask('POST', '/fitur/broadcast', { source, looping: true, targets })
  expect([status, body.message]).toEqual([200, body.message])
  return body
}
const streamsOf = ({ db }: TestProgram, broadcastId: string) =>
  db.selectFrom('streams').selectAll().where('broadcast_id', '=', broadcastId).execute()

export const LIST_RACES: readonly Race[] = [
  {
    what: 'the name of a playlist, and whether it is shuffled',
    shows: ['PATCH /fitur/playlist/{id}'],
    prepare: async (owner) => (await newList(owner)).id,
    send: ({ ask }, id, n) => ask('PATCH', `/fitur/playlist/${id}`, n % 2 === 0 ? { name: 'Baru' } : { shuffle: true }),
    async kept({ ask }, id, replies) {
      everyoneWasTaken(replies)
      expect((await ask('GET', `/fitur/playlist/${id}`)).body.playlist).toMatchObject({ name: 'Baru', shuffle: true })
    },
  },
  {
    what: 'a playlist that each has loaded before',
    shows: ['PATCH /fitur/playlist/{id}'],
    async prepare(owner) {
      const { id, version } = await newList(owner)
      return `${id} ${version}`
    },
    send({ ask }, list, n) {
      const [id, version] = list.split(' ')
      return ask('PATCH', `/fitur/playlist/${id}`, { name: `Nama ${n}`, version: Number(version) })
    },
    async kept({ ask }, list, replies) {
      othersWereRefused(replies)
      const [winner, ...more] = taken(replies)
      expect(more).toEqual([])
      const { name } = (await ask('GET', `/fitur/playlist/${list.split(' ')[0]}`)).body.playlist
      expect(name).toBe(winner?.body.playlist.name)
      expect(replies.find(({ status }) => status === 409)?.body.code).toBe('playlist_changed')
    },
  },
  {
    what: 'items of a playlist that are moved to its beginning, or removed',
    shows: ['PATCH /fitur/playlist/{id}/items/{itemId}', 'DELETE /fitur/playlist/{id}/items/{itemId}'],
    async prepare(owner, { db }) {
      await addVideo(db, owner.userId, { id: `other-${owner.userId}`, filename: 'lain.mp4' })
      const { id, items } = await newList(owner, ['lain.mp4', 'klip.mp4', 'lain.mp4', 'klip.mp4', 'lain.mp4'])
      return [id, ...items.map((item: { id: string }) => item.id)].join(' ')
    },
    send({ ask }, list, n) {
      const [id, ...items] = list.split(' ')
      // Those that are moved come from the end: their order shows it.
      const path = `/fitur/playlist/${id}/items/${n % 2 === 0 ? items[n] : items[ITEMS - n]}`
      return n % 2 === 0 ? ask('DELETE', path) : ask('PATCH', path, { index: 0 })
    },
    async kept({ ask, userId, videoId }, list, replies, { db }) {
      everyoneWasTaken(replies)
      const [id, ...before] = list.split(' ')
      const after = (await ask('GET', `/fitur/playlist/${id}`)).body.playlist.items.map(
        (item: { id: string }) => item.id,
      )
      const [removed, moved] = [
        [0, 2, 4],
        [7, 5, 3],
      ].map((places) => places.map((place) => before[place] ?? ''))
      expect(after.slice(0, 3).sort()).toEqual(moved?.sort())
      expect(after.slice(3)).toEqual(before.filter((item) => !removed?.includes(item) && !moved?.includes(item)))
      // The video that left with the last of its items may be deleted again.
      const uses = db.selectFrom('video_uses').select('video_id').where('user_id', '=', userId)
      expect(await uses.execute()).toEqual([{ video_id: videoId }])
    },
  },
  {
    what: 'items of a list on air that are left out, at one target or the other',
    shows: ['POST /fitur/steam/skip'],
    async prepare(owner) {
      const { id } = await newList(owner)
      const { broadcastId, streamIds } = await startAt(owner, `playlist:${id}`, 2)
      return [broadcastId, ...streamIds].join(' ')
    },
    send: ({ ask }, ids, n) => ask('POST', '/fitur/steam/skip', { streamId: ids.split(' ')[1 + (n % 2)] }),
    async kept(_, ids, replies, program) {
      everyoneWasTaken(replies)
      const streams = await streamsOf(program, ids.split(' ')[0] ?? '')
      const skips = streams.map(({ playlist_skip }) => playlist_skip ?? '')
      expect(skips).toHaveLength(2)
      expect(skips[0]).toBe(skips[1])
      expect(new Set(JSON.parse(skips[0] ?? '').map(({ itemId }: { itemId: string }) => itemId)).size).toBe(AT_ONCE)
    },
  },
  {
    what: 'the video of a broadcast, and targets that join it',
    shows: ['POST /fitur/steam/swap', 'POST /fitur/broadcast/{id}/targets'],
    async prepare(owner, { db }) {
      for (const n of [0, 2, 4]) await addVideo(db, owner.userId, { id: crypto.randomUUID(), filename: `${n}.mp4` })
      return (await startAt(owner, 'klip.mp4', 2)).broadcastId
    },
    // It has the id of its first stream.
    send: ({ ask }, id, n) =>
      n % 2 === 0
        ? ask('POST', '/fitur/steam/swap', { streamId: id, source: `${n}.mp4` })
        : ask('POST', `/fitur/broadcast/${id}/targets`, { targets: [target(n)] }),
    async kept(_, id, replies, program) {
      everyoneWasTaken(replies)
      const { next_video_id: wanted } = await program.db
        .selectFrom('broadcasts')
        .select('next_video_id')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      const streams = await streamsOf(program, id)
      expect(streams.map(({ next_video_id, video_id }) => next_video_id ?? video_id)).toEqual(Array(5).fill(wanted))
    },
  },
  {
    what: 'the targets of a broadcast, which are taken off: with the last one it is over',
    shows: ['DELETE /fitur/broadcast/{id}/targets/{streamId}', 'POST /fitur/steam/stop'],
    async prepare(owner) {
      const { broadcastId, streamIds } = await startAt(owner, 'klip.mp4', AT_ONCE)
      return [broadcastId, ...streamIds].join(' ')
    },
    send({ ask }, ids, n) {
      const [id, ...streams] = ids.split(' ')
      if (n % 2 === 0) return ask('POST', '/fitur/steam/stop', { streamId: streams[n] })
      return ask('DELETE', `/fitur/broadcast/${id}/targets/${streams[n]}`)
    },
    async kept(_, ids, replies, { db }) {
      everyoneWasTaken(replies)
      const broadcast = db
        .selectFrom('broadcasts')
        .selectAll()
        .where('id', '=', ids.split(' ')[0] ?? '')
      expect(await broadcast.executeTakeFirst()).toMatchObject({ desired: 'stopped' })
      await waitFor('its end', async () => ((await broadcast.executeTakeFirst())?.ended_at ?? null) !== null)
    },
  },
]
