import { join } from 'node:path'
import { BROADCAST_TEXTS } from '@siarin/contracts/broadcast-texts'
import { TARGET_TEXTS } from '@siarin/contracts/target-texts'
import { STREAM_TEXTS } from '@siarin/contracts/texts'
import { makeClip } from '@siarin/testkit/clips'
import { kill9 } from '@siarin/testkit/processes'
import { waitFor } from '@siarin/testkit/wait-for'
import { isWholeRun } from '@siarin/testkit/whole-run'
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { broadcastCalls } from './support/broadcasts.ts'
import { addReadyVideo } from './support/prepared-videos.ts'
import { bearer, call, personWithVideo, processed, signIn, startProgram, uploadVideo } from './support/program.ts'
import { openStreamStage, type StreamStage } from './support/streams.ts'

let stage: StreamStage

beforeAll(async () => {
  stage = await openStreamStage()
  // The others' videos are copies of this one's.
  await personWithVideo(stage.program, stage.clip)
})
afterAll(() => stage.close())

const at = (key: string): string => `${stage.rtmp.url}/${key}`
const onAir = (key: string) => stage.rtmp.waitForPublisher(key, { growing: true })
const sessionOf = async (key: string) => (await stage.rtmp.publisher(key))?.id
const rowOf = (streamId: string) =>
  stage.program.db.selectFrom('streams').selectAll().where('id', '=', streamId).executeTakeFirstOrThrow()

/** Each test has a person of its own, for they run at once: most of their time passes on air. */
async function somebody({ onTestFinished }: TestContext) {
  const { apiKey } = await personWithVideo(stage.program, stage.clip)
  onTestFinished(() => stage.stopAll(apiKey))
  const calls = broadcastCalls(stage.program.url, apiKey)
  return {
    ...{ apiKey, calls },
    /** On air at these keys. */
    async goLive(keys: readonly string[], more = {}): Promise<{ id: string; streamIds: string[] }> {
      const { status, body } = await calls.start(keys.map(at), more)
      expect({ status, message: body.message }).toEqual({ status: 200, message: BROADCAST_TEXTS.started(keys.length) })
      await calls.waitForStates(
        body.broadcastId,
        keys.map(() => 'live'),
      )
      return { id: body.broadcastId, streamIds: body.streamIds }
    },
  }
}

describe.concurrent('a broadcast to several targets', { timeout: 120_000 }, () => {
  it('[TGT-03] is on air where it can be, says why where it cannot, and one that falls harms no other', async (context) => {
    const { apiKey, calls } = await somebody(context)
    const { status, body } = await calls.start([at('one'), at('two'), `${stage.rtmp.refusingUrl}/three`])
    expect(status).toBe(200)
    const [first, second] = body.streamIds
    expect(body.streamIds).toHaveLength(3)
    expect(body.broadcastId).toBe(first)
    const sessions = await Promise.all([onAir('one'), onAir('two')])
    const { streams } = await calls.waitForStates(body.broadcastId, ['live', 'live', 'waiting'])
    expect(streams[2]?.reason).toMatch(/^Platform menolak stream key/)
    expect(streams.map(({ ended }) => ended)).toEqual([null, null, null])
    // Each is a stream of its own to the calls of streams.
    const active = await stage.active(apiKey)
    expect(active.map(({ streamId }) => streamId).sort()).toEqual([...body.streamIds].sort())
    for (const stream of active) {
      expect(stream).toMatchObject({ broadcastId: body.broadcastId, targetId: null, targetName: null })
    }

    const [running] = await stage.ffmpegOf(first)
    kill9(running)
    await stage.rtmp.waitForPublisher('one', { growing: true, otherThan: sessions[0]?.id })
    expect(await sessionOf('two')).toBe(sessions[1]?.id)

    // The first has the id of the broadcast, and still it alone ends.
    expect(await stage.stop(apiKey, first)).toMatchObject({ status: 200, body: { message: STREAM_TEXTS.stopped } })
    await stage.rtmp.waitForNoPublisher('one')
    expect(await sessionOf('two')).toBe(sessions[1]?.id)
    const left = await calls.show(body.broadcastId)
    expect(left).toMatchObject({ state: 'live', endedAt: null })
    expect(left.streams[0]).toMatchObject({ state: 'ended', ended: 'stopped' })

    expect(await calls.stop(body.broadcastId)).toMatchObject({ status: 200, body: { message: STREAM_TEXTS.stopped } })
    await stage.rtmp.waitForNoPublisher('two')
    expect(await calls.show(body.broadcastId)).toMatchObject({ state: 'ended', endedAt: expect.any(String) })
    expect(await stage.active(apiKey)).toEqual([])
    const ended = (await stage.history(apiKey)).filter(({ broadcastId }) => broadcastId === body.broadcastId)
    expect(ended.map(({ streamId }) => streamId).sort()).toEqual([...body.streamIds].sort())
    for (const stream of ended) expect(stream).toMatchObject({ targetId: null, targetName: null })
    expect((await stage.events(apiKey, second)).map(({ kind }) => kind)).toEqual([
      'ended',
      'stop-asked',
      'live',
      'asked',
    ])
    expect((await calls.stop(body.broadcastId)).status).toBe(404)
  })

  it('[TGT-03] takes targets on air from where the others are, and lets go of them', async (context) => {
    const { apiKey, calls, goLive } = await somebody(context)
    const long = join(stage.folder, 'panjang.mp4')
    await makeClip(long, { seconds: 3.2, times: 10 })
    await uploadVideo(stage.program.url, apiKey, long, 'panjang.mp4')
    await processed(stage.program.url, apiKey, 'panjang.mp4')
    const { id } = await goLive(['kept'], { source: 'panjang.mp4' })
    const session = await sessionOf('kept')
    let streamId = ''
    let begunMs = 0
    // Its keeper may write down where it really is just before it is looked at.
    for (const key of ['added', 'added-again', 'added-at-last']) {
      await stage.program.db.updateTable('streams').set({ position_ms: 20_000 }).where('id', '=', id).execute()
      const added = await calls.add(id, [at(key)])
      expect(added).toMatchObject({ status: 200, body: { message: BROADCAST_TEXTS.added(1) } })
      ;[streamId] = added.body.streamIds
      await onAir(key)
      await waitFor('its start', async () => (await rowOf(streamId)).live_since !== null)
      begunMs = (await rowOf(streamId)).position_from_ms
      if (begunMs > 15_000) break
    }
    expect(begunMs).toBeGreaterThan(15_000)
    expect(begunMs).toBeLessThanOrEqual(20_000)
    // An address that is on air already, and one too many.
    expect(await calls.add(id, [at('fresh'), at('added')])).toMatchObject({
      status: 409,
      body: { code: 'target_in_use' },
    })
    const many = Array.from({ length: 19 }, (_, index) => at(`many-${index}`))
    expect(await calls.add(id, many)).toMatchObject({
      status: 400,
      body: { message: BROADCAST_TEXTS.targetsTooMany(20) },
    })

    expect(await calls.remove(id, streamId)).toMatchObject({ status: 200, body: { message: BROADCAST_TEXTS.removed } })
    const { streams } = await calls.show(id)
    expect(streams.find((stream) => stream.streamId === streamId)).toMatchObject({ state: 'ended', ended: 'stopped' })
    expect(streams[0]).toMatchObject({ streamId: id, state: 'live' })
    expect(await sessionOf('kept')).toBe(session)
    expect((await calls.remove(id, streamId)).status).toBe(404)
    await calls.stop(id)
    expect((await calls.add(id, [at('late')])).status).toBe(404)
  })

  it.runIf(isWholeRun)(
    'changes its video at each target at the end of a pass, in the same session, and keeps both videos until then',
    async (context) => {
      const { apiKey, calls, goLive } = await somebody(context)
      const other = join(stage.folder, 'kedua.mp4')
      await makeClip(other, { seconds: 3, picture: 'smptebars' })
      await uploadVideo(stage.program.url, apiKey, other, 'kedua.mp4')
      await processed(stage.program.url, apiKey, 'kedua.mp4')
      const { id, streamIds } = await goLive(['swap-a', 'swap-b'])
      const sessions = await Promise.all([sessionOf('swap-a'), sessionOf('swap-b')])
      expect((await stage.swap(apiKey, id, 'kedua.mp4')).status).toBe(200)
      expect((await stage.deleteVideo(apiKey, 'klip.mp4')).status).toBe(409)
      const changed = await waitFor('both to have changed', async () => {
        const { streams, sourceName } = await calls.show(id)
        return streams.every((stream) => stream.sourceName === 'kedua.mp4') && { streams, sourceName }
      })
      expect(changed.sourceName).toBe('kedua.mp4')
      expect(changed.streams.map(({ nextSource }) => nextSource)).toEqual([null, null])
      expect(await Promise.all([sessionOf('swap-a'), sessionOf('swap-b')])).toEqual(sessions)
      for (const streamId of streamIds) {
        const swaps = (await stage.events(apiKey, streamId)).filter(({ kind }) => kind === 'swapped')
        expect(swaps).toHaveLength(1)
      }
      await calls.stop(id)
    },
  )

  it('is listed page by page, and is nobody else’s', async (context) => {
    const { calls } = await somebody(context)
    const ids: string[] = []
    for (const key of ['page-a', 'page-b', 'page-c']) ids.unshift((await calls.start([at(key)])).body.broadcastId)
    const first = (await calls.list('?limit=2')).body
    const second = (await calls.list(`?limit=2&cursor=${first.nextCursor}`)).body
    const listed = [...first.broadcasts, ...second.broadcasts].map(({ broadcastId }) => broadcastId)
    expect([...listed].sort()).toEqual([...ids].sort())
    expect([first.broadcasts.length, second.nextCursor]).toEqual([2, null])
    expect((await calls.list('?cursor=bukan')).body).toMatchObject({ message: BROADCAST_TEXTS.cursorInvalid })
    expect((await calls.list('?limit=0')).status).toBe(400)

    const stranger = broadcastCalls(stage.program.url, (await signIn(stage.program.url)).user.apiKey)
    const [id = ''] = ids
    expect((await stranger.list()).body).toMatchObject({ message: BROADCAST_TEXTS.none, broadcasts: [] })
    const answers = [stranger.get(`/fitur/broadcast/${id}`), stranger.stop(id), stranger.remove(id, id)]
    for (const { status } of await Promise.all([...answers, stranger.add(id, [at('theirs')])])) expect(status).toBe(404)
    for (const each of ids) await calls.stop(each)
  })

  it('refuses what cannot be: the same address twice, no target, an unknown one', async (context) => {
    const { apiKey, calls } = await somebody(context)
    expect(await calls.start([at('twin'), at('other'), at('twin')])).toMatchObject({
      status: 409,
      body: { code: 'target_in_use', message: BROADCAST_TEXTS.targetTwice },
    })
    expect((await calls.start([])).body.message).toBe(BROADCAST_TEXTS.targetsRequired)
    const start = (targets: unknown) => calls.start([], { targets })
    expect(await start([{ targetId: 'tidak-ada' }])).toMatchObject({
      status: 404,
      body: { message: TARGET_TEXTS.notFound },
    })
    expect((await start([{ rtmpStream: at('x') }])).body.message).toBe(STREAM_TEXTS.platformUnknown)
    expect((await start([{ platform: 'lain' }])).body.message).toBe(STREAM_TEXTS.keyRequired)
    expect((await start('satu')).body.message).toBe(BROADCAST_TEXTS.targetsRequired)
    expect(await stage.active(apiKey)).toEqual([])
  })

  it('ends as a whole with the account of its owner', async () => {
    const { user, token, password } = await signIn(stage.program.url)
    await addReadyVideo(stage.program, user, stage.clip, async () => {
      await uploadVideo(stage.program.url, user.apiKey, stage.clip)
      return (await processed(stage.program.url, user.apiKey, 'klip.mp4')).filename
    })
    const own = broadcastCalls(stage.program.url, user.apiKey)
    const { body } = await own.start([at('gone-a'), at('gone-b')])
    await own.waitForStates(body.broadcastId, ['live', 'live'])
    const answer = await call(stage.program.url, 'DELETE', '/auth/profile', {
      body: { currentPassword: password, confirm: user.username },
      headers: bearer(token),
    })
    expect(answer.status).toBe(200)
    await Promise.all([stage.rtmp.waitForNoPublisher('gone-a'), stage.rtmp.waitForNoPublisher('gone-b')])
    const rows = stage.program.db.selectFrom('streams').select('id').where('id', 'in', body.streamIds)
    await waitFor('its rows to go', async () => (await rows.execute()).length === 0)
  })
})

describe.concurrent('a broadcast to several targets has its places', { timeout: 120_000 }, () => {
  it('[TGT-03] in the plan and on the machine, all of them or none, and ends with the plan at each target', async () => {
    const program = await startProgram({ ENFORCE_PLANS: 'true', MAX_STREAMS_PER_WORKER: '4' })
    const user = await personWithVideo(program, stage.clip)
    await program.setPlan(user.email, 'starter')
    const own = broadcastCalls(program.url, user.apiKey)
    const started = (await own.start([at('place-a'), at('place-b')])).body
    const over = await own.start([at('place-c'), at('place-d')])
    expect(over).toMatchObject({ status: 403, body: { code: 'plan_limit' } })
    expect(over.body.message).toContain(BROADCAST_TEXTS.needsPlaces(2, 1))
    expect((await own.add(started.broadcastId, [at('place-c'), at('place-d')])).status).toBe(403)
    await program.setPlan(user.email, 'business')
    expect(await own.start(['c', 'd', 'e'].map(at))).toMatchObject({
      status: 503,
      body: { code: 'server_full', message: BROADCAST_TEXTS.noRoomForAll(3) },
    })
    expect(await own.statesOf(started.broadcastId)).toHaveLength(2)
    // The place of one that has ended is free, also while the rest of its broadcast goes on.
    await own.remove(started.broadcastId, started.streamIds[0])
    const next = await own.start(['c', 'd', 'e'].map(at))
    expect(next.status).toBe(200)
    await own.waitForStates(next.body.broadcastId, ['live', 'live', 'live'])

    await program.setPlan(user.email, 'starter', { plan_until: Date.now() - 30 * 86_400_000 })
    await waitFor('all to have ended with their pass', async () =>
      (await program.phasesOf(user.email)).every((phase) => phase === 'ended'),
    )
    const causes = await program.db.selectFrom('streams').select('reason').where('phase', '=', 'ended').execute()
    expect(causes.filter(({ reason }) => reason === 'plan-ended')).toHaveLength(4)
    await program.close()
  })
})
