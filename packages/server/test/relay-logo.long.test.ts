import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { BRANDING_TEXTS } from '@siarin/contracts/branding-texts'
import type { ActiveStream } from '@siarin/contracts/streams'
import { ONLINE_TEXTS } from '@siarin/contracts/texts'
import { type HlsSource, startHlsSource } from '@siarin/testkit/hls-source'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { brandCalls, makePng, pixelsOf } from './support/brand.ts'
import { personWithVideo } from './support/program.ts'
import { openStreamStage, type StreamStage } from './support/streams.ts'

const PATIENT = { timeoutMs: 120_000 }
const LOGO = { corner: 'tr', size: 20, margin: 0, opacity: 100 }

let stage: StreamStage
let source: HlsSource
let apiKey: string

beforeAll(async () => {
  stage = await openStreamStage({ MAX_RELAY_ENCODES: '1' }, {}, { record: true })
  source = await startHlsSource({ width: 320, height: 180 })
  apiKey = (await personWithVideo(stage.program, stage.clip)).apiKey
}, 600_000)

afterEach(() => stage.stopAll(apiKey))

afterAll(async () => {
  await stage?.close()
  await source?.dispose()
})

const live = (streamId: string): Promise<ActiveStream> =>
  waitFor(
    'it to be live',
    async () => (await stage.active(apiKey)).find((each) => each.streamId === streamId && each.state === 'live'),
    PATIENT,
  )

const relay = (key: string, more: Record<string, unknown> = {}) =>
  stage.start(apiKey, key, { source: source.url, logo: LOGO, ...more })

/** In what the ingest got last under this name, the least by which a pixel of the logo's box is redder than green. */
async function redness(name: string): Promise<number> {
  await stage.rtmp.waitForPublisher(name, { growing: true, ...PATIENT })
  const pixels = await waitFor(
    'a picture of it',
    async () => {
      const files = await stage.rtmp.recordings()
      const file = files.filter((each) => basename(each).startsWith(name)).at(-1)
      const found = file ? await pixelsOf(file, 1).catch(() => null) : null
      return found?.length ? found : null
    },
    PATIENT,
  )
  // 64 by 32 pixels in the upper right corner, without its edge.
  const inside = Array.from({ length: 56 * 24 }, (_, at) => (4 + Math.floor(at / 56)) * 320 + 260 + (at % 56))
  return Math.min(...inside.map((at) => (pixels[3 * at] ?? 0) - (pixels[3 * at + 1] ?? 0)))
}

describe('[BRAND-01] the logo on an online source', { timeout: 600_000 }, () => {
  it('is refused where there is none, and for a video, which gets a version of its own', async () => {
    const none = await relay('refused')
    expect([none.status, none.body.message]).toEqual([400, BRANDING_TEXTS.noLogo])
    await brandCalls(stage.program, apiKey).putLogo(await makePng(200, 100, 'red'))
    const video = await relay('refused', { source: 'klip.mp4' })
    expect([video.status, video.body.message]).toEqual([400, BRANDING_TEXTS.logoOfOnline])
    const odd = await relay('refused', { logo: { ...LOGO, corner: 'middle' } })
    expect([odd.status, odd.body.message]).toEqual([400, BRANDING_TEXTS.cornerInvalid])
  })

  it('stands on the picture that the ingest gets; the next one, with no encoder free, is on air without it and says so', async () => {
    const first = (await relay('with-logo')).body.streamId
    expect((await live(first)).note).toBe(ONLINE_TEXTS.logoEncoded)
    expect(await redness('with-logo')).toBeGreaterThan(150)

    const second = (await relay('without')).body.streamId
    expect((await live(second)).note).toBe(ONLINE_TEXTS.logoLeftOut)
    expect(await redness('without')).toBeLessThan(150)
    const ffmpeg = await stage.ffmpegOf(second)
    expect(ffmpeg.flatMap(({ args }) => args).join(' ')).toContain('-c:v copy')
  })

  it('stays through a kill -9 of ffmpeg, also when the kit has lost its logo since', async () => {
    const streamId = (await relay('kept')).body.streamId
    await live(streamId)
    const before = await stage.rtmp.waitForPublisher('kept', { growing: true, ...PATIENT })
    await brandCalls(stage.program, apiKey).removeLogo()
    for (const { pid } of await stage.ffmpegOf(streamId)) process.kill(pid, 'SIGKILL')
    await waitFor(
      'another session',
      async () => {
        const now = await stage.rtmp.publisher('kept')
        return now && now.id !== before.id
      },
      PATIENT,
    )
    await sleep(1_000)
    expect((await live(streamId)).note).toBe(ONLINE_TEXTS.logoEncoded)
    expect(await redness('kept')).toBeGreaterThan(150)
  })
})
