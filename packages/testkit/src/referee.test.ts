import { describe, expect, it } from 'vitest'
import { judgeKey, type Session } from './referee.ts'

const session = (id: number, ...stretches: [number, number][]): Session => ({
  key: 'k',
  id,
  stretches: stretches.map(([fromMs, toMs]) => ({ fromMs, toMs })),
})
const judge = (...sessions: Session[]) => judgeKey('k', sessions, { fromMs: 0, toMs: 100 })

describe('what a referee makes of the publishers of a key', () => {
  it('nothing amiss where one sends all the time', () => {
    expect(judge(session(1, [-50, 120]))).toEqual({ key: 'k', overlapMs: 0, gapMs: 0, arrivals: 0 })
  })

  it('the longest time without any, also at the end or from the beginning', () => {
    expect(judge(session(1, [0, 30]), session(2, [70, 100]))).toMatchObject({ gapMs: 40, arrivals: 1 })
    expect(judge(session(1, [-50, 30]))).toMatchObject({ gapMs: 70, overlapMs: 0 })
    expect(judge()).toMatchObject({ gapMs: 100 })
  })

  it('how long two sent at once, also where one of them was silent in between', () => {
    expect(judge(session(1, [0, 60]), session(2, [50, 100]))).toMatchObject({ overlapMs: 10, gapMs: 0 })
    expect(judge(session(1, [0, 10], [80, 90]), session(2, [20, 100]))).toMatchObject({ overlapMs: 10, gapMs: 10 })
  })

  it('no overlap where one only stood while the other sent', () => {
    expect(judge(session(1, [0, 10]), session(2, [10, 100]))).toMatchObject({ overlapMs: 0 })
  })
})
