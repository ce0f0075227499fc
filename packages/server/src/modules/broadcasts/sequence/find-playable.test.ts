import { describe, expect, it } from 'vitest'
import type { Course, Place } from '../../playlists/next-item.ts'
import { findPlayable } from './find-playable.ts'

const itemsOf = (count: number) => Array.from({ length: count }, (_, position) => ({ id: `i${position}`, position }))
const at = (index: number, round = 0): Place => ({ itemId: `i${index}`, round })

function find(count: number, isBroken: (id: string) => boolean, more: Partial<Course> = {}, from = at(0)) {
  const tried: string[] = []
  const ordering = { shuffle: false, seed: 's', startItemId: null }
  const course = { removed: [], ordering, looping: true, skips: [], ...more, items: itemsOf(count) }
  const found = findPlayable(from, course, async ({ id }) => {
    tried.push(id)
    return isBroken(id) ? null : `clip of ${id}`
  })
  return found.then(({ next, passed }) => ({ next, passed: passed.map(({ id }) => id), tried }))
}

describe('[LIST-01] what follows and can be played', () => {
  it('is the next item, and nothing is passed over', async () => {
    expect(await find(3, () => false)).toEqual({
      next: { place: at(1), clip: 'clip of i1' },
      passed: [],
      tried: ['i1'],
    })
  })

  it('is what stands behind the broken ones, also in the next round', async () => {
    const { next, passed } = await find(4, (id) => id === 'i2' || id === 'i3', {}, at(1))
    expect([next?.place, passed]).toEqual([at(0, 1), ['i2', 'i3']])
  })

  it('is the same item again where all others are broken', async () => {
    expect((await find(3, (id) => id !== 'i0')).next?.place).toEqual(at(0, 1))
  })

  it.each([
    ['in order', false],
    ['shuffled', true],
  ])('is nothing where all are broken, and each of 500 is tried once: %s', async (_, shuffle) => {
    const ordering = { shuffle, seed: 's', startItemId: null }
    const begun = performance.now()
    const { next, passed, tried } = await find(500, () => true, { ordering })
    expect([next, passed.length, new Set(tried).size, tried.length]).toEqual([null, 500, 500, 500])
    // A few milliseconds: the order of a round is found once, not at each step.
    expect(performance.now() - begun).toBeLessThan(500)
  })

  it('is nothing at the end of a list that plays once', async () => {
    expect(await find(3, (id) => id === 'i2', { looping: false }, at(1))).toMatchObject({ next: null, passed: ['i2'] })
  })

  it('follows a skip that lies behind a broken item', async () => {
    const { next, passed } = await find(4, (id) => id === 'i1', { skips: [at(2)] })
    expect([next?.place, passed]).toEqual([at(3), ['i1']])
  })
})
