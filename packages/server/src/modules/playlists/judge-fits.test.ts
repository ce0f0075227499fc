import { describe, expect, it } from 'vitest'
import { judgeFits } from './judge-fits.ts'

describe('which items of a playlist fit the others', () => {
  it.each([
    ['all that are alike do', ['a', 'a', 'a'], [true, true, true]],
    ['one that is unlike most does not', ['a', 'b', 'a'], [true, false, true]],
    ['where two groups are equally large the first counts', ['b', 'a', 'a', 'b'], [true, false, false, true]],
    ['one that is not known yet says nothing', [null, 'a', null], [null, true, null]],
    ['an empty list has none', [], []],
  ])('%s', (_name, likenesses, fits) => {
    expect(judgeFits(likenesses)).toEqual(fits)
  })
})
