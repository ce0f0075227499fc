import { describe, expect, it } from 'vitest'
import { estimateSeconds, measuredPace, type WorkColumns } from './estimate-work.ts'

const video: WorkColumns = {
  ...{ lane: null, progress: null, seconds_left: null, original_bytes: 200_000_000, duration_ms: 600_000 },
  ...{ width: 1280, height: 720, fps: 30, video_codec: 'h264' },
}
const PACE = 1280 * 720 * 30

describe('the work that a video makes', () => {
  it('is little more than reading it where its picture stays', () => {
    expect(estimateSeconds(video, PACE)).toBe(5)
  })

  it('is making its picture, at the pace of now', () => {
    const long = { ...video, lane: 'long', video_codec: 'hevc' }
    expect(estimateSeconds(long, PACE)).toBe(605)
    expect(estimateSeconds(long, 2 * PACE)).toBe(305)
    expect(estimateSeconds({ ...long, progress: 50 }, PACE)).toBe(302.5)
  })

  it('is short in the quick lane, which hands over what is not', () => {
    expect(estimateSeconds({ ...video, video_codec: 'hevc' }, PACE)).toBe(65)
  })

  it('is what it says itself while it runs', () => {
    expect(estimateSeconds({ ...video, lane: 'long', progress: 10, seconds_left: 42 }, PACE)).toBe(42)
  })

  it('is not endless where nothing is known', () => {
    const unknown = { duration_ms: null, width: null, height: null, fps: null, video_codec: null }
    expect(estimateSeconds({ ...video, ...unknown }, PACE)).toBe(5)
  })
})

describe('the pace', () => {
  const running = { ...video, lane: 'long', progress: 50, seconds_left: 150 }

  it('is that of what is being made', () => {
    expect(measuredPace([running])).toBe(2 * PACE)
    expect(measuredPace([running, video])).toBe(2 * PACE)
  })

  it('is the usual one where nothing is being made, and never absurd', () => {
    const usual = measuredPace([])
    expect(usual).toBeGreaterThan(0)
    expect(measuredPace([{ ...running, seconds_left: 0 }])).toBe(usual)
    expect(measuredPace([{ ...running, seconds_left: 10_000_000 }])).toBe(usual / 20)
  })
})
