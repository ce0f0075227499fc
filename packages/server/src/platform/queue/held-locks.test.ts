import { afterEach, describe, expect, it, vi } from 'vitest'
import { createHeldLocks } from './held-locks.ts'

const HOUR_MS = 3_600_000

describe('a lock that a worker holds', () => {
  afterEach(() => vi.useRealTimers())

  it.each([
    ['forward', HOUR_MS],
    ['back', -HOUR_MS],
  ])('is not lost by a clock that somebody sets %s', (_, byMs) => {
    const locks = createHeldLocks(10_000)
    const signal = locks.hold('a')
    vi.useFakeTimers({ now: Date.now() + byMs, toFake: ['Date'] })
    locks.judge()
    expect(signal.aborted).toBe(false)
  })

  it('is lost once its time is over, unless it was renewed', () => {
    let now = 0
    const locks = createHeldLocks(1_000, () => now)
    const [kept, lost] = [locks.hold('kept'), locks.hold('lost')]
    now = 900
    locks.renewed(['kept', 'unknown'])
    now = 1_001
    locks.judge()
    expect([kept.aborted, lost.aborted]).toEqual([false, true])
    now = 1_901
    locks.judge()
    expect(kept.aborted).toBe(true)
  })

  it('is lost when the queue says so, and one that was released is nobody’s any more', () => {
    let now = 0
    const locks = createHeldLocks(1_000, () => now)
    const [told, released] = [locks.hold('told'), locks.hold('released')]
    locks.release('released')
    locks.lost(['told', 'released'])
    now = 5_000
    locks.judge()
    expect([told.aborted, released.aborted]).toEqual([true, false])
  })
})
