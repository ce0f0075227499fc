import { describe, expect, it } from 'vitest'
import { ABSOLUTE_MS, IDLE_MS, judgeSession } from './session-rules.ts'

describe('a session', () => {
  const fresh = { createdAt: 0, lastSeenAt: 0, endedAt: null }

  it('is valid until it has been idle for the idle time', () => {
    expect(judgeSession(fresh, IDLE_MS - 1)).toBe('valid')
    expect(judgeSession(fresh, IDLE_MS)).toBe('expired')
  })

  it('ends after the absolute time however busy it is', () => {
    const busy = { ...fresh, lastSeenAt: ABSOLUTE_MS - 1 }
    expect(judgeSession(busy, ABSOLUTE_MS - 1)).toBe('valid')
    expect(judgeSession(busy, ABSOLUTE_MS)).toBe('expired')
  })

  it('that was ended is invalidated, not expired, however old', () => {
    expect(judgeSession({ ...fresh, endedAt: 5 }, ABSOLUTE_MS * 2)).toBe('invalidated')
  })
})
