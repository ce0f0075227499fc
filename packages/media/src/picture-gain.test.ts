import { describe, expect, it } from 'vitest'
import { outputRate, rateValue } from './frame-rate.ts'
import type { VideoFacts } from './parse/probe.ts'
import { isAbove, wholePicture, wouldGain } from './picture-gain.ts'
import { fittedSize } from './picture-rules.ts'

const TRIAL = { maxHeight: 720, maxFps: 30 }
const PRO = { maxHeight: 1080, maxFps: 60 }

const video = (width: number, height: number, rate: string, more: Partial<VideoFacts> = {}): VideoFacts =>
  ({ width, height, avgFrameRate: rate, rFrameRate: rate, rotation: 0, sampleAspect: '1:1', ...more }) as VideoFacts

/** As preparation makes it. */
const prepared = (facts: VideoFacts, limits: typeof TRIAL) => {
  const { width, height } = fittedSize(facts, limits.maxHeight)
  return { shortSide: Math.min(width, height), fps: rateValue(outputRate(facts, limits.maxFps)) }
}

const VIDEOS = {
  '1080p60': video(1920, 1080, '60/1'),
  '1080p50, halved to 25': video(1920, 1080, '50/1'),
  '1080p59.94 upright': video(1080, 1920, '60000/1001'),
  'phone, stored on its side': video(1920, 1080, '30/1', { rotation: 90 }),
  'odd sides': video(1281, 721, '30/1'),
  '4K at 120 per second': video(3840, 2160, '120/1'),
  'small and slow': video(320, 180, '12/1'),
  'pixels that are not square': video(1440, 1080, '25/1', { sampleAspect: '4:3' }),
}

describe.each(Object.entries(VIDEOS))('a video of %s', (_name, facts) => {
  it.each([TRIAL, PRO])('gains nothing from being prepared again under the same limits (%o)', (limits) => {
    const master = prepared(facts, limits)
    expect(wouldGain(wholePicture(facts), master, limits)).toBe(false)
    expect(isAbove(master, limits)).toBe(false)
  })
})

describe('a larger plan', () => {
  it('gives more lines or more pictures a second where the original has them', () => {
    const gains = (facts: VideoFacts) => wouldGain(wholePicture(facts), prepared(facts, TRIAL), PRO)
    expect(gains(video(1920, 1080, '30/1'))).toBe(true)
    expect(gains(video(1280, 720, '60/1'))).toBe(true)
    expect(gains(video(1280, 720, '50/1'))).toBe(true)
    expect(gains(video(1280, 720, '30/1'))).toBe(false)
  })
})

describe('what rounding has taken from a master', () => {
  const master = { shortSide: 720, fps: 29.5 }
  it('is no gain: one line of an odd side, half a picture a second', () => {
    expect(wouldGain({ shortSide: 721, fps: 30 }, master, PRO)).toBe(false)
    expect(wouldGain({ shortSide: 722, fps: 30 }, master, PRO)).toBe(true)
    expect(wouldGain({ shortSide: 721, fps: 31 }, master, PRO)).toBe(true)
  })
})

describe('a smaller plan', () => {
  it('makes a master too large by its shorter side or its rate, and by nothing less', () => {
    expect(isAbove({ shortSide: 721, fps: 30 }, TRIAL)).toBe(true)
    expect(isAbove({ shortSide: 720, fps: 50 }, TRIAL)).toBe(true)
    expect(isAbove({ shortSide: 720, fps: 30.01 }, TRIAL)).toBe(false)
    expect(isAbove({ shortSide: 720, fps: 30.5 }, TRIAL)).toBe(false)
    expect(isAbove({ shortSide: 720, fps: 30.6 }, TRIAL)).toBe(true)
  })
})
