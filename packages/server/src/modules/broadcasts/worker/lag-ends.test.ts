import { expect, it } from 'vitest'
import { createLagEnds } from './lag-ends.ts'

const SECOND_MS = 1_000

it('of many streams that lag at once one is ended in a while, whoever they belong to', () => {
  let now = 0
  const mayEnd = createLagEnds(() => now)
  const endsOf = (owners: readonly string[]) => owners.filter((owner) => mayEnd(owner)).length
  const many = Array.from({ length: 50 }, (_, index) => `owner ${index}`)
  expect(endsOf(many)).toBe(1)
  now += 20 * SECOND_MS
  expect(endsOf(many)).toBe(0)
  now += SECOND_MS
  expect(endsOf(many)).toBe(1)
})

it('an account whose streams lag all the time leaves most of the ends to others', () => {
  let now = 0
  const mayEnd = createLagEnds(() => now)
  const ends = { greedy: 0, modest: 0 }
  for (; now < 3_600 * SECOND_MS; now += SECOND_MS) {
    if (mayEnd('greedy')) ends.greedy++
    // Its stretches are a minute long.
    if (now % (61 * SECOND_MS) === 0 && mayEnd('modest')) ends.modest++
  }
  expect(ends.greedy).toBeGreaterThan(0)
  expect(ends.greedy).toBeLessThanOrEqual(20)
  expect(ends.modest).toBeGreaterThanOrEqual(10)
})
