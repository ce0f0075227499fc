import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@siarin/testkit/free-port'
import { startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { kill9 } from '@siarin/testkit/processes'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { personWithVideo, signIn } from './support/program.ts'
import { openStreamStage, type StreamStage } from './support/streams.ts'

let stage: StreamStage
/** The key of somebody who has nothing on air. */
let idleKey: string

beforeAll(async () => {
  stage = await openStreamStage()
  idleKey = (await personWithVideo(stage.program, stage.clip)).apiKey
})
afterAll(() => stage.close())

/** The key of somebody with a video. Each test has its own, for they run at once: most of their time is the wait before another try. */
async function somebody({ onTestFinished }: TestContext): Promise<string> {
  const { apiKey } = await personWithVideo(stage.program, stage.clip)
  onTestFinished(() => stage.stopAll(apiKey))
  return apiKey
}

/** How many there are at most at the same moment, from now on. */
function watchMost(list: () => Promise<unknown[]>) {
  let most = 0
  let isOver = false
  const watching = (async () => {
    for (; !isOver; await sleep(20)) most = Math.max(most, (await list()).length)
  })()
  return async (): Promise<number> => {
    isOver = true
    await watching
    return most
  }
}

const rowOf = (streamId: string) =>
  stage.program.db.selectFrom('streams').selectAll().where('id', '=', streamId).executeTakeFirstOrThrow()

describe.concurrent('a broadcast', () => {
  it('[API-05] is put on air in a loop at a real RTMP server', async (context) => {
    const apiKey = await somebody(context)
    const { status, body } = await stage.start(apiKey, 'loop-key')
    expect(status).toBe(200)
    expect(body).toMatchObject({ success: true, message: 'Live stream berhasil dimulai!' })
    const before = await stage.rtmp.waitForPublisher('loop-key', { growing: true })
    expect(before).toMatchObject({
      videoCodec: expect.stringContaining('H264'),
      audioCodec: expect.stringContaining('AAC'),
    })
    // Longer than the clip: only a loop still sends.
    await waitFor(
      'more than one pass of the clip',
      async () => ((await stage.rtmp.publisher('loop-key'))?.timeMs ?? 0) > 4_500,
    )
    await stage.stop(apiKey, body.streamId)
    await stage.rtmp.waitForNoPublisher('loop-key')
  })

  it('[API-06] is listed while it runs, shows that it is live, and is gone when it was stopped', async (context) => {
    const apiKey = await somebody(context)
    const { body } = await stage.start(apiKey, 'list-key', { title: 'Siaran malam' })
    const stream = await waitFor('the stream to be live', async () =>
      (await stage.active(apiKey)).find((each) => each.state === 'live'),
    )
    expect(stream).toMatchObject({
      streamId: body.streamId,
      platform: 'lain',
      source: 'klip.mp4',
      title: 'Siaran malam',
      reason: null,
    })
    expect(Date.parse(stream.startedAt)).toBeGreaterThan(Date.now() - 60_000)
    expect(await stage.ffmpegOf(body.streamId)).toHaveLength(1)

    const stopped = await stage.stop(apiKey, body.streamId)
    expect(stopped).toMatchObject({ status: 200, body: { success: true, message: 'Live stream berhasil dihentikan!' } })
    expect(await stage.active(apiKey)).toEqual([])
    expect(await stage.ffmpegOf(body.streamId)).toEqual([])
    await stage.rtmp.waitForNoPublisher('list-key')
    expect((await stage.stop(apiKey, body.streamId)).status).toBe(404)
  })

  it('comes back when its ffmpeg is killed, and is never sent twice', async (context) => {
    const apiKey = await somebody(context)
    const { body } = await stage.start(apiKey, 'kill-key')
    const mostAtOnce = watchMost(() => stage.ffmpegOf(body.streamId))
    let session = await stage.rtmp.waitForPublisher('kill-key', { growing: true })
    for (let round = 0; round < 3; round++) {
      const [running] = await stage.ffmpegOf(body.streamId)
      kill9(running)
      session = await stage.rtmp.waitForPublisher('kill-key', { growing: true, otherThan: session.id })
    }
    const stream = await waitFor('its state to be live', async () =>
      (await stage.active(apiKey)).find(({ state }) => state === 'live'),
    )
    expect(stream.restarts).toBe(3)
    expect(await mostAtOnce()).toBe(1)
  })

  it('waits for a target that refuses it, says why, and ends after five tries', async (context) => {
    const apiKey = await somebody(context)
    const { body } = await stage.start(apiKey, 'x', { rtmpStream: `${stage.rtmp.refusingUrl}/wrong-key` })
    const waiting = await waitFor('the stream to wait', async () =>
      (await stage.active(apiKey)).find((each) => each.state === 'waiting'),
    )
    expect(waiting.reason).toMatch(/^Platform menolak stream key/)
    const ended = await waitFor(
      'the stream to be given up',
      async () => (await stage.history(apiKey)).find(({ streamId }) => streamId === body.streamId),
      { timeoutMs: 120_000 },
    )
    expect(ended).toMatchObject({ ended: 'failed', restarts: 4, onAirSeconds: 0, reason: waiting.reason })
    expect((await stage.stop(apiKey, body.streamId)).status).toBe(404)
  })

  it('is not given up soon by a target that is only away, and is on air once that is there', async (context) => {
    const apiKey = await somebody(context)
    const port = await freePort()
    const { body } = await stage.start(apiKey, 'x', { rtmpStream: `rtmp://127.0.0.1:${port}/live/late` })
    const { waiting, row } = await waitFor('the stream to wait', async () => {
      const waiting = (await stage.active(apiKey)).find((each) => each.state === 'waiting')
      const row = JSON.parse((await rowOf(body.streamId)).state)
      return waiting && Date.parse(waiting.nextTryAt ?? '') === row.untilMs && { waiting, row }
    })
    expect(waiting.reason).toMatch(/^Server platform tidak bisa dihubungi\./)
    expect(row.untilMs - row.offAirSinceMs).toBeGreaterThanOrEqual(8_000)

    const late = await startRtmpServer({ port })
    await late.waitForPublisher('late', { growing: true, timeoutMs: 120_000 })
    await stage.stop(apiKey, body.streamId)
    await late.stop()
  })

  it('can be stopped while it waits', async (context) => {
    const apiKey = await somebody(context)
    const { body } = await stage.start(apiKey, 'x', { rtmpStream: 'rtmp://127.0.0.1:9/live/nobody-here' })
    await waitFor('the stream to wait', async () => (await stage.active(apiKey))[0]?.state === 'waiting')
    expect((await stage.stop(apiKey, body.streamId)).status).toBe(200)
    expect(await stage.active(apiKey)).toEqual([])
  })

  it('leaves its key in no log and no answer', async (context) => {
    const apiKey = await somebody(context)
    const { body } = await stage.start(apiKey, 'x', {
      rtmpStream: 'rtmp://127.0.0.1:9/live/very-secret-key?token=abc123secret',
    })
    await waitFor('a try to fail', async () => (await stage.active(apiKey))[0]?.state === 'waiting')
    const shown = JSON.stringify(await stage.active(apiKey))
    await stage.stop(apiKey, body.streamId)
    // What ffmpeg said of it was logged.
    expect(stage.program.logged()).toContain('/live/[secret]')
    for (const text of [shown, stage.program.logged()]) {
      expect(text).not.toContain('very-secret-key')
      expect(text).not.toContain('abc123secret')
      expect(text).not.toContain(apiKey)
    }
  })
})

describe.concurrent('a broadcast that has ended', () => {
  it('can be begun again with the key that is kept, by its owner only', async (context) => {
    const apiKey = await somebody(context)
    const first = await stage.start(apiKey, 'kept-key')
    await stage.rtmp.waitForPublisher('kept-key')
    const again = { rtmpStream: '', targetOf: first.body.streamId }
    expect(await stage.start(apiKey, '', again)).toMatchObject({ status: 409, body: { code: 'target_in_use' } })
    await stage.stop(apiKey, first.body.streamId)
    await stage.rtmp.waitForNoPublisher('kept-key')

    const stranger = await personWithVideo(stage.program, stage.clip)
    const foreign = await stage.start(stranger.apiKey, '', again)
    expect(foreign).toMatchObject({
      status: 404,
      body: { code: 'stream_not_found', message: 'Kunci dari siaran itu tidak tersimpan. Isi RTMP/stream key-nya.' },
    })
    const second = await stage.start(apiKey, '', again)
    expect(second.status).toBe(200)
    await stage.rtmp.waitForPublisher('kept-key', { growing: true })
    const shown = JSON.stringify([await stage.active(apiKey), await stage.history(apiKey), first, foreign, second])
    expect(shown).not.toContain('kept-key')
  })

  it('gives way to a key that is typed', async (context) => {
    const apiKey = await somebody(context)
    const { body: first } = await stage.start(apiKey, 'old-key')
    await stage.stop(apiKey, first.streamId)
    await stage.start(apiKey, 'new-key', { targetOf: first.streamId })
    await stage.rtmp.waitForPublisher('new-key')
    expect(await stage.rtmp.publisher('old-key')).toBeNull()
  })
})

describe.concurrent('starting a broadcast', () => {
  it.each([
    ['without a source', { source: '' }, 400, 'Pilih video terlebih dahulu.'],
    ['on an unknown platform', { platform: 'myspace' }, 400, /Pilih platform/],
    ['without a key', { rtmpStream: ' ' }, 400, 'RTMP/stream key diperlukan.'],
    ['without the field for it', { rtmpStream: undefined }, 400, 'RTMP/stream key diperlukan.'],
    ['with no stream to take the key of', { rtmpStream: '', targetOf: ' ' }, 400, 'RTMP/stream key diperlukan.'],
    ['of an unknown video', { source: 'tidak-ada.mp4' }, 400, 'Sumber video tidak valid.'],
    ['of a local file', { source: 'file:///etc/passwd' }, 400, 'Sumber video tidak valid.'],
    ['to Lainnya with a bare key', { rtmpStream: 'abcd-efgh' }, 400, /rtmp:\/\//],
    ['with a key that has spaces', { platform: 'youtube', rtmpStream: 'ab cd' }, 400, /tidak valid/],
  ])('%s is refused with its sentence', async (_, change, status, message) => {
    const reply = await stage.start(idleKey, 'unused', change)
    expect(reply.status).toBe(status)
    expect(reply.body).toMatchObject({ success: false, message: expect.stringMatching(message) })
    expect(await stage.active(idleKey)).toEqual([])
  })

  it('of a second one to the same key is refused, also of two at the same moment', async (context) => {
    const apiKey = await somebody(context)
    const replies = await Promise.all(Array.from({ length: 5 }, () => stage.start(apiKey, 'one-key')))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
    expect(replies.find(({ status }) => status === 409)?.body.message).toContain('sudah berjalan')
    const [stream] = await stage.active(apiKey)
    await stage.stop(apiKey, stream?.streamId ?? '')
    const again = await stage.start(apiKey, 'one-key')
    expect(again.status).toBe(200)
  })

  it("refuses someone else's video and someone else's stream", async (context) => {
    const apiKey = await somebody(context)
    const stranger = (await signIn(stage.program.url)).user
    expect((await stage.start(stranger.apiKey, 'stranger')).body.message).toBe('Sumber video tidak valid.')
    const { body } = await stage.start(apiKey, 'owner-key')
    expect((await stage.stop(stranger.apiKey, body.streamId)).status).toBe(404)
    expect(await stage.active(stranger.apiKey)).toEqual([])
    expect(await stage.active(apiKey)).toMatchObject([{ streamId: body.streamId }])
  })
})
