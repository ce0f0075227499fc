import { describe, expect, it } from 'vitest'
import { beginOf, numberAt, recordingIdOf } from './recording-ids.ts'

const HOUR_MS = 3_600_000

describe('[REC-02] the recordings of a broadcast', () => {
  it('have ids that everybody knows, and no two alike', () => {
    expect(recordingIdOf('a', 1)).toBe(recordingIdOf('a', 1))
    expect(recordingIdOf('a', 1)).toMatch(/^[\da-f]{8}-[\da-f]{4}-5[\da-f]{3}-a[\da-f]{3}-[\da-f]{12}$/)
    expect(new Set([recordingIdOf('a', 1), recordingIdOf('a', 2), recordingIdOf('b', 1)]).size).toBe(3)
  })

  it('last twelve hours each', () => {
    expect([0, 12 * HOUR_MS - 1, 12 * HOUR_MS, 24 * HOUR_MS].map((ms) => numberAt(5, 5 + ms))).toEqual([1, 1, 2, 3])
    expect(numberAt(5, 4)).toBe(1)
    expect(numberAt(5, beginOf(5, 3))).toBe(3)
    expect(numberAt(5, beginOf(5, 3) - 1)).toBe(2)
  })
})
