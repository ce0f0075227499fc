import fc from 'fast-check'
import { expect, it } from 'vitest'
import { iso } from './iso.ts'

it('a moment is written as the language writes it, in any order, at any time that there is', () => {
  const near = fc.integer({ min: 1_700_000_000_000, max: 1_700_300_000_000 })
  const any = fc.integer({ min: -8.64e15, max: 8.64e15 })
  const some = fc.array(fc.oneof(near, any, fc.double({ min: 0, max: 2e12, noNaN: true })), { maxLength: 20 })
  fc.assert(
    fc.property(some, (moments) => {
      expect(moments.map(iso)).toEqual(moments.map((ms) => new Date(ms).toISOString()))
    }),
  )
  expect(() => iso(Number.NaN)).toThrow(RangeError)
})
