import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dueNotice, endsToTell } from './due-notice.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const END = 100 * DAY
const lasting = (ms: number) => ({ since: END - ms, endsAt: END })
const noticesOf = (lastsMs: number, ...nows: number[]) =>
  nows.map((now) => dueNotice(lasting(lastsMs), END + now)?.step ?? 0)

describe('[ALERT-01] the end of a plan', () => {
  it('is told three days and one day ahead, to the millisecond, and when it has come', () => {
    expect(noticesOf(30 * DAY, -3 * DAY - 1, -3 * DAY, -DAY - 1, -DAY, -1, 0)).toEqual([0, 1, 1, 2, 2, 3])
    expect(dueNotice(lasting(30 * DAY), END - DAY)).toEqual({ fact: 'plan.ending', step: 2 })
    expect(dueNotice(lasting(30 * DAY), END)).toEqual({ fact: 'plan.ended', step: 3 })
  })

  it('of a day is told once, three hours ahead; of four days one day ahead', () => {
    expect(noticesOf(DAY, -DAY, -3 * HOUR - 1, -3 * HOUR, -1, 0)).toEqual([0, 0, 1, 1, 3])
    expect(noticesOf(4 * DAY, -3 * DAY, -DAY - 1, -DAY, 0)).toEqual([0, 0, 1, 3])
  })

  it('is news after a week, and none after nine days', () => {
    expect(noticesOf(30 * DAY, 7 * DAY, 8 * DAY, 8 * DAY + 1)).toEqual([3, 3, 0])
  })

  it('never goes back, and is looked for wherever there is something to tell', () => {
    const moments = fc.tuple(fc.integer({ min: 1, max: 60 * DAY }), fc.integer({ min: -9 * DAY, max: 8 * DAY }))
    fc.assert(
      fc.property(moments, fc.integer({ min: 0, max: DAY }), ([lasts, now], later) => {
        const notice = dueNotice(lasting(lasts), END + now)
        const next = dueNotice(lasting(lasts), END + Math.min(8 * DAY, now + later))
        expect(next?.step ?? 0).toBeGreaterThanOrEqual(notice?.step ?? 0)
        const { from, to } = endsToTell(END + now)
        if (notice) expect(from <= END && END <= to).toBe(true)
      }),
    )
  })
})
