import { randomUUID } from 'node:crypto'
import { initialState, type StreamState } from '@siarin/media/stream-state'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { followOlderVersion } from '../src/modules/broadcasts/store/older-version.ts'
import { createStreamsRepo, type NewStream } from '../src/modules/broadcasts/store/streams.repo.ts'
import { createWorkersRepo } from '../src/modules/broadcasts/store/workers.repo.ts'
import { videoUses } from '../src/modules/library/video-uses.repo.ts'
import type { Db } from '../src/platform/db/database.ts'
import { addUser, REPO_DATABASES } from './support/repo-databases.ts'

const ENDED: StreamState = { at: 'ended', reason: 'stopped', cause: null }

const newStream = (userId: string, slot: number, change: Partial<NewStream> = {}): NewStream => ({
  id: randomUUID(),
  user_id: userId,
  slot,
  source: 'klip.mp4',
  platform: 'lain',
  target_sealed: 'sealed',
  target_host: 'example.org',
  target_mark: randomUUID(),
  looping: 1,
  desired: 'live',
  phase: 'queued',
  state: JSON.stringify(initialState),
  created_at: 100 + slot,
  ...change,
})

describe.each(REPO_DATABASES)('a broadcast with several streams, on $name', ({ open }) => {
  let db: Db
  let close: () => Promise<void>
  let userId: string
  let repo: ReturnType<typeof createStreamsRepo>

  beforeAll(async () => {
    ;({ db, close } = await open())
    repo = createStreamsRepo(db)
  })
  afterAll(() => close())
  beforeEach(async () => {
    userId = await addUser(db)
  })

  const broadcastOf = (id: string) =>
    db.selectFrom('broadcasts').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const wishesOf = async (ids: readonly string[]) =>
    Promise.all(ids.map(async (id) => (await repo.byId(id))?.desired ?? null))
  const end = (id: string, endedAt: number) => repo.change({ id, epoch: 0 }, { state: ENDED, reason: null, endedAt })

  async function begin(count: number, change: Partial<NewStream> = {}): Promise<string[]> {
    const [first, ...others] = Array.from({ length: count }, (_, slot) => newStream(userId, slot, change))
    if (!first) throw new Error('at least one')
    await repo.insert(first, others)
    return [first, ...others].map(({ id }) => id)
  }

  async function addVideo(filename: string): Promise<string> {
    const id = randomUUID()
    const video = { id, user_id: userId, filename, status: 'ready', content_type: '', original_bytes: 0, created_at: 0 }
    await db.insertInto('videos').values(video).execute()
    return id
  }

  it('is written with all of them, or not at all', async () => {
    const twin = { target_mark: randomUUID() }
    const [first, second] = [newStream(userId, 0, twin), newStream(userId, 1, twin)]
    await expect(repo.insert(first, [second])).rejects.toThrow()
    expect(await repo.hasWanted(userId)).toBe(false)
    const ids = await begin(3)
    expect((await repo.activePlaces(userId)).map(({ slot }) => slot).sort()).toEqual([0, 1, 2])
    const facts = await db.selectFrom('outbox').select('subject_id').where('subject_id', 'in', ids).execute()
    expect(facts).toHaveLength(3)
  })

  it('[TGT-03] is stopped stream by stream, and as a whole with the last, or at once', async () => {
    const ids = await begin(3)
    const [first = '', second = '', third = ''] = ids
    await repo.askStop(first)
    expect(await wishesOf(ids)).toEqual(['stopped', 'live', 'live'])
    await repo.askStop(second, 'operator')
    expect((await broadcastOf(first)).desired).toBe('live')
    await repo.askStop(third)
    expect((await broadcastOf(first)).desired).toBe('stopped')

    const other = await addUser(db)
    const [one, two] = [newStream(other, 0), newStream(other, 1)]
    await repo.insert(one, [two])
    await repo.askStopOf(one.id)
    expect(await wishesOf([one.id, two.id])).toEqual(['stopped', 'stopped'])
  })

  it('[TGT-03] a stream that was stopped by itself stays so when a plan ends and is renewed', async () => {
    const ids = await begin(3)
    const [first = '', second = '', third = ''] = ids
    await repo.askStop(first)
    await repo.askEndOf(userId, 'ending', 'plan-ended')
    expect(await wishesOf(ids)).toEqual(['stopped', 'ending', 'ending'])
    expect(await repo.byId(first)).toMatchObject({ end_cause: null })
    await repo.revokeEndOf(userId)
    expect(await wishesOf(ids)).toEqual(['stopped', 'live', 'live'])
    await repo.claim(second, 'here')
    await repo.claim(third, 'here')
    await repo.askEndOf(userId, 'stopped', 'suspended')
    const asked = (await repo.endAskedOf('here')).filter(({ id }) => ids.includes(id))
    expect(asked.map(({ desired, end_cause }) => [desired, end_cause])).toEqual([
      ['stopped', 'suspended'],
      ['stopped', 'suspended'],
    ])
  })

  it('[TGT-03] is over when all of them are, also where they end at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const ids = await begin(4)
      const [first = ''] = ids
      await Promise.all(ids.map((id, index) => end(id, 200 + index)))
      expect((await broadcastOf(first)).ended_at).not.toBeNull()
    }
  })

  it('gives the place of an ended stream away, while the others keep theirs', async () => {
    const [first = '', second = ''] = await begin(2)
    await end(first, 200)
    expect(await broadcastOf(first)).toMatchObject({ slot: 1, ended_at: null })
    const next = newStream(userId, 0)
    await repo.insert(next)
    expect((await repo.activePlaces(userId)).map(({ slot }) => slot).sort()).toEqual([0, 1])
    await end(second, 300)
    expect((await broadcastOf(first)).ended_at).toBe(300)
  })

  it('[TGT-03] changes its video stream by stream, and keeps what any of them plays', async () => {
    const [before, wanted, later] = [await addVideo('satu.mp4'), await addVideo('dua.mp4'), await addVideo('tiga.mp4')]
    const [first = '', second = ''] = await begin(2, { video_id: before, source: 'satu.mp4' })
    await repo.claim(first, first)
    await repo.claim(second, first)
    const swap = (id: string, videoId: string, filename: string) =>
      repo.change({ id, epoch: 1 }, { state: initialState, reason: null, swappedTo: { videoId, filename } })
    await repo.askSwap(second, wanted)
    expect((await repo.swapAskedOf(first)).sort()).toEqual([first, second].sort())
    await swap(first, wanted, 'dua.mp4')
    expect(await repo.swapAskedOf(first)).toEqual([second])
    expect(await repo.byId(first)).toMatchObject({ video_id: wanted, next_video_id: null, source: 'dua.mp4' })
    expect(await repo.byId(second)).toMatchObject({ video_id: before, next_video_id: wanted, source: 'satu.mp4' })
    expect(await broadcastOf(first)).toMatchObject({ video_id: before, next_video_id: wanted })

    // Yet another, while one plays the first and the other the second.
    await repo.askSwap(first, later)
    const used = () => Promise.all([before, wanted, later].map((id) => videoUses(db).isOnAir(id)))
    expect(await used()).toEqual([true, true, true])
    await swap(second, later, 'tiga.mp4')
    expect(await used()).toEqual([false, true, true])
    await end(first, 200)
    // Its claim was another: nothing happened.
    expect(await used()).toEqual([false, true, true])
    await repo.change({ id: first, epoch: 1 }, { state: ENDED, reason: null, endedAt: 200 })
    expect(await used()).toEqual([false, false, true])
    expect(await broadcastOf(first)).toMatchObject({ video_id: later, next_video_id: null, source: 'tiga.mp4' })
  })

  it('[TGT-03] gets further streams from where the others are, but not once its end is wanted', async () => {
    const [first = ''] = await begin(2)
    await repo.claim(first, 'here')
    await sql`update streams set phase = 'live', position_ms = 4200 where id = ${first}`.execute(db)
    const like: { id: string; position: number; count: number }[] = []
    const further = newStream(userId, 5)
    const make = (row: { id: string; position_ms: number }, count: number) => {
      like.push({ id: row.id, position: row.position_ms, count })
      return [further]
    }
    expect(await repo.extend(first, make)).toBe(true)
    expect(like).toEqual([{ id: first, position: 4200, count: 2 }])
    expect((await repo.streamsOf([first])).map(({ id }) => id)).toContain(further.id)
    await repo.askStopOf(first)
    expect(await repo.extend(first, make)).toBe(false)
  })

  it('what an older version did to its streams is followed, also where it gave a place anew', async () => {
    const [first = '', second = ''] = await begin(2)
    const alone = newStream(userId, 2)
    await repo.insert(alone)
    await sql`update streams set phase = 'ended', desired = 'stopped', ended_at = 900
      where id in (${first}, ${alone.id})`.execute(db)
    const [inFirst, inAlone] = [newStream(userId, 0), newStream(userId, 2)]
    for (const stream of [inFirst, inAlone]) {
      await db
        .insertInto('streams')
        .values({ ...stream, broadcast_id: null })
        .execute()
    }
    await followOlderVersion(db, 'worker-1')
    await followOlderVersion(db, 'worker-1')
    expect(await broadcastOf(first)).toMatchObject({ ended_at: null, desired: 'live', slot: 1 })
    expect(await broadcastOf(alone.id)).toMatchObject({ ended_at: 900 })
    const active = (await repo.activeOf(userId)).map(({ id }) => id).sort()
    expect(active).toEqual([second, inFirst.id, inAlone.id].sort())
    expect(await wishesOf([second])).toEqual(['live'])
  })

  it('shows all that are wanted, and the last of many that are over', async () => {
    const [first = ''] = await begin(1)
    const ended = Array.from({ length: 30 }, (_, index) =>
      newStream(userId, index + 1, { phase: 'ended', ended_at: 200 + index }),
    )
    await repo.extend(first, () => ended)
    const shown = await repo.streamsOf([first])
    expect(shown.filter(({ phase }) => phase === 'ended').map(({ ended_at }) => ended_at)).toEqual(
      Array.from({ length: 20 }, (_, index) => 210 + index),
    )
    expect(shown.map(({ id }) => id)).toContain(first)
  })

  it('has room where the workers have it for all of them', async () => {
    const workers = createWorkersRepo(db)
    const waiting = await db
      .selectFrom('streams')
      .select('id')
      .where('worker', 'is', null)
      .where('phase', '<>', 'ended')
      .execute()
    await workers.beat('there/1', { room: waiting.length + 2, shortOf: null }, 1_000)
    expect(await workers.shortage(1_000, 2)).toBeNull()
    expect(await workers.shortage(1_000, 3)).toBe('places')
    await workers.forget('there/1')
  })

  it('forgets workers that were killed long ago, and counts none that keeps everything alone', async () => {
    const workers = createWorkersRepo(db)
    const [room, weekMs] = [{ room: 1_000_000, shortOf: null }, 7 * 86_400_000]
    await workers.beat('killed/1', room, 1_000)
    await workers.beat('there/2', { room: 0, shortOf: null }, weekMs + 2_000)
    await workers.beat('self/alone-3', room, weekMs + 2_000)
    await workers.forgetOld(weekMs + 2_000)
    expect([...(await workers.lastSeen()).keys()].sort()).toEqual(['self', 'there'])
    expect(await workers.shortage(weekMs + 2_000, 1)).toBe('places')
    expect([...(await workers.alone('another', weekMs + 2_000)).keys()]).toEqual(['self'])
    expect((await workers.alone('self', weekMs + 2_000)).size).toBe(0)
    for (const name of ['there/2', 'self/alone-3']) await workers.forget(name)
  })
})
