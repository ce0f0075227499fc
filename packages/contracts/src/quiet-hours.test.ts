import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quietUntil } from './quiet-hours.ts'

const at = (text: string): number => Date.parse(text)
const night = { quiet: { on: true, from: '22:00', to: '07:00' }, zone: 'Asia/Jakarta' }

describe('ALERT-03 quiet hours', () => {
  it('run over midnight, on the wall of the zone', () => {
    expect(quietUntil(night, at('2026-11-16T21:59:59+07:00'))).toBeNull()
    expect(quietUntil(night, at('2026-11-16T22:00:00+07:00'))).toBe(at('2026-11-17T07:00:00+07:00'))
    expect(quietUntil(night, at('2026-11-17T06:59:59+07:00'))).toBe(at('2026-11-17T07:00:00+07:00'))
    expect(quietUntil(night, at('2026-11-17T07:00:00+07:00'))).toBeNull()
  })

  it('run within a day, and not where they are off', () => {
    const noon = { ...night, quiet: { on: true, from: '12:00', to: '13:30' } }
    expect(quietUntil(noon, at('2026-11-16T12:30:00+07:00'))).toBe(at('2026-11-16T13:30:00+07:00'))
    expect(quietUntil(noon, at('2026-11-16T14:00:00+07:00'))).toBeNull()
    expect(quietUntil({ ...night, quiet: { ...night.quiet, on: false } }, at('2026-11-16T23:00:00+07:00'))).toBeNull()
  })

  it('end after they were asked for and within a day and an hour, in any zone, also where the clock changes', () => {
    const clock = fc.integer({ min: 0, max: 1439 }).map((minutes) => {
      const two = (value: number) => String(value).padStart(2, '0')
      return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
    })
    const zone = fc.constantFrom('Asia/Jakarta', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe')
    const moment = fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2027-01-01T00:00:00Z') })
    fc.assert(
      fc.property(clock, clock, zone, moment, (from, to, name, now) => {
        const until = quietUntil({ quiet: { on: true, from, to }, zone: name }, now)
        if (until === null) return
        expect(until).toBeGreaterThan(now)
        expect(until - now).toBeLessThanOrEqual(25 * 3_600_000)
      }),
      { numRuns: 300 },
    )
  })
})
