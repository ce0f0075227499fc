import { describe, expect, it } from 'vitest'
import type { KeyframeFacts } from './parse/keyframes.ts'
import type { Probe } from './parse/probe.ts'
import { verifyMaster } from './verify-master.ts'

const keyframes: KeyframeFacts = {
  ...{ firstPacketIsKey: true, largestGapSeconds: 2, spanSeconds: 10 },
  ...{ largestStepSeconds: 0.017, smallestStepSeconds: 0.016, densestBitsPerSecond: 8_000_000 },
}
const video: NonNullable<Probe['video']> = {
  index: 0,
  ...{ codec: 'h264', profile: 'High', level: 40, width: 1920, height: 1080, pixFmt: 'yuv420p' },
  ...{ fieldOrder: 'progressive', rotation: 0, transfer: 'bt709', matrix: 'bt709', sampleAspect: '1:1' },
  ...{ rFrameRate: '60/1', avgFrameRate: '60/1', timescale: 15360, packets: 600, startSeconds: 0, durationSeconds: 10 },
}
const audio: NonNullable<Probe['audio']> = {
  index: 1,
  ...{ codec: 'aac', profile: 'LC', sampleRate: 48000, channels: 2 },
  ...{ startSeconds: 0, durationSeconds: 9.984, packets: 468 },
}
const master: Probe = {
  ...{ formatName: 'mov,mp4,m4a,3gp,3g2,mj2', startSeconds: 0, durationSeconds: 10, bitrate: 4_600_000 },
  ...{ video, audio, audioTrack: 0, audioTracks: 1, tracks: [] },
}

describe('a master', () => {
  it('that loops has no faults', () => {
    expect(verifyMaster(master, keyframes)).toEqual([])
  })

  it('may have packets of one size, as silence does: it was written by us', () => {
    expect(verifyMaster({ ...master, standsForMore: true }, keyframes)).toEqual([])
  })

  it.each<[string, Probe, KeyframeFacts | null]>([
    [
      'start',
      { ...master, video: { ...video, startSeconds: 0.04 }, audio: { ...audio, startSeconds: 0.04 } },
      keyframes,
    ],
    ['container', { ...master, formatName: 'matroska,webm' }, keyframes],
    ['audio-span', { ...master, audio: { ...audio, durationSeconds: 10.02, packets: 469 } }, keyframes],
    ['audio-gap', { ...master, audio: { ...audio, durationSeconds: 9.7, packets: 454 } }, keyframes],
    ['keyframes-unknown', master, null],
    ['picture-gap', master, { ...keyframes, largestStepSeconds: 0.5 }],
    ['incomplete', master, { ...keyframes, spanSeconds: 4 }],
    ['no-video', { ...master, video: null }, null],
  ])('is refused for its %s', (fault, probe, facts) => {
    expect(verifyMaster(probe, facts)).toContain(fault)
  })

  it.each([
    ['picture', { video: { ...video, startSeconds: -0.04 } }],
    ['sound', { audio: { ...audio, startSeconds: 0.002 } }],
  ])('is refused when its %s alone does not begin at zero', (_name, change) => {
    expect(verifyMaster({ ...master, ...change }, keyframes)).toContain('start')
  })

  it('may begin a rounding beside zero, or not say where', () => {
    const startSeconds = 0.001
    expect(
      verifyMaster({ ...master, video: { ...video, startSeconds }, audio: { ...audio, startSeconds } }, keyframes),
    ).toEqual([])
    expect(verifyMaster({ ...master, audio: { ...audio, startSeconds: null } }, keyframes)).toEqual(['audio-span'])
  })

  it('may have the bitrate that it was ordered with', () => {
    expect(verifyMaster({ ...master, bitrate: 60e6 }, { ...keyframes, densestBitsPerSecond: 130e6 })).toEqual([])
  })

  it('is told its faults one by one', () => {
    expect(verifyMaster({ ...master, formatName: null }, keyframes)).toEqual(['container', 'container'])
    expect(verifyMaster({ ...master, video: { ...video, avgFrameRate: null } }, keyframes)).toEqual([
      'variable-frame-rate',
    ])
  })

  it('may have the milliseconds of Matroska, from which ffprobe guesses any rate', () => {
    const copied: Probe = { ...master, video: { ...video, rFrameRate: '1000/17', avgFrameRate: '720000/11951' } }
    expect(verifyMaster(copied, keyframes)).toEqual([])
    expect(verifyMaster(copied, { ...keyframes, smallestStepSeconds: 0.004 })).toEqual(['variable-frame-rate'])
  })
})
