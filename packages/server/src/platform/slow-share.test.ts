import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSlowShare } from './slow-share.ts'

const AT_ONCE = 3
const MOST_SLOW = 4

describe('[SAFE-07] places that slow works leave to others', () => {
  it('are never more than there are, whatever is taken, turns out slow or ends, in any order', () => {
    const step = fc.record({ does: fc.constantFrom('take', 'slow', 'end'), which: fc.nat(20) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const places = createSlowShare(AT_ONCE, { most: MOST_SLOW })
        const open: { place: ReturnType<typeof places.take>; isLong: boolean }[] = []
        for (const { does, which } of steps) {
          const index = which % Math.max(1, open.length)
          const one = open[index]
          if (does === 'take' && places.free() > 0) open.push({ place: places.take(), isLong: false })
          else if (does === 'slow' && one) {
            one.place.moveToSlow()
            one.isLong = true
          } else if (does === 'end' && one) {
            open.splice(index, 1)
            one.place.giveBack()
            // Twice does no harm.
            one.place.giveBack()
          }
          // As many of those that take long as may have left their place, also after others have ended.
          const slow = Math.min(MOST_SLOW, open.filter(({ isLong }) => isLong).length)
          expect(places.free()).toBe(AT_ONCE - (open.length - slow))
        }
      }),
    )
  })

  it('stay taken where there is no share for slow ones', () => {
    const places = createSlowShare(1)
    places.take().moveToSlow()
    expect(places.free()).toBe(0)
  })
})
