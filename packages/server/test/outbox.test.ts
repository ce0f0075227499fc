import { randomUUID } from 'node:crypto'
import { initialState, type StreamState } from '@siarin/media/stream-state'
import { kill9 } from '@siarin/testkit/processes'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createStreamsRepo, type RecordedEvent } from '../src/modules/broadcasts/store/streams.repo.ts'
import { createLibraryRepo } from '../src/modules/library/library.repo.ts'
import type { Db } from '../src/platform/db/database.ts'
import { processed, signIn, uploadVideo } from './support/program.ts'
import { addUser, REPO_DATABASES } from './support/repo-databases.ts'
import { openStreamStage } from './support/streams.ts'

const tries = { failures: 0, accepted: true, offAirSinceMs: null, firstLiveMs: 7, reconnects: 0 }
const live: StreamState = { at: 'live', sinceMs: 7, ...tries }
const ended: StreamState = { at: 'ended', reason: 'stopped', cause: null }
const wentLive: RecordedEvent[] = [
  { at: 7, kind: 'live', reason: null, offAirMs: null },
  { at: 7, fact: 'stream.live', payload: {} },
]

async function factsAbout(db: Db, subjectId: string) {
  const rows = await db.selectFrom('outbox').selectAll().where('subject_id', '=', subjectId).orderBy('id').execute()
  return rows.map(({ payload, ...row }) => ({ ...row, payload: JSON.parse(payload) }))
}

describe.each(REPO_DATABASES)('what happened, on $name', ({ open }) => {
  let db: Db
  let close: () => Promise<void>
  let user_id: string

  beforeAll(async () => {
    ;({ db, close } = await open())
  })
  afterAll(() => close())
  beforeEach(async () => {
    user_id = await addUser(db)
  })

  async function addStream(): Promise<string> {
    const id = randomUUID()
    await createStreamsRepo(db).insert({
      ...{ id, user_id, video_id: null, source: 'klip.mp4', platform: 'lain', title: null },
      ...{ target_sealed: 'sealed', target_host: 'example.org', target_mark: id, looping: 1, desired: 'live' },
      ...{ phase: 'queued', state: JSON.stringify(initialState), reason: null, worker: null, pid: null },
      ...{ pid_birth: null, created_at: 100, live_since: null, ended_at: null },
    })
    return id
  }

  async function addVideo(): Promise<string> {
    const id = randomUUID()
    await createLibraryRepo(db).insert({
      ...{ id, user_id, filename: `${id}.mp4`, status: 'processing', original_bytes: 1, master_bytes: 0 },
      ...{ content_type: 'video/mp4', created_at: 100 },
    })
    return id
  }

  const tellsOf = async (subjectId: string) => (await factsAbout(db, subjectId)).map(({ fact }) => fact)

  it('to a stream is written with the row: when, whose, and what there is to say', async () => {
    const repo = createStreamsRepo(db)
    const id = await addStream()
    await repo.claim(id, 'one')
    expect(await repo.change({ id, epoch: 1 }, { state: live, reason: null }, wentLive)).toBe(true)
    const of = { user_id, subject_kind: 'stream', subject_id: id }
    expect(await factsAbout(db, id)).toEqual([
      { ...of, id: expect.any(Number), at: 100, fact: 'stream.started', payload: { platform: 'lain' } },
      { ...of, id: expect.any(Number), at: 7, fact: 'stream.live', payload: {} },
    ])
    expect(await repo.eventsOf(id, 10)).toMatchObject([{ kind: 'asked' }, { kind: 'live', at: 7 }])
  })

  it('may leave the timeline alone', async () => {
    const repo = createStreamsRepo(db)
    const id = await addStream()
    await repo.claim(id, 'one')
    const renewed = { reason: 'session-renewed', planned: true }
    await repo.change({ id, epoch: 1 }, { state: live, reason: null }, [
      { at: 9, fact: 'stream.interrupted', payload: renewed },
    ])
    expect((await factsAbout(db, id)).at(-1)).toMatchObject({ fact: 'stream.interrupted', payload: renewed })
    expect(await repo.eventsOf(id, 10)).toMatchObject([{ kind: 'asked' }])
  })

  it('is not written by a worker whose claim is old, nor for a row that was refused', async () => {
    const repo = createStreamsRepo(db)
    const id = await addStream()
    await repo.claim(id, 'one')
    await repo.claim(id, 'two')
    expect(await repo.change({ id, epoch: 1 }, { state: live, reason: null }, wentLive)).toBe(false)
    expect(await tellsOf(id)).toEqual(['stream.started'])
    await expect(createLibraryRepo(db).insert({ id } as never)).rejects.toThrow()
    const row = await repo.byId(id)
    await expect(repo.insert({ ...row, slot: 5, created_at: 5 } as never)).rejects.toThrow()
    expect(await tellsOf(id)).toEqual(['stream.started'])
  })

  it('is written with the change or not at all', async () => {
    const repo = createStreamsRepo(db)
    const id = await addStream()
    await repo.claim(id, 'one')
    const unwritable = [...wentLive, { at: null, fact: 'stream.live', payload: {} } as never]
    await expect(repo.change({ id, epoch: 1 }, { state: live, reason: null }, unwritable)).rejects.toThrow()
    expect(await repo.byId(id)).toMatchObject({ phase: 'queued' })
    expect(await repo.eventsOf(id, 10)).toMatchObject([{ kind: 'asked' }])
    expect(await tellsOf(id)).toEqual(['stream.started'])
  })

  it('to a stream that nobody has taken is one end, however many stop it at once', async () => {
    const repo = createStreamsRepo(db)
    const id = await addStream()
    const ends = Array.from({ length: 3 }, () => repo.endIfUnclaimed(id, { state: ended, reason: null, endedAt: 9 }))
    expect((await Promise.all(ends)).filter(Boolean)).toHaveLength(1)
    expect((await factsAbout(db, id)).slice(1)).toMatchObject([
      { at: 9, fact: 'stream.ended', payload: { reason: 'stopped', cause: null } },
    ])
  })

  it('to a video is how its preparation ended, and not how far it is', async () => {
    const repo = createLibraryRepo(db, { now: () => 55 })
    const id = await addVideo()
    await repo.update(id, { step: 'preparing', progress: 3 })
    expect(await factsAbout(db, id)).toEqual([])
    await repo.update(id, { status: 'failed', reason: 'because' })
    await repo.update(id, { status: 'processing', reason: null })
    expect(await repo.update(id, { status: 'ready' })).toBe(true)
    const of = { id: expect.any(Number), at: 55, user_id, subject_kind: 'video', subject_id: id }
    expect(await factsAbout(db, id)).toEqual([
      { ...of, fact: 'video.failed', payload: { filename: `${id}.mp4`, reason: 'because' } },
      { ...of, fact: 'video.ready', payload: { filename: `${id}.mp4` } },
    ])
    await repo.remove(id)
    expect(await repo.update(id, { status: 'ready' })).toBe(false)
    expect(await factsAbout(db, id)).toHaveLength(2)
  })

  it('has a number that only rises, also after all of it has been cleared, and goes with its account', async () => {
    const before = await addStream()
    const last = (await factsAbout(db, before)).at(-1)?.id ?? 0
    await db.deleteFrom('users').where('id', '=', user_id).execute()
    expect(await factsAbout(db, before)).toEqual([])
    await db.deleteFrom('outbox').execute()
    user_id = await addUser(db)
    expect((await factsAbout(db, await addStream()))[0]?.id).toBeGreaterThan(last)
  })
})

describe('the facts of a broadcast', () => {
  it('tell of its video, its start, each way off air and back, and its end, in that order', async () => {
    const stage = await openStreamStage()
    try {
      const { program, rtmp, clip } = stage
      const { user } = await signIn(program.url)
      await uploadVideo(program.url, user.apiKey, clip)
      await processed(program.url, user.apiKey, 'klip.mp4')
      const { streamId } = (await stage.start(user.apiKey, 'facts')).body
      const first = await rtmp.waitForPublisher('facts', { growing: true })
      const isLive = () => waitFor('it to be live', async () => (await stage.active(user.apiKey))[0]?.state === 'live')
      await isLive()
      kill9((await stage.ffmpegOf(streamId))[0])
      await rtmp.waitForPublisher('facts', { growing: true, otherThan: first.id })
      await isLive()
      await stage.stop(user.apiKey, streamId)

      const rows = await program.db.selectFrom('outbox').selectAll().orderBy('id').execute()
      expect(rows.map(({ fact }) => fact)).toEqual([
        'video.ready',
        'stream.started',
        'stream.live',
        'stream.interrupted',
        'stream.recovered',
        'stream.ended',
      ])
      expect(new Set(rows.slice(1).map(({ subject_id }) => subject_id))).toEqual(new Set([streamId]))
      expect(JSON.parse(rows[3]?.payload ?? '')).toEqual({ reason: expect.any(String), planned: false })
      expect(JSON.parse(rows[4]?.payload ?? '').offAirMs).toBeGreaterThan(0)
      expect(JSON.parse(rows[5]?.payload ?? '')).toEqual({ reason: 'stopped', cause: null })
      // Nothing of where it goes to.
      expect(JSON.stringify(rows)).not.toContain(rtmp.url)
    } finally {
      await stage.close()
    }
  })
})
