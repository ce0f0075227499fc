import { describe, expect, it } from 'vitest'
import { createTestPlaces } from './test-places.ts'

const TEXTS = { running: { code: 'target_test_running', text: 'running' }, fullText: 'full' } as const
const hang = () => new Promise<never>(() => {})

describe('[SAFE-07] places for tests', () => {
  it('are free again for others once those that hang have taken long, of which there are few', async () => {
    const inPlace = createTestPlaces({ atOnce: 2, slowMs: 20, mostSlow: 3, waitMs: 200, ...TEXTS })
    for (const hanging of ['a', 'b']) void inPlace(hanging, hang)
    // They wait for it, in their order, and are not sent away.
    const taken = ['c', 'c2', 'c3'].map((waits) => inPlace(waits, async () => waits))
    expect(await Promise.all(taken)).toEqual(['c', 'c2', 'c3'])
    // Each workspace has one, however long it takes.
    await expect(inPlace('a', hang)).rejects.toMatchObject({ code: 'target_test_running' })
    for (const hanging of ['d', 'e', 'f']) {
      expect(await inPlace(hanging, async () => true)).toBe(true)
      void inPlace(hanging, hang)
    }
    // Three have moved aside, and two stay where they are.
    await new Promise((resolve) => setTimeout(resolve, 100))
    await expect(inPlace('g', hang)).rejects.toMatchObject({ code: 'server_busy' })
  })
})
