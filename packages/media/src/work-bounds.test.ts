import { describe, expect, it } from 'vitest'
import type { AudioFacts, Probe, VideoFacts } from './parse/probe.ts'
import type { EncodePicture } from './prepare-plan.ts'
import {
  excessOf,
  inspectionMs,
  isTooLongToMake,
  isTooSparse,
  MOST_FRAMES,
  mostPackets,
  preparationMs,
  quickMs,
  scanMs,
  standstillMs,
  type Work,
  workIn,
} from './work-bounds.ts'

const HOUR = 3600
const GB = 1_000_000_000

const video = {
  index: 0,
  ...{ codec: 'h264', profile: 'High', level: 42, width: 1920, height: 1080, pixFmt: 'yuv420p' },
  ...{ fieldOrder: 'progressive', rotation: 0, transfer: null, matrix: null, sampleAspect: null },
  ...{ rFrameRate: '60/1', avgFrameRate: '60/1', timescale: 15360, startSeconds: 0, durationSeconds: 10, packets: 600 },
} satisfies VideoFacts
const sound: AudioFacts = {
  ...{ index: 1, codec: 'alac', profile: null, sampleRate: 48_000, channels: 2 },
  ...{ startSeconds: 0, durationSeconds: 10, packets: null },
}
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

  it('may be no more packets of sound than its bytes have room for, whatever the sound is', () => {
    const soundOf = (codec: string, packets: number, formatName = 'mov,mp4,m4a,3gp,3g2,mj2'): Probe => ({
      ...{ ...withVideo({}), formatName },
      tracks: [{ index: 1, codec, isSound: true, isCover: false, packets }],
    })
    expect(excessOf(soundOf('alac', 3_501), 20_000)).toBe('too-many-packets')
    expect(excessOf(soundOf('alac', 12 * HOUR * 12), GB)).toBeNull()
    expect(excessOf(soundOf('opus', 12 * HOUR * 50), GB)).toBeNull()
    expect(excessOf(soundOf('adpcm_ima_qt', 12 * HOUR * 750), 20_000_000)).toBeNull()
    // The header of an AVI counts the bytes of sound that has a constant rate.
    expect(excessOf(soundOf('mp3', 2 * HOUR * 16_000, 'avi'), GB)).toBeNull()
    expect(excessOf(soundOf('ac3', 2 * HOUR * 48_000, 'avi'), GB)).toBeNull()
  })

  it('may be the sound of a studio, and no more than four times that', () => {
    const soundOf = (sampleRate: number | null, channels: number | null): Probe => ({
      ...withVideo({}),
      audio: { ...sound, sampleRate, channels },
    })
    expect(excessOf(soundOf(192_000, 16))).toBeNull()
    expect(excessOf(soundOf(768_000, 32))).toBeNull()
    expect(excessOf(soundOf(null, null))).toBeNull()
    expect(excessOf(soundOf(768_001, 2))).toBe('too-much-sound')
    expect(excessOf(soundOf(200_000_000, 2))).toBe('too-much-sound')
    expect(excessOf(soundOf(48_000, 33))).toBe('too-much-sound')
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

  const made = (hours: number, pixelsPerSecond = 0, samplesPerSecond = 96_000): Work => {
    const seconds = hours * HOUR
    return { seconds, pixels: seconds * pixelsPerSecond, samples: seconds * samplesPerSecond }
  }
  const FULL_HD = 1920 * 1080 * 30
  const hoursFor = (work: Work, bytes = 0) => (preparationMs(work, bytes, 600_000) - 600_000) / 1000 / HOUR

  it('lets half a day be prepared at an eighth of its pace', () => {
    expect(hoursFor(made(11, FULL_HD))).toBeGreaterThan(88)
    expect(hoursFor(made(1 / HOUR, FULL_HD)) * HOUR).toBeGreaterThan(8)
  })

  it('lets no video take longer than four days, however long it is', () => {
    expect(hoursFor(made(12, FULL_HD))).toBe(96)
    expect(hoursFor(made(48, FULL_HD))).toBe(96)
  })

  it('lets sound alone take little more than half as long as it plays, and that of a studio longer', () => {
    expect(hoursFor(made(12))).toBeCloseTo(6.3, 1)
    expect(hoursFor(made(12, 0, 192_000 * 16))).toBeCloseTo(15.2, 1)
    expect(hoursFor(made(1, 0, 192_000 * 16))).toBeGreaterThan(1.2)
  })

  it('lets a small picture take less than a large one, and a large file be copied', () => {
    expect(hoursFor(made(24, 16 * 16 * 24))).toBeCloseTo(12.6, 1)
    expect(hoursFor(made(12, 640 * 360 * 30))).toBeCloseTo(27, 0)
    expect(hoursFor(made(3), 40 * GB) - hoursFor(made(3))).toBeCloseTo(2.2, 1)
  })

  it('is minutes in the quick lane, beside copying a large file', () => {
    expect(quickMs(4_800_000, 900_000)).toBe(900_240)
    expect(quickMs(40 * GB, 900_000)).toBe(2_900_000)
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
    ...{ durationSeconds: 1, pictureStartsAt: 0 },
    picture: { kind: 'encode', width: 1920, height: 1080, frames } as unknown as EncodePicture,
  })
  const copied = (hours: number, pictureStartsAt = 0) => ({
    ...{ durationSeconds: hours * HOUR, pictureStartsAt },
    picture: { kind: 'copy', timescale: null } as const,
  })
  const isTooLong = (probe: Probe, plan: Parameters<typeof workIn>[1], packets: number, hours: number) =>
    isTooLongToMake(workIn(probe, plan, packets), hours)

  it('counts what is read, by the header and by its packets', () => {
    expect(isTooLong(source(2), made(1), 0, 2)).toBe(false)
    expect(isTooLong(source(2.01), made(1), 0, 2)).toBe(true)
    expect(isTooLong(source(1), made(1), 2 * HOUR_FRAMES + 1, 2)).toBe(true)
  })

  it('counts what is made, where that is more', () => {
    expect(isTooLong(source(1), made(2 * HOUR_FRAMES), 0, 2)).toBe(false)
    expect(isTooLong(source(1), made(2 * HOUR_FRAMES + 1), 0, 2)).toBe(true)
  })

  it('does not count a picture that is copied', () => {
    expect(isTooLong(source(40), copied(40), 0, 2)).toBe(false)
  })

  it('counts sound by its samples, a hundred hours of ordinary sound for one', () => {
    const isTooLongWith = (sampleRate: number | null, channels: number, plan: ReturnType<typeof copied>) =>
      isTooLong({ ...source(1), audio: { ...sound, sampleRate, channels } }, plan, 0, 6)
    expect(isTooLongWith(48_000, 2, copied(48))).toBe(false)
    expect(isTooLongWith(192_000, 16, copied(12))).toBe(false)
    expect(isTooLongWith(null, 2, copied(48))).toBe(false)
    expect(isTooLongWith(192_000, 16, copied(19))).toBe(true)
    expect(isTooLongWith(768_000, 32, copied(2))).toBe(false)
    expect(isTooLongWith(768_000, 32, copied(3))).toBe(true)
    // What lies before the picture has to be read too.
    expect(isTooLongWith(768_000, 32, copied(1, 2 * HOUR))).toBe(true)
  })
})
