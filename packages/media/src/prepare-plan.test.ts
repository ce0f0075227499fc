import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rateValue } from './frame-rate.ts'
import type { Probe, VideoFacts } from './parse/probe.ts'
import { type EncodePicture, type PrepareLimits, preparePlan } from './prepare-plan.ts'
import { probe, video } from './sample-probe.ts'

const LIMITS: PrepareLimits = { maxHeight: 1080, maxFps: 60 }

const planned = (change: Partial<VideoFacts>, limits = LIMITS) =>
  preparePlan({ ...probe, video: { ...video, ...change } }, { kind: 'full', why: ['codec'] }, limits)
const encoded = (change: Partial<VideoFacts>, limits = LIMITS): EncodePicture => {
  const { picture } = planned(change, limits)
  if (picture.kind !== 'encode') throw new Error('copied')
  return picture
}
const sizeOf = (change: Partial<VideoFacts>, maxHeight = 1080) => {
  const { width, height } = encoded(change, { maxHeight, maxFps: 60 })
  return `${width}x${height}`
}
const rateOf = (real: string | null, average: string | null, maxFps = 60) =>
  encoded({ rFrameRate: real, avgFrameRate: average }, { maxHeight: 1080, maxFps }).fps

describe('the size of a master', () => {
  it.each<[string, Partial<VideoFacts>, number, string]>([
    ['stays', {}, 1080, '1920x1080'],
    ['is brought down by its shorter side', { width: 3840, height: 2160 }, 1080, '1920x1080'],
    ['and so is an upright one', { width: 2160, height: 3840 }, 1080, '1080x1920'],
    ['of 1080x1920 is 1080p', { width: 1080, height: 1920 }, 1080, '1080x1920'],
    ['becomes even', { width: 853, height: 479 }, 1080, '852x478'],
    ['is that of the picture as it is seen', { rotation: -90 }, 1080, '1080x1920'],
    ['is not turned by half a turn', { rotation: 180 }, 1080, '1920x1080'],
    ['has square pixels', { width: 720, height: 576, sampleAspect: '64:45' }, 1080, '1024x576'],
    ['takes a senseless pixel for a square one', { width: 720, height: 576, sampleAspect: '1:100' }, 1080, '720x576'],
    ['has a longest side', { width: 16000, height: 1000 }, 1080, '4096x256'],
  ])('%s', (_name, change, maxHeight, size) => {
    expect(sizeOf(change, maxHeight)).toBe(size)
  })
})

describe('the rate of a master', () => {
  it.each<[string, string | null, string | null, number, string]>([
    ['is kept as a fraction', '24000/1001', '24000/1001', 60, '24000/1001'],
    ['is recognised in another spelling', '2997/100', '2997/100', 60, '30000/1001'],
    ['is kept when it is uncommon', '20/1', '20/1', 60, '20/1'],
    ['is the nearest common one when it varies', '90000/1', '2997/101', 60, '30/1'],
    ['is the nearest common one when it is senseless', '1000/1', '1000/1', 60, '60/1'],
    ['is raised from that of slides', '1/1', '1/1', 60, '24/1'],
    ['is supposed when nothing is told', null, null, 60, '30/1'],
    ['is halved where it exceeds the limit', '60/1', '60/1', 30, '30/1'],
    ['is halved as a fraction', '60000/1001', '60000/1001', 30, '30000/1001'],
    ['is halved when it is odd', '45/1', '45/1', 30, '45/2'],
    ['is not halved to a flicker', '30/1', '30/1', 25, '25/1'],
    ['obeys a limit below all common rates', '30/1', '30/1', 10, '10/1'],
  ])('%s', (_name, real, average, maxFps, rate) => {
    expect(rateOf(real, average, maxFps)).toBe(rate)
  })
})

describe('the bitrate of a master', () => {
  it.each<[number, number, string, number]>([
    [320, 180, '25/1', 500],
    [1280, 720, '30/1', 2800],
    [720, 1280, '30000/1001', 2800],
    [1920, 1080, '30/1', 4500],
    [1920, 1080, '60/1', 6000],
    [2560, 1440, '30/1', 9000],
    [3840, 2160, '30/1', 18000],
  ])('of %ix%i at %s is %i kbit/s', (width, height, rate, kbps) => {
    const change = { width, height, rFrameRate: rate, avgFrameRate: rate }
    expect(encoded(change, { maxHeight: 2160, maxFps: 60 }).kbps).toBe(kbps)
  })
})

describe('the length of a master', () => {
  const lengthOf = (told: number | null, spanSeconds?: number | null) =>
    preparePlan(
      { ...probe, video: { ...video, durationSeconds: told } },
      { kind: 'audio-only', why: ['audio-codec'] },
      LIMITS,
      spanSeconds,
    ).durationSeconds

  it('is what its packets show where the header promises more, or nothing', () => {
    expect(lengthOf(10)).toBe(10)
    expect(lengthOf(10, 6.2)).toBe(6.2)
    expect(lengthOf(10, 10.5)).toBe(10)
    expect(lengthOf(null, 6.2)).toBe(6.2)
    expect(lengthOf(0, 6.2)).toBe(6.2)
  })

  it('is that of the file when nothing else is known', () => {
    expect(lengthOf(null)).toBe(10)
  })

  it('is a whole number of frames when it is encoded', () => {
    const { picture, durationSeconds } = planned({ durationSeconds: 9.99, rFrameRate: '25/1', avgFrameRate: '25/1' })
    expect(picture).toMatchObject({ frames: 249 })
    expect(durationSeconds).toBe(9.96)
  })

  it('does not lose a frame to the rounding of its duration', () => {
    const ntsc = { durationSeconds: 2.002, rFrameRate: '30000/1001', avgFrameRate: '30000/1001' }
    expect(encoded(ntsc).frames).toBe(60)
    expect(encoded({ ...ntsc, durationSeconds: 2.001999 }).frames).toBe(60)
  })
})

describe('what else is planned', () => {
  it('counts the start of the picture from that of the file', () => {
    const late = preparePlan(
      { ...probe, startSeconds: 1.4, video: { ...video, startSeconds: 1.421333 } },
      { kind: 'audio-only', why: ['transport-stream'] },
      LIMITS,
    )
    expect(late.pictureStartsAt).toBeCloseTo(0.021333, 6)
    expect(planned({ startSeconds: null }).pictureStartsAt).toBe(0)
  })

  it('is nothing where there is no picture', () => {
    expect(() => preparePlan({ ...probe, video: null }, { kind: 'full', why: [] }, LIMITS)).toThrow('no picture')
  })

  it('knows a file that was cut off', () => {
    const cut = (why: ('incomplete' | 'codec')[]) => preparePlan(probe, { kind: 'full', why }, LIMITS).incomplete
    expect([cut(['codec', 'incomplete']), cut(['codec'])]).toEqual([true, false])
  })

  it('keeps the clock of a picture that is copied', () => {
    expect(preparePlan(probe, { kind: 'audio-only', why: [] }, LIMITS).picture).toEqual({
      kind: 'copy',
      timescale: 15360,
    })
  })

  it('comes from the transfer of HDR only', () => {
    const transfers = ['smpte2084', 'arib-std-b67', 'bt709', null]
    expect(transfers.map((transfer) => encoded({ transfer }).hdrTransfer)).toEqual([
      'smpte2084',
      'arib-std-b67',
      null,
      null,
    ])
  })

  it('has the start of the picture where the file does not say its own', () => {
    const plan = preparePlan(
      { ...probe, startSeconds: null, video: { ...video, startSeconds: 1.5 } },
      { kind: 'full', why: [] },
      LIMITS,
    )
    expect(plan.pictureStartsAt).toBe(0)
  })

  it('takes the audio track that was chosen, or none', () => {
    const full = { kind: 'full', why: [] } as const
    expect(preparePlan({ ...probe, audioTrack: 2 }, { ...full, why: [] }, LIMITS).audioTrack).toBe(2)
    expect(preparePlan({ ...probe, audio: null }, { ...full, why: [] }, LIMITS).audioTrack).toBeNull()
  })

  it('takes the fields apart where they are, or may be', () => {
    expect(encoded({ fieldOrder: 'progressive' }).deinterlace).toBe('no')
    expect(encoded({ fieldOrder: 'tt' }).deinterlace).toBe('every-frame')
    expect(encoded({ fieldOrder: null }).deinterlace).toBe('flagged-frames')
  })

  it('knows the colours, or supposes what players suppose', () => {
    expect(encoded({ matrix: 'bt2020nc' }).matrix).toBe('bt2020')
    expect(encoded({ matrix: 'bt709', height: 480 }).matrix).toBe('bt709')
    expect(encoded({ matrix: 'smpte170m' }).matrix).toBe('bt601')
    expect(encoded({ matrix: 'bt470bg' }).matrix).toBe('bt601')
    expect(encoded({ matrix: null, height: 720 }).matrix).toBe('bt709')
    expect(encoded({ matrix: null, height: 576 }).matrix).toBe('bt601')
  })
})

describe('whatever the file', () => {
  const rate = fc.option(fc.tuple(fc.integer({ min: 1, max: 120_000 }), fc.constantFrom(1, 2, 1001, 1000)))
  const anyVideo = fc.record({
    width: fc.integer({ min: 1, max: 9000 }),
    height: fc.integer({ min: 1, max: 9000 }),
    rotation: fc.constantFrom(null, 0, 90, -90, 180, 270, 45),
    sampleAspect: fc.option(fc.tuple(fc.nat(100), fc.nat(100)).map(([a, b]) => `${a + 1}:${b + 1}`)),
    rFrameRate: rate.map((value) => value?.join('/') ?? null),
    avgFrameRate: rate.map((value) => value?.join('/') ?? null),
    durationSeconds: fc.double({ min: 0.5, max: 90_000, noNaN: true }),
  })
  const anyLimits = fc.record({
    maxHeight: fc.integer({ min: 144, max: 4320 }),
    maxFps: fc.integer({ min: 10, max: 120 }),
  })

  it('the picture is even and within the limits, and never grows', () => {
    fc.assert(
      fc.property(anyVideo, anyLimits, (change, limits) => {
        const { width, height, fps, frames, kbps } = encoded(change, limits)
        expect([width % 2, height % 2]).toEqual([0, 0])
        expect(Math.min(width, height)).toBeLessThanOrEqual(Math.max(2, limits.maxHeight))
        expect(height).toBeGreaterThanOrEqual(2)
        expect(rateValue(fps)).toBeLessThanOrEqual(limits.maxFps)
        expect(frames).toBeGreaterThan(0)
        expect(kbps).toBeGreaterThan(0)
        const [seen, stored] = [width * height, change.width * change.height]
        if (change.sampleAspect === null)
          expect(seen).toBeLessThanOrEqual(Math.max(stored, 2 * change.width, 2 * change.height, 4))
      }),
    )
  })

  it('the sound is whole AAC frames, ends with the picture or before it, and by less than a frame', () => {
    fc.assert(
      fc.property(anyVideo, anyLimits, fc.constantFrom('full', 'audio-only'), (change, limits, kind) => {
        const whole: Probe = { ...probe, video: { ...video, ...change } }
        const { audioSamples, durationSeconds } = preparePlan(whole, { kind, why: [] }, limits)
        expect(audioSamples % 1024).toBe(0)
        expect(audioSamples / 48_000).toBeLessThanOrEqual(durationSeconds)
        expect(durationSeconds - audioSamples / 48_000).toBeLessThan(1024 / 48_000 + 1e-6)
      }),
    )
  })
})
