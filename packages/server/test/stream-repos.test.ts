import { randomUUID } from 'node:crypto'
import { initialState, type StreamState } from '@siarin/media/stream-state'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createStreamsRepo } from '../src/modules/broadcasts/store/streams.repo.ts'
import { createLibraryRepo } from '../src/modules/library/library.repo.ts'
import { type Db, uniqueViolation } from '../src/platform/db/database.ts'
import { addUser, REPO_DATABASES } from './support/repo-databases.ts'

const live: StreamState = {
  at: 'live',
  sinceMs: 7,
  failures: 0,
  accepted: true,
  offAirSinceMs: null,
  firstLiveMs: 7,
  reconnects: 0,
}
const ended: StreamState = { at: 'ended', reason: 'stopped', cause: null }

describe.each(REPO_DATABASES)('what is kept of streams on $name', ({ open }) => {
  let db: Db
  let close: () => Promise<void>
  let userId: string

  beforeAll(async () => {
    ;({ db, close } = await open())
  })
  afterAll(() => close())
  beforeEach(async () => {
    userId = await addUser(db)
  })

  async function addVideo(): Promise<string> {
    const id = randomUUID()
    await createLibraryRepo(db).insert({
      id,
      user_id: userId,
      filename: `${id}.mp4`,
      status: 'ready',
      original_bytes: 1,
      duration_ms: 1_000,
      fps: 25,
      original_key: `${userId}/${id}/original.mp4`,
      content_type: 'video/mp4',
      created_at: 100,
    })
    return id
  }

  let places = 0
  async function addStream(change: object = {}): Promise<string> {
    const id = randomUUID()
    places += 1
    await createStreamsRepo(db).insert({
      id,
      user_id: userId,
      video_id: null,
      source: 'klip.mp4',
      platform: 'lain',
      title: null,
      target_sealed: 'sealed',
      target_host: 'example.org',
      target_mark: id,
      slot: places,
      looping: 1,
      desired: 'live',
      phase: 'queued',
      state: JSON.stringify(initialState),
      reason: null,
      worker: null,
      pid: null,
      pid_birth: null,
      created_at: 100,
      live_since: null,
      ended_at: null,
      ...change,
    })
    return id
  }

  it('a claim raises the epoch, and the holder of an older one writes nothing any more', async () => {
    const repo = createStreamsRepo(db)
    const id = await addStream()
    const first = await repo.claim(id, 'one')
    const second = await repo.claim(id, 'two')
    expect([first?.epoch, second?.epoch]).toEqual([1, 2])
    expect(await repo.change({ id, epoch: 1 }, { state: ended, reason: null })).toBe(false)
    expect(
      await repo.change({ id, epoch: 2 }, { state: live, reason: null, liveSince: 7, process: { pid: 5, birth: 'b' } }),
    ).toBe(true)
    expect(await repo.byId(id)).toMatchObject({ phase: 'live', worker: 'two', live_since: 7, pid: 5, pid_birth: 'b' })
  })

  it('the video that was changed to is theirs, and what was asked for since stays', async () => {
    const repo = createStreamsRepo(db)
    const [first, second, third] = [await addVideo(), await addVideo(), await addVideo()]
    const id = await addStream({ video_id: first, next_video_id: second })
    await repo.claim(id, 'one')
    const swapTo = (videoId: string, epoch = 1) =>
      repo.change({ id, epoch }, { state: live, reason: null, swappedTo: { videoId, filename: `${videoId}.mp4` } })
    expect(await swapTo(second, 0)).toBe(false)
    expect(await repo.byId(id)).toMatchObject({ video_id: first, next_video_id: second, source: 'klip.mp4' })
    expect(await swapTo(second)).toBe(true)
    expect(await repo.byId(id)).toMatchObject({ video_id: second, next_video_id: null, source: `${second}.mp4` })
    await repo.askSwap(id, third)
    expect(await swapTo(second)).toBe(true)
    expect(await repo.byId(id)).toMatchObject({ video_id: second, next_video_id: third })
    // Deleted before it could be written: its name is what is left to tell.
    expect(await swapTo('gone')).toBe(true)
    expect(await repo.byId(id)).toMatchObject({ video_id: null, next_video_id: third, source: 'gone.mp4' })
  })

  it('the figures of many are written at once, but for one that another worker has now', async () => {
    const repo = createStreamsRepo(db)
    const ids = [await addStream(), await addStream(), await addStream()]
    for (const id of ids) await repo.claim(id, 'one')
    const [mine = '', too = '', lost = ''] = ids
    await repo.claim(lost, 'two')
    const written = await repo.writeFigures(
      ids.map((id) => ({
        claim: { id, epoch: 1 },
        sample: { bitrateKbps: id === mine ? 2_500.4 : null, speed: 0.99, frames: 3_000_000_000 },
        position: { item: 3, ms: 1_234.4, fromMs: -9_000 },
        sentMs: 10_234.4,
      })),
    )
    expect(written).toEqual(new Set([mine, too]))
    const figures = {
      speed: 0.99,
      frames: 3_000_000_000,
      position_item: 3,
      position_ms: 1_234,
      position_from_ms: -9_000,
    }
    expect(await repo.byId(mine)).toMatchObject({ ...figures, bitrate_kbps: 2_500.4 })
    expect(await repo.byId(too)).toMatchObject({ ...figures, bitrate_kbps: null })
    expect(await repo.byId(lost)).toMatchObject({ speed: null, position_ms: 0 })
  })

  it('go to one target one at a time', async () => {
    const repo = createStreamsRepo(db)
    const before = await repo.countActive()
    const first = await addStream({ target_mark: 'same' })
    expect(await addStream({ target_mark: 'same' }).catch(uniqueViolation)).toContain('target')
    expect(await repo.countActive()).toBe(before + 1)
    await repo.endIfUnclaimed(first, { state: ended, reason: null, endedAt: 9 })
    expect(await addStream({ target_mark: 'same' })).toEqual(expect.any(String))
  })

  it('an ended one cannot be claimed, and is not active', async () => {
    const repo = createStreamsRepo(db)
    const id = await addStream()
    const row = await repo.claim(id, 'one')
    await repo.change({ id, epoch: row?.epoch ?? 0 }, { state: ended, reason: null, endedAt: 9 })
    expect(await repo.claim(id, 'two')).toBeNull()
    expect(await repo.activeOf(userId)).toEqual([])
    expect(await repo.activeIds()).not.toContain(id)
  })

  it('one that nobody has taken is ended at once, one that somebody has is not', async () => {
    const repo = createStreamsRepo(db)
    const [free, taken] = [await addStream(), await addStream()]
    await repo.claim(taken, 'one')
    expect(await repo.endIfUnclaimed(free, { state: ended, reason: null, endedAt: 9 })).toBe(true)
    expect(await repo.endIfUnclaimed(taken, { state: ended, reason: null, endedAt: 9 })).toBe(false)
    await repo.askStop(taken)
    expect((await repo.endAskedOf('one')).map(({ id }) => id)).toContain(taken)
    expect((await repo.endAskedOf('two')).map(({ id }) => id)).not.toContain(taken)
  })

  it('are unclaimed until a worker takes them, where they play a video, and end with what is told of it', async () => {
    const repo = createStreamsRepo(db)
    const [free, taken] = [await addStream({ video_id: await addVideo() }), await addStream()]
    const online = await addStream({ source_kind: 'hls' })
    await repo.claim(taken, 'one')
    const found = (await repo.unclaimed(null)).map(({ id }) => id)
    expect([free, taken, online].filter((id) => found.includes(id))).toEqual([free])
    expect(await repo.unclaimed(free)).toMatchObject([{ id: free, user_id: userId, desired: 'live' }])
    const told = [{ at: 9, kind: 'ended', reason: 'video-failed', offAirMs: null }] as const
    expect(await repo.endIfUnclaimed(free, { state: ended, reason: 'video-failed', endedAt: 9 }, told)).toBe(true)
    expect(await repo.unclaimed(free)).toEqual([])
    expect(await repo.eventsOf(free, 9)).toMatchObject([{ kind: 'asked' }, { kind: 'ended', reason: 'video-failed' }])
  })

  it('keep the video that plays, the next and the one that stands in, and no other', async () => {
    const [repo, library] = [createStreamsRepo(db), createLibraryRepo(db)]
    const [first, second, third, standIn] = [await addVideo(), await addVideo(), await addVideo(), await addVideo()]
    const used = async () => {
      const uses = await Promise.all([first, second, third, standIn].map((id) => library.isOnAir(id)))
      return uses.map((isOnAir) => (isOnAir ? 'used' : 'free')).join(' ')
    }
    const id = await addStream({ video_id: first, fallback_video_id: standIn })
    const other = await addStream({ video_id: first })
    expect(await used()).toBe('used free free used')
    await repo.askSwap(id, second)
    expect(await used()).toBe('used used free used')
    // Another wish before the first was granted: nobody waits for the second any more.
    await repo.askSwap(id, third)
    expect(await used()).toBe('used free used used')
    const claim = { id, epoch: (await repo.claim(id, 'one'))?.epoch ?? 0 }
    await repo.change(claim, { state: live, reason: null, swappedTo: { videoId: third, filename: 'klip.mp4' } })
    await repo.endIfUnclaimed(other, { state: ended, reason: null, endedAt: 9 })
    expect(await used()).toBe('free free used used')
    expect(await library.remove(third)).toBe(false)
    await repo.change(claim, { state: ended, reason: null, endedAt: 9 })
    expect(await used()).toBe('free free free free')
    expect(await library.remove(third)).toBe(true)
    // Asked for at the moment of its end: nothing is kept by that.
    await repo.askSwap(id, second)
    expect(await library.remove(second)).toBe(true)
  })

  it('wait for nothing if the video that plays is asked for, unless another one may come before that is heard', async () => {
    const repo = createStreamsRepo(db)
    const [playing, other] = [await addVideo(), await addVideo()]
    const id = await addStream({ video_id: playing })
    const { epoch = 0 } = (await repo.claim(id, 'one')) ?? {}
    const wanted = async () => [(await repo.byId(id))?.next_video_id, (await repo.swapAskedOf('one')).includes(id)]
    await repo.askSwap(id, playing)
    expect(await wanted()).toEqual([null, false])
    await repo.askSwap(id, other)
    await repo.askSwap(id, playing)
    // The worker hears it, and has to withdraw the other one.
    expect(await wanted()).toEqual([playing, true])
    const said = { state: live, reason: null, swappedTo: { videoId: playing, filename: 'klip.mp4' } }
    await repo.change({ id, epoch }, said)
    expect(await wanted()).toEqual([null, false])
    const broadcast = db.selectFrom('broadcasts').select(['video_id', 'next_video_id']).where('id', '=', id)
    expect(await broadcast.executeTakeFirstOrThrow()).toEqual({ video_id: playing, next_video_id: null })
  })

  it('go with their owner, and so do the videos that they keep', async () => {
    const videoId = await addVideo()
    const id = await addStream({ video_id: videoId })
    await db.deleteFrom('users').where('id', '=', userId).execute()
    expect(await createStreamsRepo(db).byId(id)).toBeNull()
    expect(await createLibraryRepo(db).isOnAir(videoId)).toBe(false)
  })

  it('keep a video in use until they end', async () => {
    const repo = createStreamsRepo(db)
    const videoId = await addVideo()
    const id = await addStream({ video_id: videoId })
    const library = createLibraryRepo(db)
    expect(await library.isOnAir(videoId)).toBe(true)
    expect(await library.remove(videoId)).toBe(false)
    await repo.endIfUnclaimed(id, { state: ended, reason: null, endedAt: 9 })
    expect(await library.isOnAir(videoId)).toBe(false)
    expect(await library.remove(videoId)).toBe(true)
    expect(await repo.byId(id)).toMatchObject({ video_id: null })
  })
})
