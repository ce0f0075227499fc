import { describe, expect, it } from 'vitest'
import type { Probe, VideoFacts } from './parse/probe.ts'
import type { EncodePicture } from './prepare-plan.ts'
import {
  excessOf,
  inspectionMs,
  isTooLongToMake,
  isTooSparse,
  MOST_FRAMES,
  mostPackets,
  preparationMs,
  scanMs,
  standstillMs,
} from './work-bounds.ts'

const HOUR = 3600
const GB = 1_000_000_000

const video = {
  index: 0,
  ...{ codec: 'h264', profile: 'High', level: 42, width: 1920, height: 1080, pixFmt: 'yuv420p' },
  ...{ fieldOrder: 'progressive', rotation: 0, transfer: null, matrix: null, sampleAspect: null },
  ...{ rFrameRate: '60/1', avgFrameRate: '60/1', timescale: 15360, startSeconds: 0, durationSeconds: 10, packets: 600 },
} satisfies VideoFacts
const withVideo = (change: Partial<VideoFacts>, durationSeconds: number | null = null): Probe => ({
  ...{ formatName: 'mov,mp4', startSeconds: 0, durationSeconds, bitrate: null },
  ...{ video: { ...video, ...change }, audio: null, audioTrack: 0, audioTracks: 0, tracks: [] },
})

describe('[SAFE-04] what a file claims', () => {
  it('may be half a day at 60 frames per second, a whole one, and two at 30', () => {
    expect(excessOf(withVideo({ durationSeconds: 12 * HOUR, packets: 12 * HOUR * 60 }))).toBeNull()
    expect(excessOf(withVideo({ durationSeconds: 24 * HOUR, packets: MOST_FRAMES }))).toBeNull()
    const slow = { rFrameRate: '30/1', avgFrameRate: '30/1' }
    expect(excessOf(withVideo({ ...slow, durationSeconds: 48 * HOUR }))).toBeNull()
    expect(excessOf(withVideo({ ...slow, durationSeconds: 49 * HOUR }))).toBe('too-many-frames')
  })

  it('may not be two frames that lie a million seconds apart', () => {
    const sparse = { avgFrameRate: '2/1000000', rFrameRate: '25/1', packets: 2 }
    expect(excessOf(withVideo({ ...sparse, durationSeconds: 1_000_000 }))).toBe('too-many-frames')
    expect(excessOf(withVideo({ ...sparse, durationSeconds: null }, 1_000_000))).toBe('too-many-frames')
  })

  it('may not be more packets than a day has', () => {
    expect(excessOf(withVideo({ packets: MOST_FRAMES + 1 }))).toBe('too-many-frames')
    expect(excessOf(withVideo({ packets: null }))).toBeNull()
  })

  it('may not be more packets of all tracks together than two days have, or than its bytes have room for', () => {
    const tracksOf = (...packets: (number | null)[]): Probe => ({
      ...withVideo({}),
      tracks: packets.map((count, index) => ({
        ...{ index, codec: index === 1 ? 'aac' : 'h264' },
        ...{ isSound: index === 1, isCover: false, packets: count },
      })),
    })
    expect(excessOf(tracksOf(48 * HOUR * 30, 48 * HOUR * 47, 1, null), 10 * GB)).toBeNull()
    expect(excessOf(tracksOf(MOST_FRAMES, MOST_FRAMES, MOST_FRAMES), 10 * GB)).toBeNull()
    expect(excessOf(tracksOf(MOST_FRAMES, MOST_FRAMES, MOST_FRAMES, 1), 10 * GB)).toBe('too-many-packets')
    expect(excessOf(tracksOf(58, 91, 14_000_000), 20_000)).toBe('too-many-packets')
    expect(excessOf(tracksOf(1_000, 1_000, 1_500), 20_000)).toBeNull()
    expect(excessOf(tracksOf(1_000, 1_000, 1_501), 20_000)).toBe('too-many-packets')
  })

  it('may be sixty-four tracks, and no more', () => {
    const track = { index: 0, codec: 'mov_text', isSound: false, isCover: false, packets: null }
    const tracksOf = (count: number): Probe => ({ ...withVideo({}), tracks: new Array(count).fill(track) })
    expect(excessOf(tracksOf(64), GB)).toBeNull()
    expect(excessOf(tracksOf(65), GB)).toBe('too-many-tracks')
  })

  it('may be an hour of sound that is not compressed, of which every sample counts', () => {
    const sound = { index: 1, codec: 'pcm_s16le', isSound: true, isCover: false, packets: HOUR * 48_000 }
    expect(excessOf({ ...withVideo({}), tracks: [sound] }, GB)).toBeNull()
  })

  it('may be 8K, lying or upright, and no more', () => {
    expect(excessOf(withVideo({ width: 8192, height: 4320 }))).toBeNull()
    expect(excessOf(withVideo({ width: 4320, height: 7680 }))).toBeNull()
    expect(excessOf(withVideo({ width: 16_000, height: 16_000 }))).toBe('too-many-pixels')
  })

  it('is judged elsewhere where it has no picture, or tells nothing', () => {
    expect(excessOf({ ...withVideo({}), video: null })).toBeNull()
    expect(excessOf(withVideo({ width: null, height: null, durationSeconds: null, packets: null }))).toBeNull()
  })
})

describe('[SAFE-04] a picture that stands still', () => {
  const plan = (frames: number) => ({
    picture: { kind: 'encode', fps: '24/1', frames } as EncodePicture,
  })

  it('may be a slide show of half a day, a picture a second', () => {
    expect(isTooSparse(plan(12 * HOUR * 24), 12 * HOUR)).toBe(false)
  })

  it('may be an hour of one picture, and no more', () => {
    expect(isTooSparse(plan(HOUR * 24), 2)).toBe(false)
    expect(isTooSparse(plan(HOUR * 24 + 121), 2)).toBe(true)
    expect(isTooSparse(plan(20 * HOUR * 24), 25)).toBe(true)
  })

  it('does not matter where nothing is made anew', () => {
    expect(isTooSparse({ picture: { kind: 'copy', timescale: null } }, 1)).toBe(false)
  })
})

describe('[SAFE-04] the time that a file gets', () => {
  it('lets half a day of video be read from a slow disk, and a small file for less than a minute', () => {
    expect(scanMs(15 * GB, 30_000)).toBeGreaterThan(HOUR * 1000)
    expect(scanMs(1_250_000, 30_000)).toBeLessThan(60_000)
    expect(scanMs(0, 30_000)).toBe(30_100)
  })

  it('lets a large file be looked into for longer, and none for ever', () => {
    expect(inspectionMs(0, 30_000)).toBe(30_000)
    expect(inspectionMs(1_000_000, 30_000)).toBe(30_050)
    expect(inspectionMs(4 * GB, 30_000)).toBe(230_000)
    expect(inspectionMs(40 * GB, 30_000)).toBe(300_000)
  })

  it('lets half a day be prepared at an eighth of its pace', () => {
    expect(preparationMs(12 * HOUR, 600_000)).toBe(600_000 + 96 * HOUR * 1000)
    expect(preparationMs(1, 600_000)).toBe(608_000)
  })

  it('lets no video take longer than that, however long it is', () => {
    expect(preparationMs(48 * HOUR, 600_000)).toBe(preparationMs(12 * HOUR, 600_000))
  })

  it('lets a large file be moved at its end', () => {
    expect(standstillMs(15 * GB, 300_000)).toBe(300_000 + 3_000_000)
  })

  it('takes no more packets than a file of this size can hold', () => {
    expect(mostPackets(8_000)).toBe(2_000)
    expect(mostPackets(15 * GB)).toBe(2 * MOST_FRAMES)
  })
})

describe('[SAFE-04] what a plan allows to be made anew, in hours of 1080p at 30 a second', () => {
  const HOUR_FRAMES = HOUR * 30
  const source = (hours: number) =>
    withVideo({ rFrameRate: '30/1', avgFrameRate: '30/1', durationSeconds: hours * HOUR })
  const made = (frames: number) => ({
    picture: { kind: 'encode', width: 1920, height: 1080, frames } as unknown as EncodePicture,
  })

  it('counts what is read, by the header and by its packets', () => {
    expect(isTooLongToMake(source(2), made(1), 0, 2)).toBe(false)
    expect(isTooLongToMake(source(2.01), made(1), 0, 2)).toBe(true)
    expect(isTooLongToMake(source(1), made(1), 2 * HOUR_FRAMES + 1, 2)).toBe(true)
  })

  it('counts what is made, where that is more', () => {
    expect(isTooLongToMake(source(1), made(2 * HOUR_FRAMES), 0, 2)).toBe(false)
    expect(isTooLongToMake(source(1), made(2 * HOUR_FRAMES + 1), 0, 2)).toBe(true)
  })

  it('does not count a picture that is copied', () => {
    expect(isTooLongToMake(source(40), { picture: { kind: 'copy', timescale: null } }, 0, 2)).toBe(false)
  })
})
