import type { Probe, VideoFacts } from '@siarin/media/parse/probe'
import type { Readiness } from '@siarin/media/readiness'
import { describe, expect, it } from 'vitest'
import { USUAL_TIMINGS } from '../../platform/timings.ts'
import { neededLane } from './lanes.ts'

const probe = (width: number, height: number, seconds: number): Probe =>
  ({
    video: { width, height, rFrameRate: '30/1', avgFrameRate: '30/1' } as VideoFacts,
    durationSeconds: seconds,
  }) as Probe
const full: Readiness = { kind: 'full', why: ['codec'] }
const sound: Readiness = { kind: 'audio-only', why: ['audio-codec'] }
const ready: Readiness = { kind: 'ready' }
const laneOf = (needed: Readiness, file: Probe, packets = 0, spanSeconds = 0) =>
  neededLane(
    needed,
    { probe: file, scanned: { packets, keyframes: { spanSeconds } } },
    USUAL_TIMINGS.mediaTools.quickPixels,
  )

describe('[SAFE-04] the lane of a video', () => {
  it.each([
    ['nothing to do, a day long', ready, probe(1920, 1080, 86_400), 'quick'],
    ['new sound, three hours', sound, probe(1920, 1080, 10_000), 'quick'],
    ['new sound, a day', sound, probe(1920, 1080, 86_400), 'long'],
    ['a new picture, a minute of 720p', full, probe(1280, 720, 60), 'quick'],
    ['a new picture, ten minutes of 720p', full, probe(1280, 720, 600), 'long'],
    ['a new picture, a day of next to nothing', full, probe(16, 16, 86_400), 'long'],
    ['a new picture, half a minute of 4K', full, probe(3840, 2160, 30), 'long'],
  ])('%s', (_what, needed, file, lane) => {
    expect(laneOf(needed, file)).toBe(lane)
  })

  it('goes by what a file holds where it says less of itself', () => {
    expect(laneOf(full, probe(1280, 720, 1), 100_000)).toBe('long')
    expect(laneOf(sound, probe(1280, 720, 1), 0, 86_400)).toBe('long')
  })
})
