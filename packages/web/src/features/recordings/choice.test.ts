import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Choice, edgeHere, keyTarget, moveEdge, partOf } from './choice.ts'

describe('[REC-03] a chosen part', () => {
  it('is all until a handle is moved, and all again when both are back', () => {
    const first = moveEdge(null, 'from', 20, 100)
    expect(first).toEqual({ from: 20, to: 100 })
    const both = moveEdge(first, 'to', 60.0004, 100)
    expect(both).toEqual({ from: 20, to: 60 })
    expect(moveEdge(moveEdge(both, 'to', 300, 100), 'from', -5, 100)).toBeNull()
  })

  it('keeps a second between its handles', () => {
    expect(moveEdge({ from: 20, to: 60 }, 'from', 90, 100)).toEqual({ from: 59, to: 60 })
    expect(moveEdge({ from: 20, to: 60 }, 'to', 3, 100)).toEqual({ from: 20, to: 21 })
  })

  it('begins or ends where somebody is, also beyond its other edge', () => {
    expect(edgeHere({ from: 20, to: 60 }, 'from', 30, 100)).toEqual({ from: 30, to: 60 })
    expect(edgeHere({ from: 20, to: 60 }, 'from', 80, 100)).toEqual({ from: 80, to: 100 })
    expect(edgeHere({ from: 20, to: 60 }, 'to', 10, 100)).toEqual({ from: 0, to: 10 })
  })

  it('stays within the recording and runs forwards, whatever is done', () => {
    const step = fc.record({
      edge: fc.constantFrom('from' as const, 'to' as const),
      here: fc.boolean(),
      seconds: fc.double({ min: -1000, max: 50_000, noNaN: true }),
    })
    fc.assert(
      fc.property(
        fc.double({ min: 0.1, max: 43_200, noNaN: true }),
        fc.array(step, { maxLength: 12 }),
        (total, steps) => {
          let choice: Choice = null
          for (const { edge, here, seconds } of steps) {
            choice = (here ? edgeHere : moveEdge)(choice, edge, seconds, total)
            const { from, to } = partOf(choice, total)
            expect(from).toBeGreaterThanOrEqual(0)
            expect(to).toBeLessThanOrEqual(total)
            expect(to).toBeGreaterThan(from)
          }
        },
      ),
    )
  })

  it('is moved by keys as sliders are', () => {
    const at = (key: string) => keyTarget(key, 50, 100, 5)
    expect(['ArrowLeft', 'ArrowRight', 'PageUp', 'PageDown', 'Home', 'End', 'Tab'].map(at)).toEqual([
      ...[45, 55, 100, 0, 0, 100, null],
    ])
  })
})
