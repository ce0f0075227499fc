import { describe, expect, it } from 'vitest'
import { mayRetry, retryDelayMs } from './retry.ts'

const failure = (status: number | null, method = 'PATCH') => ({ method, status, message: null })

describe('after a failure', () => {
  it('no answer is waited out without end, at most half a minute apart', () => {
    expect(mayRetry(failure(null), 10_000)).toBe(true)
    expect(mayRetry(failure(503), 10_000)).toBe(true)
    expect(retryDelayMs(0)).toBeLessThanOrEqual(1000)
    expect(retryDelayMs(10_000)).toBe(30_000)
  })

  it('a refusal is final', () => {
    for (const status of [400, 401, 403, 413, 415, 422, 507]) expect(mayRetry(failure(status), 0)).toBe(false)
    expect(mayRetry(failure(404, 'POST'), 0)).toBe(false)
  })

  it('what may pass is tried again, not for ever', () => {
    for (const status of [409, 423, 429, 500]) {
      expect(mayRetry(failure(status), 0)).toBe(true)
      expect(mayRetry(failure(status), 50)).toBe(false)
    }
  })

  it('an upload that the server no longer knows begins anew', () => {
    expect(mayRetry(failure(404), 0)).toBe(true)
    expect(mayRetry(failure(410), 0)).toBe(true)
  })
})
