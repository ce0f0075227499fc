import { describe, expect, it } from 'vitest'
import {
  bytesPerSecond,
  nextUpload,
  percentOf,
  secondsLeft,
  type UploadEvent,
  type UploadState,
} from './upload-state.ts'

const MB = 1024 ** 2
const started: UploadEvent = { type: 'started', name: 'a.mp4', sizeBytes: 100 * MB }
const after = (...events: UploadEvent[]): UploadState => events.reduce<UploadState>(nextUpload, { at: 'idle' })
const transferAfter = (...events: UploadEvent[]) => {
  const state = after(started, ...events)
  if (state.at === 'idle') throw new Error('nothing is on its way')
  return state.transfer
}
const sent = (megabytes: number, atMs: number): UploadEvent => ({
  type: 'progressed',
  sentBytes: megabytes * MB,
  atMs,
})

describe('an upload', () => {
  it('is sending, then being checked once its last byte has left', () => {
    expect(after(started).at).toBe('sending')
    expect(after(started, sent(99, 0)).at).toBe('sending')
    expect(after(started, sent(100, 0)).at).toBe('checking')
    expect(after(started, sent(100, 0), { type: 'ended' })).toEqual({ at: 'idle' })
  })

  it('shows what the server has when it comes back, not what was sent', () => {
    const back: UploadEvent = { type: 'continued', sentBytes: 40 * MB, fromEarlierVisit: false }
    expect(after(started, sent(50, 0), { type: 'broke' }).at).toBe('reconnecting')
    expect(after(started, sent(50, 0), { type: 'broke' }, back)).toMatchObject({
      at: 'sending',
      transfer: { sentBytes: 40 * MB, resumed: false },
    })
  })

  it('counts as resumed only when an earlier visit had sent something', () => {
    expect(transferAfter({ type: 'continued', sentBytes: 5, fromEarlierVisit: true }).resumed).toBe(true)
    expect(transferAfter({ type: 'continued', sentBytes: 0, fromEarlierVisit: true }).resumed).toBe(false)
  })

  it('hears nothing more once it is over', () => {
    expect(after(started, { type: 'ended' }, sent(5, 0))).toEqual({ at: 'idle' })
    expect(after(started, { type: 'ended' }, { type: 'broke' })).toEqual({ at: 'idle' })
  })
})

describe('its figures', () => {
  it('are unknown until a second has been seen', () => {
    expect(bytesPerSecond(transferAfter(sent(1, 0), sent(2, 600)))).toBeNull()
    expect(secondsLeft(transferAfter(sent(1, 0)))).toBeNull()
  })

  it('follow the newest seconds', () => {
    const slowThenFast = [sent(0, 0), sent(1, 5000), sent(2, 10_000), sent(12, 15_000), sent(22, 20_000)]
    expect(bytesPerSecond(transferAfter(...slowThenFast))).toBe(2 * MB)
    expect(secondsLeft(transferAfter(...slowThenFast))).toBe(39)
  })

  it('begin anew after a cut, so that the pause does not count', () => {
    const back: UploadEvent = { type: 'continued', sentBytes: 2 * MB, fromEarlierVisit: false }
    const transfer = transferAfter(sent(0, 0), sent(2, 2000), { type: 'broke' }, back, sent(2, 60_000), sent(5, 61_000))
    expect(bytesPerSecond(transfer)).toBe(3 * MB)
  })

  it('say nothing of the time left while nothing moves', () => {
    expect(secondsLeft(transferAfter(sent(2, 0), sent(2, 2000)))).toBeNull()
  })

  it('stay within 0 and 100 percent', () => {
    expect(percentOf(transferAfter(sent(50, 0)))).toBe(50)
    expect(percentOf(transferAfter(sent(101, 0)))).toBe(100)
    expect(percentOf({ ...transferAfter(), sizeBytes: 0 })).toBe(0)
  })
})
