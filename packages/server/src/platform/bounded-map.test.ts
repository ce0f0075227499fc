import { expect, it } from 'vitest'
import { createBoundedMap } from './bounded-map.ts'

it('[SAFE-07] keeps so many at most, and what was set last', () => {
  const map = createBoundedMap<number>(2)
  for (const [index, key] of ['a', 'b', 'a', 'c'].entries()) map.set(key, index)
  expect(map.keys()).toEqual(['a', 'c'])
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([2, undefined, 3])
  map.delete('a')
  map.set('d', 4)
  expect(map.keys()).toEqual(['c', 'd'])
  expect(map.size()).toBe(2)
  map.clear()
  expect(map.keys()).toEqual([])
})
