import { describe, expect, it } from 'vitest'
import { UsageError } from './command.ts'
import { addDays, addMonths, endOfDay, isoOrNull, localDay, localTime } from './dates.ts'
import { periodEnd, readPeriod } from './plan-period.ts'

const at = (text: string): number => new Date(text).getTime()
const now = at('2026-01-31T12:00')

describe('the period of a plan', () => {
  const month = readPeriod({ positionals: [], options: {} })

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

describe('what the operator types', () => {
  const read = (options: Record<string, string | boolean>) => readPeriod({ positionals: [], options })

  it('is a month where nothing is said of time, and known to be so', () => {
    expect(read({})).toEqual({ kind: 'months', count: 1, asked: false })
    expect(read({ months: '1' })).toEqual({ kind: 'months', count: 1, asked: true })
  })

  it('is a number of days or months, a day, or for ever', () => {
    expect(read({ days: '36500' })).toEqual({ kind: 'days', count: 36_500 })
    expect(read({ months: '1200' })).toEqual({ kind: 'months', count: 1_200, asked: true })
    expect(read({ until: '2026-12-31' })).toEqual({ kind: 'until', at: at('2026-12-31T23:59:59.999') })
    expect(read({ forever: true })).toEqual({ kind: 'forever' })
  })

  it.each([
    [{ days: '0' }, '--days'],
    [{ days: '36501' }, '--days'],
    [{ months: '0' }, '--months'],
    [{ months: '1201' }, '--months'],
    [{ until: 'besok' }, "--until must be a day such as 2026-12-31, and 'besok' is not"],
    [{ until: '2026-12-31', forever: true }, '--until and --forever do not go together'],
    [{ days: '3', months: '2' }, '--days and --months do not go together'],
  ])('is refused when it is %j', (options, sentence) => {
    expect(() => read(options)).toThrow(UsageError)
    expect(() => read(options)).toThrow(sentence)
  })

  it('leads to an end, or to none', () => {
    const has = { plan: 'starter' as const, planUntil: at('2026-02-10T12:00') }
    const endOf = (options: Record<string, string | boolean>) => periodEnd(read(options), has, 'starter', now)
    expect(endOf({ forever: true })).toBeNull()
    expect(endOf({ until: '2026-02-01' })).toBe(at('2026-02-01T23:59:59.999'))
    expect(endOf({ days: '20' })).toBe(at('2026-03-02T12:00'))
    expect(periodEnd(read({ days: '1' }), { ...has, planUntil: null }, 'starter', now)).toBe(at('2026-02-01T12:00'))
  })
})

describe('a day of the calendar', () => {
  it('has two digits for its month and day', () => {
    expect(localDay(at('2026-03-09T23:59'))).toBe('2026-03-09')
    expect(localDay(at('2026-12-31T00:00'))).toBe('2026-12-31')
    expect(localTime(at('2026-03-09T04:05'))).toMatch(/^2026-03-09 04:05 /)
  })

  it('is counted on over the ends of months and years', () => {
    expect(addDays(at('2026-12-30T08:30'), 3)).toBe(at('2027-01-02T08:30'))
    expect(addMonths(at('2026-10-31T08:30'), 4)).toBe(at('2027-02-28T08:30'))
    expect(addMonths(at('2027-10-31T08:30'), 4)).toBe(at('2028-02-29T08:30'))
    expect(addMonths(at('2026-08-31T08:30'), 1)).toBe(at('2026-09-30T08:30'))
  })

  it('is one only if nothing stands around it', () => {
    expect(endOfDay('x2026-12-31')).toBeNull()
    expect(endOfDay('2026-12-31x')).toBeNull()
    expect(endOfDay('12026-12-31')).toBeNull()
  })

  it('is written for programs in universal time', () => {
    expect(isoOrNull(0)).toBe('1970-01-01T00:00:00.000Z')
    expect(isoOrNull(null)).toBeNull()
  })
})

describe('a time for the operator', () => {
  it('is in local form, with the name of its zone', () => {
    expect(localTime(now)).toMatch(/^2026-01-31 12:00 [A-Z]{3,4}([+-][\d.:]+)?$/)
    expect(localTime(null)).toBe('-')
  })
})
