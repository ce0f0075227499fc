import { describe, expect, it } from 'vitest'
import { addMonths, endOfDay, localTime } from './dates.ts'
import { periodEnd, readPeriod } from './plan-period.ts'

const at = (text: string): number => new Date(text).getTime()
const now = at('2026-01-31T12:00')

describe('the period of a plan', () => {
  const month = readPeriod({ args: [], options: {} })

  it('is a month from now, or to the last day of a shorter month', () => {
    expect(periodEnd(month, { plan: 'free-trial', planUntil: null }, 'starter', now)).toBe(at('2026-02-28T12:00'))
    expect(addMonths(at('2026-12-15T08:30'), 1)).toBe(at('2027-01-15T08:30'))
    expect(addMonths(at('2027-02-28T08:30'), 12)).toBe(at('2028-02-28T08:30'))
  })

  it('comes on top of what is left of the same plan only', () => {
    const planUntil = at('2026-02-10T12:00')
    expect(periodEnd(month, { plan: 'starter', planUntil }, 'starter', now)).toBe(at('2026-03-10T12:00'))
    expect(periodEnd(month, { plan: 'starter', planUntil }, 'business', now)).toBe(at('2026-02-28T12:00'))
    const over = at('2026-01-30T12:00')
    expect(periodEnd(month, { plan: 'starter', planUntil: over }, 'starter', now)).toBe(at('2026-02-28T12:00'))
  })

  it('lasts to the end of a day that there is', () => {
    expect(endOfDay('2028-02-29')).toBe(at('2028-02-29T23:59:59.999'))
    for (const typed of ['2027-02-29', '2027-13-01', '2027-1-1', '0001-01-01x', 'besok']) {
      expect(endOfDay(typed)).toBeNull()
    }
  })
})

describe('a time for the operator', () => {
  it('is in local form, with the name of its zone', () => {
    expect(localTime(now)).toMatch(/^2026-01-31 12:00 \S+$/)
    expect(localTime(null)).toBe('-')
  })
})
