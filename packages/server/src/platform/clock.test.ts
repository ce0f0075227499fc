import { expect, it } from 'vitest'
import { systemClock, watchForSteps } from './clock.ts'

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

it('a step counts from two seconds on, forward and backward', () => {
  let now = 50_000
  const step = watchForSteps({ now: () => now }, () => 0)
  now += 1_999
  expect(step()).toBe(0)
  now += 1
  expect(step()).toBe(2_000)
  now -= 1_999
  expect(step()).toBe(0)
  now -= 1
  expect(step()).toBe(-2_000)
})

it('the steady time is the machine’s own unless another is given', () => {
  const step = watchForSteps({ now: () => performance.now() + 1_000_000 })
  expect(step()).toBe(0)
})

it('the time of the system is that of the calendar', () => {
  const before = Date.now()
  const now = systemClock.now()
  expect(now).toBeGreaterThanOrEqual(before)
  expect(now).toBeLessThanOrEqual(Date.now())
})
