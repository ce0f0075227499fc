import { describe, expect, it } from 'vitest'
import { hasIdlePackets } from './idle-packets.ts'
import type { Probe, TrackFacts } from './parse/probe.ts'
import { isSeamAtFault, mayOnlySeamBeAtFault, readiness } from './readiness.ts'
import { probe as sample, video } from './sample-probe.ts'

const HOUR = 3600
const picture = { ...video, ...{ codec: 'h264', profile: 'High', level: 40, packets: 300 } }
const track = (index: number, packets: number | null, change: Partial<TrackFacts> = {}): TrackFacts => ({
  ...{ index, codec: null, isSound: false, isCover: false, packets },
  ...change,
})
const mapped = [track(0, 300), track(1, 468, { isSound: true })]
/** Ten seconds, 20 kB. */
const small: Probe = { ...sample, video: picture, bitrate: 16_000, tracks: mapped }
const beside = (...tracks: TrackFacts[]) => hasIdlePackets({ ...small, tracks: [...mapped, ...tracks] }, 10)

describe('[SAFE-04] packets that a file lists and a broadcast does not send', () => {
  it('are few in an ordinary file: a timecode, a cover, some lines of text', () => {
    expect(beside()).toBe(false)
    expect(beside(track(2, 1), track(3, null, { isCover: true }), track(4, 9_999))).toBe(false)
  })

  it('are too many where one line of a small file lists millions, or where their number is not told', () => {
    expect(beside(track(2, 14_000_000))).toBe(true)
    expect(beside(track(2, 5_000), track(3, 5_001))).toBe(true)
    expect(beside(track(2, 10_001, { isCover: true }))).toBe(true)
    expect(beside(track(2, null))).toBe(true)
  })

  it('are told from outside where the header does not count them', () => {
    expect(hasIdlePackets({ ...small, standsForMore: true }, 10)).toBe(true)
    expect(hasIdlePackets({ ...small, standsForMore: true, formatName: 'flv' }, 10)).toBe(false)
  })

  it('may be those of more sound in a long file', () => {
    const long = { ...small, durationSeconds: HOUR, bitrate: 500_000 }
    const withSound = (packets: number) =>
      hasIdlePackets({ ...long, tracks: [...mapped, track(2, packets, { isSound: true })] }, HOUR)
    expect([withSound(HOUR * 47), withSound(225_000), withSound(225_001)]).toEqual([false, false, true])
  })

  it('may be pictures that an edit list cuts away', () => {
    const cut = (packets: number) => hasIdlePackets({ ...small, video: { ...picture, packets } }, 10)
    expect([cut(10_300), cut(10_301)]).toEqual([false, true])
    expect(hasIdlePackets({ ...small, video: { ...picture, packets: 5_000_000 } }, null)).toBe(false)
  })

  it('are not listed by other containers', () => {
    const tracks = [...mapped, track(2, null)]
    expect(hasIdlePackets({ ...small, formatName: 'matroska,webm', tracks }, 10)).toBe(false)
  })

  it('keep a video from being its own master; a copy of picture and sound is enough', () => {
    const keyframes = { firstPacketIsKey: true, largestGapSeconds: 2, spanSeconds: 10 }
    const steps = { largestStepSeconds: 0.034, smallestStepSeconds: 0.033, densestBitsPerSecond: 0 }
    const ofTracks = (...tracks: TrackFacts[]): Probe => ({ ...small, tracks: [...mapped, ...tracks] })
    expect(readiness(ofTracks(track(2, 1)), { ...keyframes, ...steps })).toEqual({ kind: 'ready' })
    const crafted = ofTracks(track(2, 14_000_000))
    const verdict = readiness(crafted, { ...keyframes, ...steps })
    expect(verdict).toEqual({ kind: 'audio-only', why: ['idle-packets'] })
    expect(isSeamAtFault(verdict)).toBe(true)
    expect([mayOnlySeamBeAtFault(crafted, {}), mayOnlySeamBeAtFault(small, {})]).toEqual([true, false])
  })
})
