import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isTooIntricate } from './json-bodies.ts'

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

it('[SAFE-07] a body of brackets is refused before it is read, however they are arranged', () => {
  expect([nested(32), nested(33)].map(isTooIntricate)).toEqual([false, true])
  expect([9_000, 20_000].map((count) => isTooIntricate(JSON.stringify(Array(count).fill(0))))).toEqual([false, true])
  expect(isTooIntricate(JSON.stringify({ a: Array(20_000).fill({}) }))).toBe(true)
  expect(isTooIntricate('{'.repeat(40))).toBe(true)
})

it('nothing within a text counts, also behind an escaped quotation mark', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 50 }), (texts) => {
      const noisy = texts.map((text) => `${text}"${'[{,'.repeat(50)}\\`)
      expect(isTooIntricate(JSON.stringify({ noisy }))).toBe(false)
    }),
  )
})
