import { describe, expect, it } from 'vitest'
import type { KeyframeFacts } from './parse/keyframes.ts'
import type { AudioFacts, Probe, VideoFacts } from './parse/probe.ts'
import { type ReadinessLimits, readiness } from './readiness.ts'

const video: VideoFacts = {
  ...{ index: 0, codec: 'h264' },
  profile: 'High',
  level: 40,
  width: 1920,
  height: 1080,
  pixFmt: 'yuv420p',
  fieldOrder: 'progressive',
  rotation: 0,
  transfer: null,
  matrix: null,
  sampleAspect: '1:1',
  rFrameRate: '30/1',
  avgFrameRate: '30/1',
  timescale: 15360,
  packets: null,
  startSeconds: 0,
  durationSeconds: 60,
}
const audio: AudioFacts = {
  ...{ index: 1, codec: 'aac' },
  profile: 'LC',
  sampleRate: 48000,
  channels: 2,
  startSeconds: 0,
  durationSeconds: 60,
  packets: 2812,
}
const probe: Probe = {
  formatName: 'mov,mp4,m4a,3gp,3g2,mj2',
  startSeconds: 0,
  durationSeconds: 60,
  bitrate: 2_700_000,
  video,
  audio,
  audioTrack: 0,
  ...{ audioTracks: 1, tracks: [] },
}
const keyframes: KeyframeFacts = {
  firstPacketIsKey: true,
  largestGapSeconds: 2,
  spanSeconds: 60,
  largestStepSeconds: 0.034,
  smallestStepSeconds: 0.033,
  densestBitsPerSecond: 5_000_000,
}

const withVideo = (change: Partial<VideoFacts>, limits?: ReadinessLimits) =>
  readiness({ ...probe, video: { ...video, ...change } }, keyframes, limits)
const withAudio = (change: Partial<AudioFacts>, limits?: ReadinessLimits) =>
  readiness({ ...probe, audio: { ...audio, ...change } }, keyframes, limits)

describe('a video that is ready as it is', () => {
  it.each<[string, Partial<VideoFacts>]>([
    ['as prepared', {}],
    ['Main', { profile: 'Main' }],
    ['Baseline', { profile: 'Baseline' }],
    ['Constrained Baseline', { profile: 'Constrained Baseline' }],
    ['level 4.2', { level: 42 }],
    ['4K at level 5.2', { width: 3840, height: 2160, level: 52 }],
    ['1440p at level 5, as it needs', { width: 2560, height: 1440, level: 50 }],
    ['upright', { width: 1080, height: 1920 }],
    ['an ordinary transfer', { transfer: 'bt709' }],
    ['NTSC', { rFrameRate: '30000/1001', avgFrameRate: '30000/1001' }],
    ['one rate in two spellings', { rFrameRate: '60/2', avgFrameRate: '30/1' }],
  ])('%s', (_name, change) => {
    expect(withVideo(change)).toEqual({ kind: 'ready' })
  })

  it.each<[string, Partial<AudioFacts>]>([
    ['44.1 kHz', { sampleRate: 44100, packets: 2583 }],
    ['mono', { channels: 1 }],
    ['audio a little inside the picture', { startSeconds: 0.02, durationSeconds: 59.95, packets: 2810 }],
    ['audio that ends a rounding later', { durationSeconds: 60.0009 }],
  ])('%s', (_name, change) => {
    expect(withAudio(change)).toEqual({ kind: 'ready' })
  })

  it('has key frames at most 4 s apart, counted in frames', () => {
    expect(readiness(probe, { ...keyframes, largestGapSeconds: 4 })).toEqual({ kind: 'ready' })
    expect(readiness(probe, { ...keyframes, largestGapSeconds: 4.004 })).toEqual({ kind: 'ready' })
  })
})

describe('a video whose picture must be made anew', () => {
  it.each<[string, Partial<VideoFacts>]>([
    ['codec', { codec: 'hevc' }],
    ['codec', { codec: null }],
    ['profile', { profile: 'High 10' }],
    ['profile', { profile: null }],
    ['level', { level: 50 }],
    ['level', { level: null }],
    ['level', { width: 3840, height: 2160, level: 60 }],
    ['pixel-format', { pixFmt: 'yuvj420p' }],
    ['not-progressive', { fieldOrder: 'tt' }],
    ['not-progressive', { fieldOrder: null }],
    ['rotated', { rotation: -90 }],
    ['rotated', { rotation: null }],
    ['hdr', { transfer: 'smpte2084' }],
    ['hdr', { transfer: 'arib-std-b67' }],
    ['pixel-aspect', { sampleAspect: '64:45' }],
    ['variable-frame-rate', { avgFrameRate: '359/12' }],
    ['variable-frame-rate', { avgFrameRate: '300001/10000' }],
    ['variable-frame-rate', { avgFrameRate: null }],
    ['variable-frame-rate', { rFrameRate: null, avgFrameRate: null }],
  ])('%s: %j', (fault, change) => {
    expect(withVideo(change)).toEqual({ kind: 'full', why: [fault] })
  })

  it.each<[string, KeyframeFacts | null]>([
    ['picture-gap', { ...keyframes, largestStepSeconds: 0.25 }],
    ['keyframes-unknown', null],
    ['first-packet-not-key', { ...keyframes, firstPacketIsKey: false }],
    ['keyframes-too-far-apart', { ...keyframes, largestGapSeconds: 4.1 }],
  ])('%s', (fault, facts) => {
    expect(readiness(probe, facts)).toEqual({ kind: 'full', why: [fault] })
  })

  it('container: AVI, or one that is not known', () => {
    for (const formatName of ['avi', null]) {
      expect(readiness({ ...probe, formatName }, keyframes)).toEqual({ kind: 'full', why: ['container'] })
    }
  })

  it('exceeds a limit that was set, measured on its shorter side', () => {
    expect(withVideo({}, { maxHeight: 1080, maxFps: 30 })).toEqual({ kind: 'ready' })
    expect(withVideo({ width: 1080, height: 1920 }, { maxHeight: 1080 })).toEqual({ kind: 'ready' })
    expect(withVideo({}, { maxHeight: 720 })).toEqual({ kind: 'full', why: ['too-large'] })
    expect(withVideo({}, { maxFps: 25 })).toEqual({ kind: 'full', why: ['too-many-frames'] })
  })

  it('tells every reason, those of the audio too', () => {
    const bad: Probe = { ...probe, video: { ...video, rotation: 90, pixFmt: 'yuv422p' }, audio: null, audioTracks: 0 }
    expect(readiness(bad, keyframes)).toEqual({ kind: 'full', why: ['pixel-format', 'rotated', 'no-audio'] })
  })
})

describe('a video of which only the audio must be made anew', () => {
  it.each<[string, Partial<AudioFacts>]>([
    ['audio-codec', { codec: 'mp3' }],
    ['audio-profile', { profile: 'HE-AAC' }],
    ['audio-profile', { profile: null }],
    ['audio-sample-rate', { sampleRate: 22050 }],
    ['audio-sample-rate', { sampleRate: null }],
    ['audio-channels', { channels: 6 }],
    ['audio-channels', { channels: null }],
    ['audio-span', { startSeconds: -0.021 }],
    ['audio-span', { durationSeconds: 60.02 }],
    ['audio-span', { startSeconds: 0.5, durationSeconds: 59.6 }],
    ['audio-packets', { packets: 2814 }],
    ['audio-packets', { packets: null }],
    ['audio-gap', { durationSeconds: 59.9, packets: 2807 }],
    ['audio-gap', { startSeconds: 0.05, durationSeconds: 59.92, packets: 2808 }],
    ['audio-gap', { packets: 2800 }],
    ['audio-span', { startSeconds: null }],
    ['audio-span', { durationSeconds: null }],
  ])('%s: %j', (fault, change) => {
    expect(withAudio(change)).toEqual({ kind: 'audio-only', why: [fault] })
  })

  it('no-audio', () => {
    expect(readiness({ ...probe, audio: null, audioTracks: 0 }, keyframes)).toEqual({
      kind: 'audio-only',
      why: ['no-audio'],
    })
  })

  it('transport-stream, whose new file cures it', () => {
    expect(readiness({ ...probe, formatName: 'mpegts' }, keyframes)).toEqual({
      kind: 'audio-only',
      why: ['transport-stream'],
    })
  })

  it('audio-track: a broadcast sends the first, a player would choose another', () => {
    expect(readiness({ ...probe, audioTrack: 1, audioTracks: 2 }, keyframes)).toEqual({
      kind: 'audio-only',
      why: ['audio-track'],
    })
  })

  it('audio-gap, by a limit of the caller', () => {
    const short = { durationSeconds: 59.5, packets: 2789 }
    expect(withAudio(short, { maxAudioGapSeconds: 0.6 })).toEqual({ kind: 'ready' })
    expect(withAudio(short, { maxAudioGapSeconds: 0.4 })).toEqual({ kind: 'audio-only', why: ['audio-gap'] })
  })

  it('is judged from where its picture starts, as MPEG-TS and Matroska start late', () => {
    const late: Probe = { ...probe, video: { ...video, startSeconds: 1.4 }, audio: { ...audio, startSeconds: 1.4 } }
    expect(readiness(late, keyframes)).toEqual({ kind: 'ready' })
    expect(withVideo({ startSeconds: null })).toEqual({ kind: 'audio-only', why: ['audio-span'] })
    expect(readiness({ ...late, audio }, keyframes)).toEqual({ kind: 'audio-only', why: ['audio-span'] })
  })
})

describe('what is just within a limit is ready, and what is just beyond it is not', () => {
  it.each<[string, Partial<KeyframeFacts>, string | null]>([
    ['key frames', { largestGapSeconds: 4.05 }, null],
    ['key frames', { largestGapSeconds: 4.051 }, 'keyframes-too-far-apart'],
    ['a step', { largestStepSeconds: 0.1 }, null],
    ['a step', { largestStepSeconds: 0.101 }, 'picture-gap'],
    ['an end', { spanSeconds: 59 }, null],
    ['an end', { spanSeconds: 58.99 }, 'incomplete'],
  ])('%s: %j', (_what, change, fault) => {
    expect(readiness(probe, { ...keyframes, ...change })).toEqual(
      fault === null ? { kind: 'ready' } : { kind: 'full', why: [fault] },
    )
  })

  it('a level, by the macroblocks of the picture, the last of a side counted whole', () => {
    const size = (width: number, height: number) => withVideo({ width, height, level: 50 })
    expect(size(2048, 1088)).toEqual({ kind: 'full', why: ['level'] })
    expect(size(2049, 1088)).toEqual({ kind: 'ready' })
    expect(size(2048, 1089)).toEqual({ kind: 'ready' })
  })

  it('half a second, whoever tells it', () => {
    const lasting = (seconds: number) =>
      readiness(
        { ...probe, durationSeconds: seconds, audio: null, video: { ...video, durationSeconds: seconds } },
        { ...keyframes, spanSeconds: seconds },
      ).kind
    expect([lasting(0.5), lasting(0.499)]).toEqual(['audio-only', 'unusable'])
    expect(withVideo({ height: null })).toEqual({ kind: 'unusable', why: 'no-size' })
  })
})

describe('a video that counts in milliseconds, as in Matroska and FLV', () => {
  const inMatroska = (change: Partial<VideoFacts>, facts: Partial<KeyframeFacts> = {}) =>
    readiness(
      { ...probe, formatName: 'matroska,webm', video: { ...video, ...change } },
      { ...keyframes, smallestStepSeconds: 0.041, ...facts },
    )

  it('has a rate that is a little off', () => {
    expect(inMatroska({ rFrameRate: '24000/1001', avgFrameRate: '983/41' })).toEqual({ kind: 'ready' })
    expect(inMatroska({ rFrameRate: '24/1', avgFrameRate: '983/41' })).toMatchObject({ why: ['variable-frame-rate'] })
  })

  it('is not believed when its packets say otherwise', () => {
    expect(inMatroska({}, { smallestStepSeconds: 0.004 })).toEqual({ kind: 'full', why: ['variable-frame-rate'] })
  })

  it('has audio whose span is not known', () => {
    expect(inMatroska({ durationSeconds: null })).toEqual({ kind: 'audio-only', why: ['audio-span'] })
  })
})

describe('a file that was cut off: its header promises more than there is', () => {
  it('is made anew from what there is', () => {
    expect(readiness(probe, { ...keyframes, spanSeconds: 30 })).toEqual({ kind: 'full', why: ['incomplete'] })
    expect(readiness(probe, { ...keyframes, spanSeconds: 59.9 })).toEqual({ kind: 'ready' })
  })

  it('is of no use when there is next to nothing', () => {
    expect(readiness(probe, { ...keyframes, spanSeconds: 0.17 })).toEqual({ kind: 'unusable', why: 'incomplete' })
  })

  it('is not called so where only its beginning was looked at', () => {
    const scanned = { ...keyframes, spanSeconds: 10 }
    expect(readiness(probe, scanned, { scannedSeconds: 10 })).toEqual({ kind: 'ready' })
    expect(readiness(probe, { ...keyframes, spanSeconds: 3 }, { scannedSeconds: 10 })).toMatchObject({
      why: ['incomplete'],
    })
  })

  it('is not called so where the length may be that of longer audio', () => {
    const noLength: Probe = { ...probe, formatName: 'flv', video: { ...video, durationSeconds: null } }
    expect(readiness(noLength, { ...keyframes, spanSeconds: 57.5 })).toEqual({
      kind: 'audio-only',
      why: ['audio-span'],
    })
    expect(readiness(noLength, { ...keyframes, spanSeconds: 56 })).toMatchObject({ why: ['incomplete', 'audio-span'] })
  })
})

describe('a file that is of no use', () => {
  it('has no video', () => {
    expect(readiness({ ...probe, video: null }, null)).toEqual({ kind: 'unusable', why: 'no-video' })
  })

  it('has a video without a size', () => {
    expect(withVideo({ width: null })).toEqual({ kind: 'unusable', why: 'no-size' })
  })

  it('has no length, and no packets that show it', () => {
    const endless: Probe = { ...probe, durationSeconds: null, video: { ...video, durationSeconds: null } }
    expect(readiness(endless, null)).toEqual({ kind: 'unusable', why: 'no-duration' })
    expect(readiness(endless, keyframes).kind).toBe('audio-only')
  })

  it('is too short to loop', () => {
    expect(withVideo({ durationSeconds: 0.4 })).toEqual({ kind: 'unusable', why: 'too-short' })
  })
})
