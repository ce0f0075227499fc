import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { ffmpegsUnder, kill9 } from '@siarin/testkit/processes'
import { tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  call,
  personWithVideo,
  processed,
  signIn,
  startProgram,
  type TestProgram,
  uploadVideo,
} from './support/program.ts'

let program: TestProgram
let rtmp: RtmpServer
let folder: Awaited<ReturnType<typeof tempDir>>
let clip: string

beforeAll(async () => {
  folder = await tempDir('streams')
  clip = join(folder.path, 'klip.mp4')
  await makeClip(clip, { seconds: 3 })
  rtmp = await startRtmpServer()
  program = await startProgram()
})

afterAll(async () => {
  await program.close()
  await rtmp.stop()
  await folder.remove()
})

const start = (apiKey: string, key: string, more = {}) =>
  call(program.url, 'POST', '/fitur/steam/start', {
    body: { apiKey, source: 'klip.mp4', platform: 'lain', rtmpStream: `${rtmp.url}/${key}`, looping: true, ...more },
  })

const stop = (apiKey: string, streamId: string) =>
  call(program.url, 'POST', '/fitur/steam/stop', { body: { apiKey, streamId } })

const active = async (apiKey: string) =>
  (await call(program.url, 'GET', `/fitur/steam/active?apiKey=${apiKey}`)).body.streams

const ffmpegOf = async (streamId: string) =>
  (await ffmpegsUnder(program.dataDir)).filter(({ args }) => args.some((arg) => arg.includes(streamId)))

describe('a broadcast', () => {
  it('[API-05] is put on air in a loop at a real RTMP server', async () => {
    const { apiKey } = await personWithVideo(program.url, clip)
    const { status, body } = await start(apiKey, 'loop-key')
    expect(status).toBe(200)
    expect(body).toMatchObject({ success: true, message: 'Live stream berhasil dimulai!' })
    const before = await rtmp.waitForPublisher('loop-key', { growing: true })
    expect(before).toMatchObject({
      videoCodec: expect.stringContaining('H264'),
      audioCodec: expect.stringContaining('AAC'),
    })
    // Longer than the clip: only a loop still sends.
    await waitFor(
      'more than one pass of the clip',
      async () => ((await rtmp.publisher('loop-key'))?.timeMs ?? 0) > 4_500,
    )
    await stop(apiKey, body.streamId)
    await rtmp.waitForNoPublisher('loop-key')
  })

  it('[API-06] is listed while it runs, shows that it is live, and is gone when it was stopped', async () => {
    const { apiKey } = await personWithVideo(program.url, clip)
    const { body } = await start(apiKey, 'list-key', { title: 'Siaran malam' })
    const stream = await waitFor('the stream to be live', async () =>
      (await active(apiKey)).find((each: { state: string }) => each.state === 'live'),
    )
    expect(stream).toMatchObject({
      streamId: body.streamId,
      platform: 'lain',
      source: 'klip.mp4',
      title: 'Siaran malam',
      reason: null,
    })
    expect(Date.parse(stream.startedAt)).toBeGreaterThan(Date.now() - 60_000)
    expect(await ffmpegOf(body.streamId)).toHaveLength(1)

    const stopped = await stop(apiKey, body.streamId)
    expect(stopped).toMatchObject({ status: 200, body: { success: true, message: 'Live stream berhasil dihentikan!' } })
    expect(await active(apiKey)).toEqual([])
    expect(await ffmpegOf(body.streamId)).toEqual([])
    await rtmp.waitForNoPublisher('list-key')
    expect((await stop(apiKey, body.streamId)).status).toBe(404)
  })

  it('comes back when its ffmpeg is killed, and is never sent twice', async () => {
    const { apiKey } = await personWithVideo(program.url, clip)
    const { body } = await start(apiKey, 'kill-key')
    await rtmp.waitForPublisher('kill-key', { growing: true })
    for (let round = 0; round < 3; round++) {
      const [running] = await ffmpegOf(body.streamId)
      kill9(running)
      await waitFor('another ffmpeg', async () => {
        const [now, second] = await ffmpegOf(body.streamId)
        expect(second).toBeUndefined()
        return now && now.pid !== running?.pid
      })
      await rtmp.waitForPublisher('kill-key', { growing: true })
    }
    const [stream] = await waitFor('its state to be live', async () => {
      const streams = await active(apiKey)
      return streams[0]?.state === 'live' && streams
    })
    expect(stream.restarts).toBe(3)
    await stop(apiKey, body.streamId)
  })

  it('waits for a target that refuses it, says why, and ends after five tries', async () => {
    const { apiKey } = await personWithVideo(program.url, clip)
    const { body } = await start(apiKey, 'x', { rtmpStream: 'rtmp://127.0.0.1:9/live/nobody-here' })
    const waiting = await waitFor('the stream to wait', async () =>
      (await active(apiKey)).find((each: { state: string }) => each.state === 'waiting'),
    )
    expect(waiting.reason).toMatch(/\S+ \S+/)
    await waitFor('the stream to be given up', async () => (await active(apiKey)).length === 0, { timeoutMs: 40_000 })
    expect((await stop(apiKey, body.streamId)).status).toBe(404)
  })

  it('can be stopped while it waits', async () => {
    const { apiKey } = await personWithVideo(program.url, clip)
    const { body } = await start(apiKey, 'x', { rtmpStream: 'rtmp://127.0.0.1:9/live/nobody-here' })
    expect((await stop(apiKey, body.streamId)).status).toBe(200)
    expect(await active(apiKey)).toEqual([])
  })

  it('leaves its key in no log and no answer', async () => {
    const { apiKey } = await personWithVideo(program.url, clip)
    const { body } = await start(apiKey, 'x', {
      rtmpStream: 'rtmp://127.0.0.1:9/live/very-secret-key?token=abc123secret',
    })
    await waitFor('a try to fail', async () => (await active(apiKey))[0]?.state === 'waiting')
    const shown = JSON.stringify(await active(apiKey))
    await stop(apiKey, body.streamId)
    for (const text of [shown, program.logged()]) {
      expect(text).not.toContain('very-secret-key')
      expect(text).not.toContain('abc123secret')
      expect(text).not.toContain(apiKey)
    }
  })
})

describe('the video of a broadcast', () => {
  const swap = (apiKey: string, streamId: string, source: string) =>
    call(program.url, 'POST', '/fitur/steam/swap', { body: { apiKey, streamId, source } })

  async function withSecond(options: Parameters<typeof makeClip>[1]) {
    const { apiKey } = await personWithVideo(program.url, clip)
    const second = join(folder.path, `kedua-${options?.width ?? 0}.mp4`)
    await makeClip(second, options)
    await uploadVideo(program.url, apiKey, second, 'kedua.mp4')
    await processed(program.url, apiKey, 'kedua.mp4')
    return apiKey
  }

  it('goes on near where it was when its ffmpeg is killed, not from the start', async () => {
    const long = join(folder.path, 'panjang.mp4')
    await makeClip(long, { seconds: 60 })
    const { apiKey } = await personWithVideo(program.url, long)
    const { body } = await start(apiKey, 'position-key')
    await waitFor(
      'five seconds to have passed',
      async () => ((await rtmp.publisher('position-key'))?.timeMs ?? 0) > 5_000,
    )
    const [running] = await ffmpegOf(body.streamId)
    kill9(running)
    const again = await waitFor('another ffmpeg', async () => {
      const [now] = await ffmpegOf(body.streamId)
      return now && now.pid !== running?.pid && now
    })
    const list = again.args.find((arg) => arg.endsWith('/list'))?.replace('file:', '') ?? ''
    const inpoint = Number(/inpoint ([\d.]+)/.exec(await readFile(list, 'utf8'))?.[1])
    expect(inpoint).toBeGreaterThanOrEqual(3)
    expect(inpoint).toBeLessThan(30)
    await rtmp.waitForPublisher('position-key', { growing: true })
    await stop(apiKey, body.streamId)
  })

  it('is changed on air, at the end of a pass, without a drop of the session', async () => {
    const apiKey = await withSecond({ seconds: 4 })
    const { body } = await start(apiKey, 'swap-key')
    const before = await rtmp.waitForPublisher('swap-key', { growing: true })
    expect(await swap(apiKey, body.streamId, 'kedua.mp4')).toMatchObject({ status: 200, body: { success: true } })
    await waitFor('the second video to play', async () => (await active(apiKey))[0]?.source === 'kedua.mp4')
    await waitFor('nothing to be waited for', async () => (await active(apiKey))[0]?.nextSource === null)
    const after = await rtmp.waitForPublisher('swap-key', { growing: true })
    expect(after.id).toBe(before.id)
    expect(after.timeMs).toBeGreaterThan(before.timeMs)
    expect((await active(apiKey))[0]).toMatchObject({ state: 'live', restarts: 0 })
    const { events } = (await call(program.url, 'GET', `/fitur/steam/${body.streamId}/events?apiKey=${apiKey}`)).body
    expect(events[0]).toMatchObject({ kind: 'swapped', reason: 'kedua.mp4' })
    expect(events.filter(({ kind }: { kind: string }) => kind === 'swapped')).toHaveLength(1)
    await stop(apiKey, body.streamId)
  })

  it('of another size needs a new session, and gets it at once', async () => {
    const apiKey = await withSecond({ seconds: 3, width: 640, height: 360 })
    const { body } = await start(apiKey, 'size-key')
    await rtmp.waitForPublisher('size-key', { growing: true })
    await swap(apiKey, body.streamId, 'kedua.mp4')
    await waitFor('the larger picture', async () => (await rtmp.publisher('size-key'))?.width === 640)
    await waitFor('the list to say so', async () => (await active(apiKey))[0]?.source === 'kedua.mp4')
    await stop(apiKey, body.streamId)
  })

  it('is not changed to one that is not there, nor by a stranger', async () => {
    const { apiKey } = await personWithVideo(program.url, clip)
    const stranger = await personWithVideo(program.url, clip)
    const { body } = await start(apiKey, 'noswap-key')
    expect((await swap(apiKey, body.streamId, 'tidak-ada.mp4')).body.message).toBe('Sumber video tidak valid.')
    expect((await swap(stranger.apiKey, body.streamId, 'klip.mp4')).status).toBe(404)
    await stop(apiKey, body.streamId)
    expect((await swap(apiKey, body.streamId, 'klip.mp4')).status).toBe(404)
  })
})

describe('what is told of a broadcast', () => {
  it('are its figures while it runs, a timeline of what happened, and its time on air when it has ended', async () => {
    const { apiKey } = await personWithVideo(program.url, clip)
    const { body } = await start(apiKey, 'told-key')
    const stream = await waitFor('its figures', async () =>
      (await active(apiKey)).find(
        (each: { bitrate: number | null; speed: number | null }) => each.bitrate && each.speed,
      ),
    )
    expect(stream).toMatchObject({ state: 'live', reason: null, nextTryAt: null, frames: expect.any(Number) })
    expect(stream.bitrate).toBeGreaterThan(50)
    expect(stream.speed).toBeGreaterThan(0.5)
    expect(Date.parse(stream.since)).toBeGreaterThan(Date.parse(stream.startedAt) - 1)

    await rtmp.dropPublisher('told-key')
    await waitFor('it to be lost', async () => (await active(apiKey))[0]?.restarts === 1)
    await rtmp.waitForPublisher('told-key', { growing: true })
    await waitFor('a second on air again', async () => {
      const [now] = await active(apiKey)
      return now?.state === 'live' && now.uptime > 1
    })
    await stop(apiKey, body.streamId)

    const { events } = (await call(program.url, 'GET', `/fitur/steam/${body.streamId}/events?apiKey=${apiKey}`)).body
    expect(events.map(({ kind }: { kind: string }) => kind)).toEqual([
      'ended',
      'stop-asked',
      'back',
      'lost',
      'live',
      'asked',
    ])
    expect(events[3].reason).toMatch(/\S+ \S+/)
    expect(events[2].offAirSeconds).toBeGreaterThan(0)

    const { streams } = (await call(program.url, 'GET', `/fitur/steam/history?apiKey=${apiKey}`)).body
    expect(streams).toMatchObject([{ streamId: body.streamId, ended: 'stopped', restarts: 1, reason: null }])
    expect(streams[0].onAirSeconds).toBeGreaterThan(0)
    expect(streams[0].onAirPercent).toBeGreaterThan(10)
    const stranger = (await signIn(program.url)).user.apiKey
    expect((await call(program.url, 'GET', `/fitur/steam/${body.streamId}/events?apiKey=${stranger}`)).status).toBe(404)
  })

  it('is why it failed, after it was given up', async () => {
    const { apiKey } = await personWithVideo(program.url, clip)
    await start(apiKey, 'x', { rtmpStream: 'rtmp://127.0.0.1:9/live/never-there' })
    const [failed] = await waitFor(
      'it to be given up',
      async () => {
        const { streams } = (await call(program.url, 'GET', `/fitur/steam/history?apiKey=${apiKey}`)).body
        return streams.length > 0 && streams
      },
      { timeoutMs: 40_000 },
    )
    expect(failed).toMatchObject({ ended: 'failed', onAirSeconds: 0, reason: expect.stringMatching(/\S+ \S+/) })
  })

  it('is pushed as it happens, to its owner only', async () => {
    const { apiKey } = await personWithVideo(program.url, clip)
    const end = new AbortController()
    const response = await fetch(`${program.url}/fitur/steam/live?apiKey=${apiKey}`, { signal: end.signal })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    let seen = ''
    const reading = (async () => {
      for await (const part of response.body ?? []) seen += Buffer.from(part).toString()
    })().catch(() => {})
    await waitFor('the first push', async () => seen.includes('data: []'))
    const { body } = await start(apiKey, 'push-key')
    await waitFor('live to be pushed', async () => seen.includes(body.streamId) && seen.includes('"state":"live"'))
    await stop(apiKey, body.streamId)
    await waitFor('the end to be pushed', async () => seen.trim().endsWith('data: []'))
    end.abort()
    await reading
  })
})

describe('starting a broadcast', () => {
  it.each([
    ['without a source', { source: '' }, 400, 'Pilih video terlebih dahulu.'],
    ['on an unknown platform', { platform: 'myspace' }, 400, /Pilih platform/],
    ['without a key', { rtmpStream: ' ' }, 400, 'RTMP/stream key diperlukan.'],
    ['of an unknown video', { source: 'tidak-ada.mp4' }, 400, 'Sumber video tidak valid.'],
    ['of a local file', { source: 'file:///etc/passwd' }, 400, 'Sumber video tidak valid.'],
    ['to Lainnya with a bare key', { rtmpStream: 'abcd-efgh' }, 400, /rtmp:\/\//],
    ['with a key that has spaces', { platform: 'youtube', rtmpStream: 'ab cd' }, 400, /tidak valid/],
  ])('%s is refused with its sentence', async (_, change, status, message) => {
    const { apiKey } = await personWithVideo(program.url, clip)
    const reply = await start(apiKey, 'unused', change)
    expect(reply.status).toBe(status)
    expect(reply.body).toMatchObject({ success: false, message: expect.stringMatching(message) })
    expect(await active(apiKey)).toEqual([])
  })

  it('of a second one to the same key is refused, also of two at the same moment', async () => {
    const { apiKey } = await personWithVideo(program.url, clip)
    const replies = await Promise.all(Array.from({ length: 5 }, () => start(apiKey, 'one-key')))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
    expect(replies.find(({ status }) => status === 409)?.body.message).toContain('sudah berjalan')
    const [stream] = await active(apiKey)
    await stop(apiKey, stream.streamId)
    const again = await start(apiKey, 'one-key')
    expect(again.status).toBe(200)
    await stop(apiKey, again.body.streamId)
  })

  it("refuses someone else's video and someone else's stream", async () => {
    const owner = await personWithVideo(program.url, clip)
    const stranger = (await signIn(program.url)).user
    expect((await start(stranger.apiKey, 'stranger')).body.message).toBe('Sumber video tidak valid.')
    const { body } = await start(owner.apiKey, 'owner-key')
    expect((await stop(stranger.apiKey, body.streamId)).status).toBe(404)
    expect(await active(stranger.apiKey)).toEqual([])
    expect(await active(owner.apiKey)).toHaveLength(1)
    await stop(owner.apiKey, body.streamId)
  })
})
