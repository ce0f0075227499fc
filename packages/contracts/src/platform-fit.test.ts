import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitOf, recipeFor, recipeToSend, type SentVideo } from './platform-fit.ts'
import type { PlatformTakes } from './platform-preset.ts'
import { PLATFORM_PRESETS, presetAt, presetOf } from './platform-presets.ts'
import { parseRecipe } from './recipes.ts'

const VIDEO: SentVideo = { status: 'ready', bitrate: 4500, width: 1920, height: 1080, fps: 30, videoCodec: 'h264' }

function kinds(platform: string, change: Partial<SentVideo> = {}): string[] {
  const preset = presetOf(platform)
  if (!preset) throw new Error(`no preset ${platform}`)
  return fitOf({ ...VIDEO, ...change }, preset).findings.map(({ kind, effect }) => `${kind} ${effect}`)
}

describe('[TGT-02] a video and a platform', () => {
  it.each(['youtube', 'facebook', 'tiktok', 'twitch', 'kick', 'shopee'])('fit: an ordinary one and %s', (platform) => {
    expect(kinds(platform)).toEqual([])
  })

  it.each([
    ['twitch', { bitrate: 9000 }, ['bitrate degraded']],
    ['youtube', { bitrate: 9000 }, []],
    ['facebook', { bitrate: 12_000 }, ['bitrate degraded']],
    ['tiktok', { fps: 60 }, ['fps degraded']],
    ['tiktok', { fps: 29.97 }, []],
    ['twitch', { fps: 59.94 }, []],
    ['mixcloud', {}, ['size degraded']],
    ['mixcloud', { width: 720, height: 1280 }, []],
    ['instagram', {}, ['upright degraded']],
    ['instagram', { width: 1080, height: 1920 }, []],
    ['twitch', { videoCodec: 'hevc' }, ['codec refused']],
    ['youtube', { videoCodec: 'hevc' }, []],
    ['chzzk', {}, ['keyframes degraded']],
    [
      'twitch',
      { videoCodec: 'hevc', bitrate: 20_000, fps: 120 },
      ['codec refused', 'bitrate degraded', 'fps degraded'],
    ],
  ] as const)('%s with %j: %j', (platform, change, expected) => {
    expect(kinds(platform, change)).toEqual(expected)
  })

  it('leave room for the sound and for an average that is just above', () => {
    expect(kinds('twitch', { bitrate: 6000 + 320 })).toEqual([])
    expect(kinds('twitch', { bitrate: 6800 })).toEqual(['bitrate degraded'])
  })

  it('come with one way out', () => {
    const twitch = presetOf('twitch')
    const fit = twitch && fitOf({ ...VIDEO, bitrate: 9000 }, twitch)
    expect(fit?.findings[0]?.text).toBe(
      'Video ini rata-rata 9.000 kbps, Twitch menerima paling tinggi 6.000 kbps. Siarannya bisa tersendat atau diputus.',
    )
    expect(fit?.wayOut).toBe(
      'Siapkan ulang untuk Twitch: 6.000 kbps. Ekspor begitu dari aplikasi edit Anda, lalu upload lagi.',
    )
    expect(twitch && fitOf(VIDEO, twitch).wayOut).toBeNull()
  })

  it('are judged by a rough figure in rough words', () => {
    const tiktok = presetOf('tiktok')
    const fit = tiktok && fitOf({ ...VIDEO, bitrate: 9000 }, tiktok)
    expect(fit?.findings[0]?.text).toContain('TikTok menerima paling tinggi sekitar 6.000 kbps.')
  })

  it('are not judged before the video is ready: it may become smaller', () => {
    expect(kinds('mixcloud', { status: 'processing', videoCodec: 'hevc', bitrate: 90_000 })).toEqual([])
  })
})

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null })
const videos: fc.Arbitrary<SentVideo> = fc.record({
  status: fc.constant('ready' as const),
  bitrate: maybe(fc.integer({ min: 1, max: 200_000 })),
  width: maybe(fc.integer({ min: 2, max: 4096 })),
  height: maybe(fc.integer({ min: 2, max: 4096 })),
  fps: maybe(fc.double({ min: 1, max: 240, noNaN: true })),
  videoCodec: maybe(fc.constantFrom('h264', 'hevc', 'av1', 'mpeg4', 'toString')),
})
const presets = fc.constantFrom(...PLATFORM_PRESETS)
const NOTHING_KNOWN: PlatformTakes = {
  ...{ videoKbps: null, isKbpsRough: null, audioKbps: null, fps: null, keyframeSeconds: null },
  ...{ bFrames: null, shortSide: null, upright: null, videoCodecs: null },
}

describe('any video and any platform', () => {
  it('have no finding that goes away with more bitrate', () => {
    fc.assert(
      fc.property(videos, presets, fc.integer({ min: 1, max: 100_000 }), (video, preset, more) => {
        fc.pre(video.bitrate !== null)
        const kindsAt = (kbps: number) => fitOf({ ...video, bitrate: kbps }, preset).findings.map(({ kind }) => kind)
        expect(kindsAt((video.bitrate ?? 0) + more)).toEqual(expect.arrayContaining(kindsAt(video.bitrate ?? 0)))
      }),
    )
  })

  it('have no finding where the platform has no figures', () => {
    fc.assert(
      fc.property(videos, (video) => {
        expect(fitOf(video, { name: 'X', takes: NOTHING_KNOWN })).toEqual({ findings: [], wayOut: null })
      }),
    )
  })

  it('have no finding more where one figure is taken away', () => {
    const figures = Object.keys(NOTHING_KNOWN) as (keyof PlatformTakes)[]
    fc.assert(
      fc.property(videos, presets, fc.constantFrom(...figures), (video, { name, takes }, figure) => {
        // Without a figure for the sound, the picture has at least as much room.
        const fewer = fitOf(video, { name, takes: { ...takes, [figure]: null } }).findings.map(({ kind }) => kind)
        expect(fitOf(video, { name, takes }).findings.map(({ kind }) => kind)).toEqual(expect.arrayContaining(fewer))
      }),
    )
  })

  it('have findings in whole sentences, and a way out whenever there is one', () => {
    fc.assert(
      fc.property(videos, presets, (video, preset) => {
        const { findings, wayOut } = fitOf(video, preset)
        for (const { text, wish } of findings) {
          expect(text).toMatch(/^[^!]+\.$/)
          expect(text).toContain(preset.name)
          expect(text).not.toMatch(/undefined|null|NaN/)
          expect(wayOut).toContain(wish)
        }
        expect(wayOut === null).toBe(findings.length === 0)
      }),
    )
  })
})

describe('[TGT-02] what is made of a video for a platform', () => {
  const wanted = (platform: string, change: Partial<SentVideo>) => {
    const preset = presetOf(platform)
    return preset && recipeFor({ ...VIDEO, ...change }, preset)
  }

  it.each([
    ['twitch', { bitrate: 9000 }, '1920x1080@30:6000'],
    ['twitch', { bitrate: 9000, fps: 59.94 }, '1920x1080@60000/1001:6000'],
    ['tiktok', { fps: 60 }, '1920x1080@30:4500'],
    ['tiktok', { fps: 50, bitrate: 9000 }, '1920x1080@25:6000'],
    ['mixcloud', {}, '1280x720@30:2000'],
    ['twitch', {}, null],
    ['instagram', {}, null],
    ['chzzk', {}, null],
    ['twitch', { bitrate: 9000, status: 'processing' }, null],
  ] as const)('%s with %j: %s', (platform, change, recipe) => expect(wanted(platform, change)).toBe(recipe))

  it('fits that platform, whatever the video', () => {
    const videos = fc.record({
      bitrate: fc.integer({ min: 50, max: 200_000 }),
      width: fc.integer({ min: 32, max: 2048 }).map((half) => half * 2),
      height: fc.integer({ min: 32, max: 2048 }).map((half) => half * 2),
      fps: fc.integer({ min: 1, max: 240 }),
    })
    fc.assert(
      fc.property(videos, fc.constantFrom(...PLATFORM_PRESETS), (change, preset) => {
        const video = { ...VIDEO, ...change }
        const recipe = recipeFor(video, preset)
        if (recipe === null) return
        const kbps = parseRecipe(recipe)?.kbps ?? expect.unreachable()
        const made = { recipe, state: 'ready' as const, bitrate: kbps + 160 }
        expect(recipeToSend({ ...video, renditions: [made] }, preset)).toBe(recipe)
      }),
    )
  })

  it('is what is sent once it is ready, and only where the video itself does not fit', () => {
    const twitch = presetOf('twitch') ?? expect.unreachable()
    const made = { recipe: '1920x1080@30:6000', state: 'ready' as const, bitrate: 6100 }
    const sent = (change: Partial<SentVideo>, ...renditions: object[]) =>
      recipeToSend({ ...VIDEO, ...change, renditions: renditions as (typeof made)[] }, twitch)
    expect(sent({ bitrate: 9000 }, made)).toBe(made.recipe)
    expect(sent({ bitrate: 9000 }, { ...made, state: 'preparing' })).toBeNull()
    expect(sent({ bitrate: 9000 }, { ...made, bitrate: 9000 })).toBeNull()
    expect(sent({}, made)).toBeNull()
    const tiny = { recipe: '64x64@24:100', state: 'ready' as const, bitrate: 200 }
    expect(sent({ bitrate: 9000 }, tiny, made, tiny)).toBe(made.recipe)
    expect(recipeToSend({ ...VIDEO, bitrate: 9000 }, twitch)).toBeNull()
  })

  it('is not sent by itself where far more would fit; of a video that would not go on air at all, it is', () => {
    const twitch = presetOf('twitch') ?? expect.unreachable()
    const sent = (change: Partial<SentVideo>, recipe: string) =>
      recipeToSend({ ...VIDEO, ...change, renditions: [{ recipe, state: 'ready', bitrate: 800 }] }, twitch)
    expect(sent({ bitrate: 9000 }, '1280x720@30:600')).toBe('1280x720@30:600')
    expect(sent({ bitrate: 9000 }, '960x540@30:600')).toBe('960x540@30:600')
    expect(sent({ bitrate: 9000 }, '64x64@30:600')).toBeNull()
    expect(sent({ bitrate: 9000 }, '1920x64@30:600')).toBeNull()
    expect(sent({ bitrate: 9000, fps: 60 }, '1920x1080@24:600')).toBeNull()
    expect(sent({ videoCodec: 'hevc' }, '64x64@30:600')).toBe('64x64@30:600')
  })

  it('is known by the server that it goes to', () => {
    expect(presetAt('live-sin.twitch.tv')?.id).toBe('twitch')
    expect(presetAt('LIVE-SIN.twitch.tv')?.id).toBe('twitch')
    expect(presetAt('rtmp.example')).toBeNull()
    expect(presetAt('')).toBeNull()
  })
})
