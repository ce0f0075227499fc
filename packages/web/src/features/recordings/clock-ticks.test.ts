import { describe, expect, it } from 'vitest'
import { clockTicks } from './clock-ticks.ts'

const at = (hour: number, minute: number, second = 0): number => new Date(2026, 10, 15, hour, minute, second).getTime()

describe('the times under a time line', () => {
  it('are full ones of the wall clock here, few enough to be read', () => {
    expect(clockTicks(at(19, 7), at(22, 40), 4)).toEqual({ stepMs: 3_600_000, at: [at(20, 0), at(21, 0), at(22, 0)] })
    expect(clockTicks(at(19, 7, 3), at(19, 7, 21), 4).at).toEqual([5, 10, 15, 20].map((second) => at(19, 7, second)))
  })

  it('are none where there is no time, and never more than asked for', () => {
    expect(clockTicks(at(19, 7, 3), at(19, 7, 3), 4).at.length).toBeLessThanOrEqual(1)
    expect(clockTicks(at(0, 0), at(0, 0) + 30 * 86_400_000, 4).at).toHaveLength(4)
  })
})
