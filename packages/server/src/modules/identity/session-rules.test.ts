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

  it('is judged by how long ago it was made and used, not by the date', () => {
    const now = 5 * ABSOLUTE_MS
    const recent = { createdAt: now - ABSOLUTE_MS + 1, lastSeenAt: now - IDLE_MS + 1, endedAt: null }
    expect(judgeSession(recent, now)).toBe('valid')
    expect(judgeSession({ ...recent, createdAt: now - ABSOLUTE_MS }, now)).toBe('expired')
    expect(judgeSession({ ...recent, lastSeenAt: now - IDLE_MS }, now)).toBe('expired')
  })

  it('that was ended is invalidated, not expired, however old', () => {
    expect(judgeSession({ ...fresh, endedAt: 5 }, ABSOLUTE_MS * 2)).toBe('invalidated')
  })
})
