import { expect, it } from 'vitest'
import { createSourcePulse } from './source-pulse.ts'

/** Asks every second for half a minute. `markAt`: what the source offers in each second. */
async function askedFor(markAt: (second: number) => string): Promise<boolean[]> {
  let second = 0
  const { isFed } = createSourcePulse({ look: async () => markAt(second), now: () => second * 1_000 })
  const fed: boolean[] = []
  for (; second < 30; second++) {
    fed.push(isFed())
    await new Promise(setImmediate)
  }
  return fed
}

it('[SAFE-04] a source is fed while it adds something, and for a while after that', async () => {
  const still = await askedFor(() => 'a')
  expect([still[0], still[14], still[15], still[29]]).toEqual([true, true, false, false])
  expect(await askedFor((second) => String(Math.floor(second / 10)))).not.toContain(false)
  const stops = await askedFor((second) => String(Math.min(second, 8)))
  expect([stops[16], stops[29]]).toEqual([true, false])
})

it('[SAFE-04] a source that cannot be read is not fed', async () => {
  const away = await askedFor(() => {
    throw new Error('away')
  })
  expect(away.slice(15)).not.toContain(true)
})

it('[SAFE-04] what was known of a source long ago says nothing', async () => {
  let second = 0
  const { isFed } = createSourcePulse({ look: async () => 'a', now: () => second * 1_000 })
  for (; second < 20; second++) {
    isFed()
    await new Promise(setImmediate)
  }
  expect(isFed()).toBe(false)
  second += 60
  expect(isFed()).toBe(true)
})
