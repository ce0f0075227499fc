import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { watchPace } from './minimum-pace.ts'

describe('the pace of a download', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** 500 bytes in each window of five seconds is what is asked for. */
  function watched(alreadyArrived = 0) {
    let arrived = alreadyArrived
    const tooSlow = vi.fn()
    const end = watchPace({ bytesPerSecond: 100, windowMs: 5_000 }, () => arrived, tooSlow)
    const passWindow = (bytes: number) => {
      arrived += bytes
      vi.advanceTimersByTime(5_000)
      return tooSlow.mock.calls.length
    }
    return { passWindow, tooSlow, end }
  }

  it('is enough when a window brings just what is asked for', () => {
    const { passWindow } = watched()
    expect([passWindow(500), passWindow(500), passWindow(9_000)]).toEqual([0, 0, 0])
  })

  it('is too slow in each window that brings less, whatever came in the others', () => {
    const { passWindow } = watched()
    expect([passWindow(499), passWindow(9_000), passWindow(499), passWindow(0)]).toEqual([1, 1, 2, 3])
  })

  it('is not judged within a window, since a server may pause for a moment', () => {
    const { tooSlow } = watched()
    vi.advanceTimersByTime(4_999)
    expect(tooSlow).not.toHaveBeenCalled()
  })

  it('does not count what had arrived before', () => {
    expect(watched(1_000_000).passWindow(499)).toBe(1)
  })

  it('is judged no more once the watch has ended', () => {
    const { passWindow, end } = watched()
    end()
    expect(passWindow(0)).toBe(0)
  })
})
