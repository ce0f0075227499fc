import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EgressRefused } from '../../../platform/egress/guard.ts'
import { CallFailed } from '../../../platform/egress/small-call.ts'
import { boundedWait, cleaned, noAnswer, retryAfterMs, shortened } from './answers.ts'

describe('what another side said', () => {
  it('is one line of at most 300 characters, without any secret, whatever it is', () => {
    const secret = fc.stringMatching(/^[\w-]{8,40}$/)
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), secret, fc.string({ maxLength: 400 }), (before, hidden, after) => {
        const text = cleaned(`${before}${hidden}${after}`, [hidden])
        expect(text.length).toBeLessThanOrEqual(300)
        expect(text).not.toMatch(/[\r\n\t\u202e]/)
        expect(text).not.toContain(hidden)
      }),
    )
  })

  it('is masked before it is cut, also where a secret is escaped', () => {
    expect(cleaned(`${'x'.repeat(295)}kunci-sekali`, ['kunci-sekali'])).not.toContain('kun')
    expect(cleaned('at /a%2Fb%3Dc-secret', ['/a/b=c-secret', 'a/b=c-secret'])).toBe('at /[rahasia]')
  })
})

describe('a shortened text', () => {
  it('is never longer than asked, and never ends within a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 50 }), (text, most) => {
        const short = shortened(text, most)
        expect(short.length).toBeLessThanOrEqual(most)
        expect(short.isWellFormed()).toBe(true)
        if (text.length <= most) expect(short).toBe(text)
      }),
    )
  })
})

describe('how long another side wants us to wait', () => {
  it('is read as seconds or as a moment, within reason', () => {
    expect(retryAfterMs({ 'retry-after': '12' }, 0)).toBe(12_000)
    expect(retryAfterMs({ 'retry-after': new Date(90_000).toUTCString() }, 30_000)).toBe(60_000)
    expect(retryAfterMs({ 'retry-after': 'soon' }, 0)).toBeNull()
    expect(retryAfterMs({}, 0)).toBeNull()
    expect(boundedWait(1e12)).toBe(6 * 3_600_000)
    for (const odd of [-1, Number.NaN, Number.POSITIVE_INFINITY]) expect(boundedWait(odd)).toBeNull()
  })
})

describe('no answer', () => {
  it('ends a channel only where the user’s own address leads inside', () => {
    expect(noAnswer(new EgressRefused('forbidden'), 'user').kind).toBe('gone')
    expect(noAnswer(new EgressRefused('forbidden'), 'platform').kind).toBe('later')
    expect(noAnswer(new EgressRefused('unknown-host'), 'user').kind).toBe('later')
    expect(noAnswer(new CallFailed('ECONNRESET'), 'user').answer).toBe('Tidak dapat dihubungi (ECONNRESET).')
    expect(noAnswer(new Error('https://secret'), 'user').answer).toBe('Tidak dapat dihubungi (error).')
  })
})
