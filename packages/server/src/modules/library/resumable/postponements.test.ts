import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createPostponements } from './postponements.ts'

beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }))
afterEach(() => void vi.useRealTimers())

describe('an upload whose inspection took too long', () => {
  it('waits longer each time, and after three times no more', () => {
    const { postpone, waitMs } = createPostponements(600)
    expect(waitMs('a')).toBeLessThanOrEqual(0)
    expect([postpone('a'), postpone('a'), postpone('a')]).toEqual([600, 3_000, 15_000])
    expect(waitMs('a')).toBe(15_000)
    expect(postpone('a')).toBeNull()
    expect(waitMs('a')).toBe(15_000)
    expect(waitMs('b')).toBeLessThanOrEqual(0)
  })

  it('may be inspected once its time is over', () => {
    const { postpone, waitMs } = createPostponements(600)
    postpone('a')
    vi.setSystemTime(1_000_599)
    expect(waitMs('a')).toBe(1)
    vi.setSystemTime(1_000_600)
    expect(waitMs('a')).toBe(0)
  })

  it('begins anew once it was forgotten', () => {
    const { postpone, waitMs, forget } = createPostponements(600)
    postpone('a')
    forget('a')
    expect(waitMs('a')).toBeLessThanOrEqual(0)
    expect(postpone('a')).toBe(600)
  })
})
