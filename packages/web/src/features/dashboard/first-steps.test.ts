import type { Video } from '@siarin/contracts/videos'
import { describe, expect, it } from 'vitest'
import { firstSteps } from './first-steps.ts'

const video = (change: Partial<Video>): Video => ({
  filename: 'senja.mp4',
  size: 1,
  duration: 3,
  createdAt: '2026-11-15T12:00:00.000Z',
  status: 'ready',
  step: null,
  progress: null,
  secondsLeft: null,
  queue: null,
  reason: null,
  warning: null,
  width: null,
  height: null,
  fps: null,
  bitrate: null,
  videoCodec: null,
  audioCodec: null,
  hasThumbnail: false,
  canImprove: false,
  reducedFrom: null,
  tooLarge: false,
  ...change,
})

const ticks = (videos: Video[]): boolean[] => firstSteps(videos).map(({ done }) => done)

describe('the way to the first broadcast', () => {
  it('is ticked step by step', () => {
    expect(ticks([])).toEqual([false, false, false])
    expect(ticks([video({ status: 'processing' })])).toEqual([true, false, false])
    expect(ticks([video({ status: 'processing' }), video({})])).toEqual([true, true, false])
  })

  it('says what is being waited for', () => {
    const waits = firstSteps([video({ status: 'processing', step: 'preparing', progress: 43 })])
    expect(waits[1]?.text).toBe('Diproses 43%: senja.mp4')
    expect(firstSteps([video({ status: 'failed' })])[1]?.text).toContain('gagal')
  })
})
