import { describe, expect, it } from 'vitest'
import { held, judged, mayTake, renewed, SAFE_MS, sighted, TAKE_AFTER_MS } from './lease-state.ts'

describe('who holds a lease', () => {
  it('may go on until 5 s after the last renewal began, however late its answer came', () => {
    const hold = renewed(held('a', 0), 1_000, 4_900)
    expect(judged(hold, 1_000 + SAFE_MS - 1)).toMatchObject({ at: 'held' })
    expect(judged(hold, 1_000 + SAFE_MS)).toMatchObject({ at: 'lapsed' })
  })

  it('loses nothing by an older answer that comes after a newer one', () => {
    expect(renewed(renewed(held('a', 0), 2_000, 2_100), 1_000, 2_200)).toMatchObject({ deadlineMs: 2_000 + SAFE_MS })
  })

  it('has lost it for ever once its time was over, also where a renewal succeeded meanwhile', () => {
    expect(renewed(held('a', 0), 4_900, SAFE_MS)).toEqual({ at: 'lapsed', incarnation: 'a' })
  })
})

describe('who takes a lease', () => {
  const silent = { shown: 'a:1', sinceMs: 0 }
  const late = TAKE_AFTER_MS

  it('has seen both stores without a change, the witness last', () => {
    expect(mayTake({ row: silent, rowAskedMs: late, witness: silent, witnessAskedMs: late })).toBe(true)
    expect(mayTake({ row: silent, rowAskedMs: late, witness: silent, witnessAskedMs: late - 1 })).toBe(false)
    expect(mayTake({ row: silent, rowAskedMs: late - 1, witness: silent, witnessAskedMs: late })).toBe(false)
    const renewedNow = { shown: 'a:2', sinceMs: late - 10 }
    expect(mayTake({ row: silent, rowAskedMs: late, witness: renewedNow, witnessAskedMs: late })).toBe(false)
  })

  it('takes nothing of what it could not look at', () => {
    expect(mayTake({ row: silent, rowAskedMs: late, witness: undefined, witnessAskedMs: late })).toBe(false)
  })

  it('counts from the answer that first showed it', () => {
    expect(sighted(sighted(undefined, 'a:1', 300), 'a:1', 900)).toEqual({ shown: 'a:1', sinceMs: 300 })
    expect(sighted(sighted(undefined, 'a:1', 300), 'a:2', 900)).toEqual({ shown: 'a:2', sinceMs: 900 })
  })
})
