import { describe, expect, it } from 'vitest'
import { createEpochs, dueSignal } from './fence.ts'

const FRESH = { termedAtMs: null, generation: 7 }
const termed = (termedAtMs: number) => ({ termedAtMs, generation: 7 })
const at = (overdueMs: number) => ({ overdueMs, generation: 7 })

describe('what is due for an ffmpeg', () => {
  it('nothing before the deadline, however near', () => {
    expect(dueSignal(FRESH, at(-1), 5_000)).toBeNull()
  })

  it('a request to end at the deadline, once, and its end a second later', () => {
    expect(dueSignal(FRESH, at(0), 5_000)).toBe('SIGTERM')
    expect(dueSignal(termed(5_000), at(999), 5_999)).toBeNull()
    expect(dueSignal(termed(5_200), at(1_000), 6_000)).toBe('SIGKILL')
  })

  it('its end also where the deadline came back after the request: it is ending, and may hang', () => {
    expect(dueSignal(termed(5_000), at(-4_000), 5_500)).toBeNull()
    expect(dueSignal(termed(5_000), at(-4_000), 6_000)).toBe('SIGKILL')
  })

  it('its end at once where the warden itself was stopped meanwhile', () => {
    expect(dueSignal(FRESH, at(20_000), 25_000)).toBe('SIGKILL')
  })

  it('its end at once where a deadline has lapsed and was given anew, unseen', () => {
    expect(dueSignal(FRESH, { overdueMs: -5_000, generation: 8 }, 25_000)).toBe('SIGKILL')
  })
})

describe('who may start an ffmpeg', () => {
  const of = (epoch: number, streamId = 'a') => ({ streamId, epoch })

  it('nobody past the deadline', () => {
    const epochs = createEpochs()
    expect([epochs.judge(of(1), at(0)), epochs.judge(of(1), at(-1))]).toEqual(['lapsed', null])
  })

  it('nobody with an older claim than was seen, of this stream', () => {
    const epochs = createEpochs()
    epochs.note(of(4))
    epochs.note(of(2))
    expect([3, 4, 5].map((epoch) => epochs.judge(of(epoch), at(-1)))).toEqual(['old-epoch', null, null])
    expect(epochs.judge(of(1, 'b'), at(-1))).toBeNull()
  })

  it('a stream that was seen lately is remembered, and memory is bounded', () => {
    const epochs = createEpochs(2)
    for (const streamId of ['a', 'b', 'a', 'c']) epochs.note(of(4, streamId))
    expect(['a', 'b', 'c'].map((streamId) => epochs.judge(of(1, streamId), at(-1)))).toEqual([
      'old-epoch',
      null,
      'old-epoch',
    ])
  })
})
