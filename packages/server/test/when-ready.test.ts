import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { STREAM_REASON_TEXTS } from '@siarin/contracts/stream-reason-texts'
import type { ActiveStream } from '@siarin/contracts/streams'
import { STREAM_TEXTS, VIDEO_TEXTS } from '@siarin/contracts/texts'
import { makeClip } from '@siarin/testkit/clips'
import { ffmpegsUnder } from '@siarin/testkit/processes'
import { startSiarin } from '@siarin/testkit/siarin-server'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { isWholeRun } from '@siarin/testkit/whole-run'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqlite } from '../src/platform/db/database.ts'
import { USUAL_TIMINGS } from '../src/platform/timings.ts'
import { broadcastCalls } from './support/broadcasts.ts'
import { heldMasters } from './support/held-masters.ts'
import { bearer, call, personWithVideo, processed, signIn, uploadVideo, videosOf } from './support/program.ts'
import { openStreamStage, type StreamStage, streamCalls } from './support/streams.ts'

const DAY_MS = 86_400_000
const WHEN_READY = { source: 'lama.mkv', whenReady: true }

let folder: TempDir
let slowClip: string
let masters: Awaited<ReturnType<typeof heldMasters>>
let stage: StreamStage

beforeAll(async () => {
  folder = await tempDir('when-ready')
  slowClip = join(folder.path, 'lama.mkv')
  await makeClip(slowClip, { seconds: 2, videoCodec: 'mpeg4', audioCodec: 'libmp3lame' })
  masters = await heldMasters(folder.path)
  // Every picture that is made anew takes long here, and one is made at a time.
  const mediaTools = { ...USUAL_TIMINGS.mediaTools, quickPixels: 0 }
  stage = await openStreamStage({ ...masters.settings, ENFORCE_PLANS: 'true' }, { mediaTools })
})
afterAll(async () => {
  await stage.close()
  await folder.remove()
})

/** Somebody whose video is being prepared until it is let go. They ask as the page does, which no plan counts: we ask often. */
async function somebody(url = stage.program.url) {
  const { user, token } = await signIn(url)
  const { apiKey } = user
  const page = bearer(token)
  const { status } = await uploadVideo(url, apiKey, slowClip, 'lama.mkv')
  expect(status).toBe(200)
  return {
    ...user,
    page,
    video: async () => (await videosOf(url, apiKey, page)).find(({ filename }) => filename === 'lama.mkv'),
    active: async (): Promise<ActiveStream[]> =>
      (await call(url, 'GET', `/fitur/steam/active?apiKey=${apiKey}`, { headers: page })).body.streams,
  }
}
type Somebody = Awaited<ReturnType<typeof somebody>>

const rowOf = async (streamId: string) =>
  stage.program.db.selectFrom('streams').selectAll().where('id', '=', streamId).executeTakeFirstOrThrow()
const isEnded = (streamId: string) =>
  waitFor('its end', async () => (await rowOf(streamId)).phase === 'ended' && (await rowOf(streamId)))
const userIdOf = async ({ email }: { email: string }) =>
  (await stage.program.db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id

async function startWaiting(person: Somebody, key: string): Promise<string> {
  const { status, body } = await stage.start(person.apiKey, key, WHEN_READY)
  expect({ status, message: body.message }).toEqual({ status: 200, message: STREAM_TEXTS.startsWhenReady })
  await waitFor('its preparation', async () => (await person.active())[0]?.preparation)
  return body.streamId
}

describe('a start with a video that is still being prepared', { timeout: 600_000 }, () => {
  it('is refused without the choice, and with it goes on air by itself once the video is ready', async () => {
    const person = await somebody()
    const refused = await stage.start(person.apiKey, 'ready-key', { source: 'lama.mkv' })
    expect(refused).toMatchObject({ status: 409, body: { code: 'video_not_ready', message: VIDEO_TEXTS.notReady } })
    expect(await stage.start(person.apiKey, 'ready-key', { ...WHEN_READY, whenReady: 'ya' })).toMatchObject({
      status: 400,
    })

    const streamId = await startWaiting(person, 'ready-key')
    const isBegun = async () => (await person.video())?.progress === 0
    await waitFor('its preparation to begin', isBegun, { timeoutMs: 60_000 })
    const [waiting] = await person.active()
    expect(waiting).toMatchObject({
      state: 'queued',
      reason: STREAM_REASON_TEXTS['video-preparing'],
      preparation: { step: 'preparing', progress: 0, queue: null },
    })
    // It counts, its key is sealed, its video is kept, and nothing runs for it.
    expect(await stage.start(person.apiKey, 'other-key', WHEN_READY)).toMatchObject({ status: 403 })
    expect(await stage.program.dump()).not.toContain('ready-key')
    expect((await stage.deleteVideo(person.apiKey, 'lama.mkv')).status).toBe(409)
    expect(await stage.ffmpegOf(streamId)).toEqual([])
    expect(await rowOf(streamId)).toMatchObject({ worker: null, epoch: 0 })

    await masters.letGo(await userIdOf(person))
    await stage.rtmp.waitForPublisher('ready-key', { growing: true })
    const live = await waitFor('it to be live', async () => (await person.active())[0]?.state === 'live')
    expect(live).toBe(true)
    expect((await person.active())[0]).toMatchObject({ preparation: null, reason: null, restarts: 0 })
    expect((await stage.events(person.apiKey, streamId)).map(({ kind }) => kind)).toEqual(['live', 'asked'])
    await stage.stop(person.apiKey, streamId)
  })

  it.runIf(isWholeRun)(
    '[TGT-03] goes on air at all of its targets, or at those that were not let go meanwhile',
    async () => {
      const person = await somebody()
      // Its calls a minute suffice for as long as a busy machine takes.
      await stage.program.setPlan(person.email, 'business')
      const calls = broadcastCalls(stage.program.url, person.apiKey)
      const keys = ['ready-a', 'ready-b', 'ready-c'].map((key) => `${stage.rtmp.url}/${key}`)
      const { body } = await calls.start(keys, WHEN_READY)
      expect(body.message).toBe(STREAM_TEXTS.startsWhenReady)
      await waitFor('its preparation', async () => (await calls.show(body.broadcastId)).preparation)
      expect((await calls.remove(body.broadcastId, body.streamIds[1])).status).toBe(200)
      expect(await calls.statesOf(body.broadcastId)).toEqual(['queued', 'ended', 'queued'])
      await masters.letGo(await userIdOf(person))
      await calls.waitForStates(body.broadcastId, ['live', 'ended', 'live'])
      await calls.stop(body.broadcastId)
    },
  )

  it.runIf(isWholeRun)('tells how many videos are before its own, and about how long that takes', async () => {
    const first = await somebody()
    const isBegun = async () => (await first.video())?.progress === 0
    await waitFor('the first to be begun', isBegun, { timeoutMs: 60_000 })
    const second = await somebody()
    const streamId = await startWaiting(second, 'told-key')
    const told = await waitFor('the wait', async () => (await second.video())?.queue, { timeoutMs: 60_000 })
    expect(told).toMatchObject({ ahead: 1 })
    expect([10, 20, 30]).toContain(told.seconds)
    expect((await second.active())[0]?.preparation).toMatchObject({ progress: null, queue: told })
    expect((await first.video())?.queue).toBeNull()
    await stage.stop(second.apiKey, streamId)
    for (const person of [first, second]) await masters.letGo(await userIdOf(person))
    expect(await processed(stage.program.url, second.apiKey, 'lama.mkv', second.page)).toMatchObject({
      status: 'ready',
      queue: null,
    })
  })

  it('can be stopped while it waits, and then never goes on air', async () => {
    const person = await somebody()
    const streamId = await startWaiting(person, 'cancelled-key')
    expect((await stage.stop(person.apiKey, streamId)).body.message).toBe(STREAM_TEXTS.stopped)
    expect(await person.active()).toEqual([])
    await masters.letGo(await userIdOf(person))
    await processed(stage.program.url, person.apiKey, 'lama.mkv', person.page)
    // As long as it would have taken.
    await sleep(1_500)
    expect(await stage.ffmpegOf(streamId)).toEqual([])
    expect((await stage.history(person.apiKey))[0]).toMatchObject({ streamId, ended: 'stopped', reason: null })
    expect((await stage.deleteVideo(person.apiKey, 'lama.mkv')).status).toBe(200)
  })

  it.runIf(isWholeRun)('ends with a reason where the video cannot be prepared', async () => {
    const person = await somebody()
    const streamId = await startWaiting(person, 'failed-key')
    await masters.letFail(await userIdOf(person))
    expect(await isEnded(streamId)).toMatchObject({ reason: 'video-failed', worker: null })
    const reason = STREAM_REASON_TEXTS['video-failed']
    expect((await stage.history(person.apiKey))[0]).toMatchObject({ ended: 'failed', reason, onAirSeconds: 0 })
    expect((await stage.events(person.apiKey, streamId))[0]).toMatchObject({ kind: 'ended', reason })
    const facts = await stage.program.db
      .selectFrom('outbox')
      .select('fact')
      .where('subject_id', '=', streamId)
      .execute()
    expect(facts.map(({ fact }) => fact)).toEqual(['stream.started', 'stream.failed'])
    expect(await stage.start(person.apiKey, 'failed-key', WHEN_READY)).toMatchObject({ status: 409 })
    expect((await stage.deleteVideo(person.apiKey, 'lama.mkv')).status).toBe(200)
  })

  it.each([
    ['plan-ended', { plan_until: -10 * DAY_MS }],
    ['suspended', { suspended_at: 0 }],
  ])('ends where its owner has no right to it any more: %s', async (reason, change) => {
    const person = await somebody()
    const streamId = await startWaiting(person, `${reason}-key`)
    const now = stage.program.clock.now()
    const moments = Object.fromEntries(Object.entries(change).map(([name, ms]) => [name, now + ms]))
    await stage.program.setPlan(person.email, 'starter', moments)
    expect(await isEnded(streamId)).toMatchObject({ reason, worker: null })
    await masters.letGo(await userIdOf(person))
  })

  it.runIf(isWholeRun)(
    'goes on air too where another machine has prepared the video, and with another video that is ready',
    async () => {
      for (const [key, bring] of [
        ['elsewhere-key', (id: string) => setStatus(id, 'ready')],
        ['swapped-key', (_: string, apiKey: string, streamId: string) => stage.swap(apiKey, streamId, 'klip (1).mp4')],
      ] as const) {
        const { apiKey, email } = await personWithVideo(stage.program, stage.clip)
        await stage.program.setPlan(email, 'business')
        if (key === 'swapped-key') {
          await uploadVideo(stage.program.url, apiKey, stage.clip)
          await processed(stage.program.url, apiKey, 'klip (1).mp4')
        }
        const own = stage.program.db.selectFrom('videos').select('videos.id').where('filename', '=', 'klip.mp4')
        const { id } = await own.orderBy('created_at', 'desc').executeTakeFirstOrThrow()
        await setStatus(id, 'processing')
        const { body } = await stage.start(apiKey, key, { whenReady: true })
        await waitFor('it to wait', async () => (await stage.active(apiKey))[0]?.preparation)
        expect((await bring(id, apiKey, body.streamId)) ?? { status: 200 }).toMatchObject({ status: 200 })
        await stage.rtmp.waitForPublisher(key, { growing: true })
        await stage.stop(apiKey, body.streamId)
        await setStatus(id, 'ready')
      }
    },
  )
})

const setStatus = async (id: string, status: string): Promise<void> => {
  await stage.program.db.updateTable('videos').set({ status }).where('id', '=', id).execute()
}

it('a broadcast that waits for its video outlives kill -9 of the program', { timeout: 600_000 }, async () => {
  const siarin = await startSiarin({ env: masters.settings })
  const calls = streamCalls(siarin.url, stage.rtmp)
  const person = await somebody(siarin.url)
  const { body } = await calls.start(person.apiKey, 'killed-key', WHEN_READY)
  await waitFor('its preparation', async () => (await person.video())?.progress === 0, { timeoutMs: 60_000 })
  await siarin.kill9()
  await siarin.restart()
  await waitFor('its preparation again', async () => (await person.video())?.progress === 0, { timeoutMs: 60_000 })
  const [waiting] = await person.active()
  expect(waiting).toMatchObject({ streamId: body.streamId, state: 'queued', preparation: { progress: 0 } })
  const sends = async () => (await ffmpegsUnder(siarin.dataDir)).filter(({ args }) => args.includes('flv'))
  expect(await sends()).toEqual([])

  const db = openSqlite(join(siarin.dataDir, 'siarin.db'))
  const { id } = await db.selectFrom('users').select('id').where('email', '=', person.email).executeTakeFirstOrThrow()
  await db.destroy()
  await masters.letGo(id)
  await stage.rtmp.waitForPublisher('killed-key', { growing: true })
  await calls.stop(person.apiKey, body.streamId)
  expect((await call(siarin.url, 'GET', `/fitur/video?apiKey=${person.apiKey}`)).status).toBe(200)
  await siarin.dispose()
})
