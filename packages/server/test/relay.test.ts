import { setTimeout as sleep } from 'node:timers/promises'
import type { ActiveStream } from '@siarin/contracts/streams'
import { ONLINE_TEXTS, STREAM_TEXTS } from '@siarin/contracts/texts'
import { freePort } from '@siarin/testkit/free-port'
import { type HlsSource, type HlsSourceOptions, startHlsSource } from '@siarin/testkit/hls-source'
import { waitFor } from '@siarin/testkit/wait-for'
import { isWholeRun } from '@siarin/testkit/whole-run'
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { personWithVideo } from './support/program.ts'
import { openStreamStage, type StreamStage } from './support/streams.ts'

const PATIENT = { timeoutMs: 120_000 }
/** No platform takes these. */
const ODD = { videoCodec: 'mpeg2video', audioCodec: 'mp2' }

let stage: StreamStage
/** It goes on all the time: who ends one has it of its own. */
let source: HlsSource
/** The key of somebody who has nothing on air. */
let idleKey: string
let closedPort: number

beforeAll(async () => {
  stage = await openStreamStage({ MAX_RELAY_ENCODES: '1' })
  source = await startHlsSource()
  closedPort = await freePort()
  idleKey = (await personWithVideo(stage.program, stage.clip)).apiKey
}, 600_000)

afterAll(async () => {
  await stage?.close()
  await source?.dispose()
})

async function sourceOf({ onTestFinished }: TestContext, options: HlsSourceOptions = {}): Promise<HlsSource> {
  const own = await startHlsSource(options)
  onTestFinished(() => own.dispose())
  return own
}

/** Somebody who relays. Each test has its own, for they run at once: what takes long is to see that nothing comes any more. */
async function somebody({ onTestFinished }: TestContext) {
  const { apiKey } = await personWithVideo(stage.program, stage.clip)
  onTestFinished(() => stage.stopAll(apiKey))
  const events = (streamId: string) => stage.events(apiKey, streamId)
  return {
    apiKey,
    async relay(key: string, more: Record<string, unknown> = {}): Promise<string> {
      const { status, body } = await stage.start(apiKey, key, { source: source.url, ...more })
      expect([status, body.message]).toEqual([200, expect.any(String)])
      return body.streamId
    },
    until: (streamId: string, what: string, holds: (stream: ActiveStream) => boolean) =>
      waitFor(
        what,
        async () => {
          const stream = (await stage.active(apiKey)).find((each) => each.streamId === streamId)
          return stream && holds(stream) && stream
        },
        PATIENT,
      ),
    kindsOf: async (streamId: string) => (await events(streamId)).map(({ kind }) => kind).reverse(),
    stop: (streamId: string) => stage.stop(apiKey, streamId),
  }
}

const argsOf = async (streamId: string) => (await stage.ffmpegOf(streamId)).flatMap(({ args }) => args).join(' ')

/** Silence too is sound: some platforms end a broadcast without any. */
const waitForSound = (name: string, otherThan?: number) =>
  waitFor(
    'its sound',
    async () => {
      const now = await stage.rtmp.publisher(name)
      return now && now.id !== otherThan && now.audioCodec === 'AAC'
    },
    PATIENT,
  )

describe.concurrent('an online source', { timeout: 600_000 }, () => {
  it('is relayed as it is, and its address is no secret to its owner alone', async (context) => {
    const { apiKey, relay, until, stop } = await somebody(context)
    const streamId = await relay('as-it-is')
    await stage.rtmp.waitForPublisher('as-it-is', { growing: true, ...PATIENT })
    const stream = await until(streamId, 'it to be live', ({ state }) => state === 'live')
    expect(stream).toMatchObject({ source: source.url, online: true, onFallback: false, fallback: null, note: null })
    expect(await argsOf(streamId)).toContain('-c:v copy -c:a copy')
    expect(await stage.program.dump()).not.toContain(source.url)
    const { body } = await stage.preview(apiKey, streamId)
    expect(body.previewUrl).toMatch(/^\/fitur\/online\/preview\/.*\.m3u8/)
    const refused = await stage.swap(apiKey, streamId, 'klip.mp4')
    expect([refused.status, refused.body.message]).toEqual([409, ONLINE_TEXTS.swapImpossible])
    await stop(streamId)
  })

  it.runIf(isWholeRun)('whose playlist names variants is relayed too', async (context) => {
    const { relay, stop } = await somebody(context)
    const streamId = await relay('variants', { source: source.masterUrl })
    await stage.rtmp.waitForPublisher('variants', { growing: true, ...PATIENT })
    await stop(streamId)
  })

  it('that goes is waited for, and sent on when it is back', async (context) => {
    const [own, { relay, until, kindsOf, stop }] = await Promise.all([sourceOf(context), somebody(context)])
    const streamId = await relay('waited-for', { source: own.url })
    await until(streamId, 'it to be live', ({ state }) => state === 'live')
    own.stop()
    const waiting = await until(streamId, 'it to wait', ({ state }) => state === 'waiting')
    expect(waiting.reason).toMatch(/^Sumber online sedang tidak siaran/)
    own.resume()
    await until(streamId, 'it to be live again', ({ state }) => state === 'live')
    await stage.rtmp.waitForPublisher('waited-for', { growing: true, ...PATIENT })
    expect(await kindsOf(streamId)).toEqual(['asked', 'live', 'lost', 'back'])
    await stop(streamId)
  })

  it.for([
    ['stands still', (own: HlsSource) => own.freeze()],
    ['has ended', (own: HlsSource) => own.end()],
  ] as const)(
    'that %s gives way to the video that stands in, and takes over again when it is back',
    async ([how, go], context) => {
      const [own, { apiKey, relay, until, kindsOf, stop }] = await Promise.all([sourceOf(context), somebody(context)])
      const key = how.replace(' ', '-')
      const streamId = await relay(key, { source: own.url, fallback: 'klip.mp4' })
      await until(streamId, 'it to be live', ({ state, onFallback }) => state === 'live' && !onFallback)
      await go(own)
      const away = await until(
        streamId,
        'the video to stand in',
        ({ state, onFallback }) => state === 'live' && onFallback,
      )
      expect(away).toMatchObject({ fallback: 'klip.mp4', reason: null, source: own.url })
      await stage.rtmp.waitForPublisher(key, { growing: true, ...PATIENT })
      expect((await stage.deleteVideo(apiKey, 'klip.mp4')).status).toBe(409)
      own.resume()
      await until(streamId, 'the source to be back', ({ state, onFallback }) => state === 'live' && !onFallback)
      await stage.rtmp.waitForPublisher(key, { growing: true, ...PATIENT })
      const kinds = await kindsOf(streamId)
      // On a busy machine the source may seem to be away once more.
      const turns = kinds.filter((kind) => ['fallback', 'source-back'].includes(kind))
      expect(turns.slice(0, 2)).toEqual(['fallback', 'source-back'])
      await stop(streamId)
    },
  )

  it.runIf(isWholeRun)('may be away at the start when a video stands in for it', async (context) => {
    const [own, { apiKey, relay, until, stop }] = await Promise.all([sourceOf(context), somebody(context)])
    own.stop()
    const refused = await stage.start(apiKey, 'early', { source: own.url })
    expect([refused.status, refused.body.message]).toEqual([502, ONLINE_TEXTS.urlAnswered(404)])
    const streamId = await relay('early', { source: own.url, fallback: 'klip.mp4' })
    await until(streamId, 'the video to be on air', ({ state, onFallback }) => state === 'live' && onFallback)
    own.resume()
    await until(streamId, 'the source to be on air', ({ state, onFallback }) => state === 'live' && !onFallback)
    await stop(streamId)
  })

  it('that no platform takes is re-encoded and said to be; one more than there is room for waits', async (context) => {
    const [odd, { relay, until, stop }] = await Promise.all([sourceOf(context, ODD), somebody(context)])
    const first = await relay('encoded', { source: odd.url })
    await stage.rtmp.waitForPublisher('encoded', { growing: true, ...PATIENT })
    expect(await until(first, 'it to be live', ({ state }) => state === 'live')).toMatchObject({
      note: ONLINE_TEXTS.encoded,
    })
    const second = await relay('one-too-many', { source: odd.masterUrl, fallback: 'klip.mp4' })
    await until(second, 'its stand-in', ({ state, onFallback }) => state === 'live' && onFallback)
    // It stays on air there: that the source is well is no reason to try while there is no room for it.
    const before = await stage.ffmpegOf(second)
    // Only who looks whether a source is back asks for its variants.
    const looks = () => odd.requests().filter((path) => path.includes('master')).length
    const looked = looks()
    await waitFor('a look at the source', async () => looks() > looked)
    await sleep(2_000)
    expect(await stage.ffmpegOf(second)).toEqual(before)
    await stop(first)
    await until(second, 'its turn', ({ state, onFallback }) => state === 'live' && !onFallback)
    await stop(second)
  })

  it.runIf(isWholeRun)('that comes back with other codecs is looked at anew', async (context) => {
    const { relay, until, stop } = await somebody(context)
    const { url, ...loud } = await startHlsSource()
    const port = Number(new URL(url).port)
    const streamId = await relay('changed', { source: url })
    const first = await stage.rtmp.waitForPublisher('changed', { growing: true, ...PATIENT })
    await until(streamId, 'it to be live', ({ state }) => state === 'live')
    expect(await argsOf(streamId)).toContain('-c:v copy -c:a copy')
    await loud.dispose()
    await until(streamId, 'it to wait', ({ state }) => state === 'waiting')
    await sourceOf(context, { audioCodec: null, port })
    await until(streamId, 'it to be live again', ({ state }) => state === 'live')
    expect(await argsOf(streamId)).toMatch(/ anullsrc=.* -map 1:a:0 -c:v copy -c:a aac /)
    await waitForSound('changed', first.id)
    await stop(streamId)
  })

  it.runIf(isWholeRun)('without sound gets silence', async (context) => {
    const [mute, { relay, stop }] = await Promise.all([sourceOf(context, { audioCodec: null }), somebody(context)])
    const streamId = await relay('mute', { source: mute.url })
    await waitForSound('mute')
    await stop(streamId)
  })

  it.each([
    ['a page', () => `${stage.program.url}/healthz`, 400, ONLINE_TEXTS.notHls],
    ['what is not there', () => source.url.replace('live', 'gone'), 502, ONLINE_TEXTS.urlAnswered(404)],
    [
      'an address that nobody answers',
      () => `http://127.0.0.1:${closedPort}/live.m3u8`,
      502,
      ONLINE_TEXTS.urlUnreachable,
    ],
    ['another scheme', () => 'ftp://example.com/live.m3u8', 400, STREAM_TEXTS.sourceInvalid],
    ['a password in it', () => source.url.replace('http://', 'http://me:secret@'), 400, ONLINE_TEXTS.urlInvalid],
  ])('is refused with words: %s', async (_, url, status, message) => {
    const refused = await stage.start(idleKey, 'refused', { source: url() })
    expect([refused.status, refused.body.message]).toEqual([status, message])
    expect(await stage.active(idleKey)).toEqual([])
  })

  it('needs a stand-in that is there', async () => {
    const refused = await stage.start(idleKey, 'refused', { source: source.url, fallback: 'tidak-ada.mp4' })
    expect([refused.status, refused.body.message]).toEqual([400, ONLINE_TEXTS.fallbackInvalid])
  })
})
