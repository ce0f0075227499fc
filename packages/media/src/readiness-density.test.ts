import { describe, expect, it } from 'vitest'
import type { KeyframeFacts } from './parse/keyframes.ts'
import type { AudioFacts, Probe, VideoFacts } from './parse/probe.ts'
import { mayCopyPicture, readiness } from './readiness.ts'

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
  audioTracks: 1,
  tracks: [],
}
const keyframes: KeyframeFacts = {
  firstPacketIsKey: true,
  largestGapSeconds: 2,
  spanSeconds: 60,
  largestStepSeconds: 0.034,
  smallestStepSeconds: 0.033,
  densestBitsPerSecond: 5_000_000,
}

describe('a picture has more bits a second than any platform takes', () => {
  const dense = { kind: 'full', why: ['picture-too-dense'] }
  const sized = (width: number, height: number, fps: string, bitrate: number) =>
    readiness(
      { ...probe, bitrate, video: { ...video, ...{ width, height, level: 42, rFrameRate: fps, avgFrameRate: fps } } },
      keyframes,
    )
  it.each([
    [640, 360, '30/1', 16],
    [1280, 720, '30/1', 16.8],
    [1920, 1080, '30/1', 27],
    [1080, 1920, '60/1', 36],
    [2560, 1440, '30/1', 54],
    [3840, 2160, '60/1', 100],
  ])('%i × %i at %s: above %d Mbit/s on average', (width, height, fps, most) => {
    expect(sized(width, height, fps, most * 1e6)).toEqual({ kind: 'ready' })
    expect(sized(width, height, fps, most * 1e6 + 1e3)).toEqual(dense)
  })

  it('counts all bytes for the length of the picture, however long another track claims to be', () => {
    expect(readiness({ ...probe, bitrate: 10e6, durationSeconds: 600, audio: null }, keyframes)).toMatchObject({
      why: ['picture-too-dense', 'no-audio'],
    })
  })

  it('in its densest ten seconds alone, by its packets', () => {
    expect(readiness(probe, { ...keyframes, densestBitsPerSecond: 54e6 })).toEqual({ kind: 'ready' })
    expect(readiness(probe, { ...keyframes, densestBitsPerSecond: 54.1e6 })).toEqual(dense)
    expect(readiness({ ...probe, bitrate: 1e9 }, { ...keyframes, densestBitsPerSecond: 1e9 })).toEqual(dense)
    expect(readiness({ ...probe, bitrate: null }, keyframes)).toEqual({ kind: 'ready' })
  })

  it('and is not even looked at as one whose picture is copied', () => {
    expect(mayCopyPicture(probe, {})).toBe(true)
    expect(mayCopyPicture({ ...probe, bitrate: 1e9 }, {})).toBe(false)
  })
})
