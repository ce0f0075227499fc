import { webhookResultText } from '@siarin/contracts/webhook-texts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { USUAL_TIMINGS } from '../../platform/timings.ts'
import { codeOfStatus, isFailingTooLong, judgeTry, readRetryAfter } from './judge-try.ts'

const { retriesMs } = USUAL_TIMINGS.webhooks
const DAY_MS = 86_400_000
const at = (now: number, random = 0.5) => ({ now, random, retriesMs })

describe('after a try', () => {
  it('[HOOK-02] a failure is tried again with growing waits over about a day, then given up', () => {
    let now = 0
    let tries = 0
    for (;;) {
      tries += 1
      const verdict = judgeTry({ code: 'bad-status', retryAfterMs: null }, { tries, sinceMs: 0 }, at(now))
      if (verdict.is !== 'again') {
        expect(verdict).toEqual({ is: 'failed', disable: null })
        break
      }
      expect(verdict.atMs).toBeGreaterThan(now)
      now = verdict.atMs
    }
    expect(tries).toBe(11)
    expect(now).toBeGreaterThan(DAY_MS * 0.9)
    expect(now).toBeLessThan(DAY_MS * 1.1)
  })

  it('[HOOK-02] waits are spread, as long as was asked for, and at most a day', () => {
    const random = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(random, fc.nat(20), fc.option(fc.nat(10 * DAY_MS)), (chance, tries, retryAfterMs) => {
        const verdict = judgeTry({ code: 'slow-down', retryAfterMs }, { tries: tries + 1, sinceMs: 0 }, at(0, chance))
        expect(verdict.is).toBe(tries < retriesMs.length ? 'again' : 'failed')
        if (verdict.is !== 'again') return
        expect(verdict.atMs).toBeGreaterThanOrEqual(Math.min(retryAfterMs ?? 0, DAY_MS))
        expect(verdict.atMs).toBeGreaterThanOrEqual((retriesMs[tries] ?? 0) * 0.9 - 1)
        expect(verdict.atMs).toBeLessThanOrEqual(DAY_MS)
      }),
    )
  })

  it('[HOOK-02] a receiver that asks for patience for days is given up', () => {
    const asked = { code: 'slow-down', retryAfterMs: DAY_MS }
    expect(judgeTry(asked, { tries: 2, sinceMs: 0 }, at(DAY_MS)).is).toBe('again')
    expect(judgeTry(asked, { tries: 4, sinceMs: 0 }, at(2.5 * DAY_MS)).is).toBe('failed')
  })

  it('[HOOK-02] 2xx is a success, 410 the end, and a redirect is not followed', () => {
    const codes = [200, 204, 301, 308, 400, 404, 410, 429, 500, 503].map(codeOfStatus)
    expect(codes).toEqual([
      ...[null, null, 'redirected', 'redirected', 'bad-status', 'bad-status'],
      ...['gone', 'slow-down', 'bad-status', 'slow-down'],
    ])
    for (const code of codes) if (code) expect(webhookResultText(code)).not.toBe(webhookResultText('failed'))
    expect(judgeTry({ code: 'gone', retryAfterMs: null }, { tries: 1, sinceMs: 0 }, at(0))).toEqual({
      is: 'failed',
      disable: 'gone',
    })
    expect(judgeTry({ code: null, retryAfterMs: null }, { tries: 99, sinceMs: 0 }, at(0)).is).toBe('delivered')
  })

  it('[HOOK-02] reads Retry-After as seconds or as a date, of 429 and 503 alone', () => {
    const now = Date.UTC(2026, 0, 1)
    expect(readRetryAfter(429, '120', now)).toBe(120_000)
    expect(readRetryAfter(503, new Date(now + 60_000).toUTCString(), now)).toBe(60_000)
    expect(readRetryAfter(503, new Date(now - 60_000).toUTCString(), now)).toBe(0)
    for (const odd of [undefined, 'soon', '', '-5x']) expect(readRetryAfter(429, odd, now)).toBeNull()
    expect(readRetryAfter(500, '120', now)).toBeNull()
  })

  it('[HOOK-02] an endpoint for which nothing worked for three days is too much', () => {
    expect(isFailingTooLong(null, 9 * DAY_MS)).toBe(false)
    expect(isFailingTooLong(0, 2.9 * DAY_MS)).toBe(false)
    expect(isFailingTooLong(0, 3 * DAY_MS)).toBe(true)
  })
})
