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

it('[SAFE-04] a source is fed while it adds something, and not any more a while after that', async () => {
  const still = await askedFor(() => 'a')
  expect(still).not.toContain(true)
  const going = await askedFor((second) => String(Math.floor(second / 6)))
  expect(going.slice(10)).not.toContain(false)
  const stops = await askedFor((second) => String(Math.min(second, 8)))
  expect([stops[6], stops[29]]).toEqual([true, false])
})

it('[SAFE-04] a source that cannot be read is not fed', async () => {
  const away = await askedFor(() => {
    throw new Error('away')
  })
  expect(away).not.toContain(true)
})
