import { expect, it } from 'vitest'
import { watchForSteps } from './clock.ts'

it('a clock that is set is noticed once, in whole milliseconds; one that drifts is not', () => {
  let [now, steady] = [1_000_000, 0]
  const step = watchForSteps({ now: () => now }, () => steady)
  now += 500
  steady += 499.37
  expect(step()).toBe(0)
  now += 3_600_000
  steady += 0.25
  expect(step()).toBe(3_600_000)
  expect(step()).toBe(0)
  now -= 7_200_000
  expect(step()).toBe(-7_200_000)
})
