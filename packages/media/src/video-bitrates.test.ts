import { expect, it } from 'vitest'
import { videoKbps } from './video-bitrates.ts'

it.each([
  [240, 500, 800],
  [241, 900, 1_400],
  [480, 1_500, 2_200],
  [720, 2_800, 4_200],
  [1080, 4_500, 6_000],
  [1440, 9_000, 13_500],
  [4320, 18_000, 27_000],
])('a picture of %i lines gets %i kbit/s up to 30 a second, and %i above', (shortSide, upTo30, above30) => {
  expect([videoKbps(shortSide, 30), videoKbps(shortSide, 30.01)]).toEqual([upTo30, above30])
})

it('a side that is no number has none', () => {
  expect(() => videoKbps(Number.NaN, 30)).toThrow('NaN')
})
