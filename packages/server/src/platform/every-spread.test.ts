import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { everySpread } from './every-spread.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('comes at a time of its own first, then regularly, and ends', () => {
  const came: string[] = []
  const ends = [0.1, 0.5, 0.9].map((share) =>
    everySpread(
      1_000,
      () => came.push(`${share}`),
      () => share,
    ),
  )
  vi.advanceTimersByTime(99)
  expect(came).toEqual([])
  vi.advanceTimersByTime(901)
  expect(came).toEqual(['0.1', '0.5', '0.9'])
  vi.advanceTimersByTime(1_000)
  expect(came).toEqual(['0.1', '0.5', '0.9', '0.1', '0.5', '0.9'])
  for (const end of ends) end()
  everySpread(1_000, () => came.push('never'))()
  vi.advanceTimersByTime(5_000)
  expect(came).toHaveLength(6)
})
