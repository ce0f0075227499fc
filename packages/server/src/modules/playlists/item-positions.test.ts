import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { positionsBetween, spread } from './item-positions.ts'

const isRising = (values: readonly number[]): boolean =>
  values.every((value, index) => index === 0 || value > (values[index - 1] ?? 0))

describe('the positions of items in a list', () => {
  it('lie between their neighbours and in order, or say that there is no room', () => {
    const edge = fc.option(fc.double({ min: -1e6, max: 1e6, noNaN: true }))
    fc.assert(
      fc.property(edge, edge, fc.integer({ min: 1, max: 500 }), (one, other, count) => {
        const isBetween = one !== null && other !== null
        const [before, after] = isBetween ? [Math.min(one, other), Math.max(one, other)] : [one, other]
        const found = positionsBetween(before, after, count)
        if (found === null) {
          expect(isBetween).toBe(true)
          return
        }
        expect(found).toHaveLength(count)
        expect(isRising([...(before === null ? [] : [before]), ...found, ...(after === null ? [] : [after])])).toBe(
          true,
        )
      }),
    )
  })

  it('can be divided for long before the list has to be spread anew', () => {
    let [before, after] = spread(2) as [number, number]
    let moves = 0
    for (let found = positionsBetween(before, after, 1); found; found = positionsBetween(before, after, 1)) {
      after = found[0] ?? before
      moves++
    }
    expect(moves).toBeGreaterThan(15)
  })
})
