import { describe, expect, it } from 'vitest'
import { goesAt, judgeKept } from './retention.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOW = 100 * DAY

describe('[REC-03] when a recording goes', () => {
  it.each([
    ['is being made', { kept_until: null, told_at: null, checked_at: null }, 'keep'],
    ['has days left', { kept_until: NOW + 2 * DAY, told_at: null, checked_at: null }, 'keep'],
    ['has a day left', { kept_until: NOW + DAY, told_at: null, checked_at: null }, 'tell'],
    ['is over, and nobody was told', { kept_until: NOW - 9 * DAY, told_at: null, checked_at: null }, 'tell'],
    ['was told', { kept_until: NOW + HOUR, told_at: NOW - 23 * HOUR, checked_at: NOW - 60_000 }, 'note'],
    ['is over', { kept_until: NOW, told_at: NOW - DAY, checked_at: NOW - 60_000 }, 'remove'],
    ['is over, and was told late', { kept_until: NOW - DAY, told_at: NOW - 23 * HOUR, checked_at: NOW - 1 }, 'note'],
    [
      'was told before the machine was off',
      { kept_until: NOW, told_at: NOW - DAY, checked_at: NOW - 3 * HOUR },
      'warn-anew',
    ],
    [
      'was told before the clock was put back',
      { kept_until: NOW, told_at: NOW, checked_at: NOW + 3 * HOUR },
      'warn-anew',
    ],
    [
      'was told by a clock that was ahead',
      { kept_until: NOW + 9 * DAY, told_at: NOW + DAY, checked_at: NOW + DAY },
      'forget-told',
    ],
  ] as const)('one that %s', (_, row, verdict) => {
    expect(judgeKept(row, NOW)).toBe(verdict)
  })

  it('is told as it is: a day after it was told at the earliest', () => {
    expect(goesAt({ kept_until: NOW, told_at: NOW - HOUR })).toBe(NOW - HOUR + DAY)
    expect(goesAt({ kept_until: NOW, told_at: null })).toBe(NOW)
  })
})
