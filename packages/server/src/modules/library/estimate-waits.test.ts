import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimateWaits, type QueuedWork } from './estimate-waits.ts'

const AT_ONCE = { quick: 2, long: 1 }

let born = 0
const work = (userId: string, seconds: number, more: Partial<QueuedWork> = {}): QueuedWork => {
  born++
  return { id: `${userId}${born}`, userId, lane: 'long', isRunning: false, createdAt: born, seconds, ...more }
}
const waitsOf = (...works: QueuedWork[]) => {
  const waits = estimateWaits(works, AT_ONCE)
  return works.map(({ id }) => waits.get(id) ?? null)
}

describe('the wait of a video', () => {
  it('is none where it begins at once, or has begun', () => {
    expect(waitsOf(work('a', 60))).toEqual([null])
    expect(waitsOf(work('a', 60, { isRunning: true }))).toEqual([null])
  })

  it('names those before it, and when it will be ready', () => {
    expect(waitsOf(work('a', 100, { isRunning: true }), work('b', 200), work('c', 55))).toEqual([
      null,
      { ahead: 1, seconds: 300 },
      { ahead: 2, seconds: 360 },
    ])
  })

  it('is that of a user in turn: one of many waits behind the one of somebody else', () => {
    const [, second, third, other] = waitsOf(
      work('many', 60, { isRunning: true }),
      work('many', 60),
      work('many', 60),
      work('one', 60),
    )
    expect([other?.ahead, second?.ahead, third?.ahead]).toEqual([1, 2, 3])
    expect([other?.seconds, second?.seconds, third?.seconds]).toEqual([120, 180, 240])
  })

  it('is of its own lane', () => {
    const long = work('a', 9000, { isRunning: true })
    expect(waitsOf(long, work('b', 5, { lane: 'quick' }), work('c', 5, { lane: 'quick' }))).toEqual([null, null, null])
  })

  it('counts on as many machines as are seen at work', () => {
    const running = { isRunning: true }
    expect(waitsOf(work('a', 30, running), work('b', 50, running), work('c', 10))[2]).toEqual({ ahead: 2, seconds: 40 })
  })

  it('is rounded up, the longer the more', () => {
    const after = (seconds: number) => waitsOf(work('a', seconds, { isRunning: true }), work('b', 0))[1]?.seconds
    expect([1, 11, 119, 121, 7199, 7201].map(after)).toEqual([10, 20, 120, 180, 7200, 8100])
  })
})

const anyWork = fc.record({
  userId: fc.constantFrom('a', 'b', 'c', 'd'),
  lane: fc.constantFrom('quick' as const, 'long' as const),
  isRunning: fc.boolean(),
  createdAt: fc.integer({ min: 0, max: 100 }),
  seconds: fc.double({ min: 0, max: 10_000, noNaN: true }),
})
/** A user has one video at a time in a lane. */
const anyWorks = fc.array(anyWork, { maxLength: 25 }).map((works) => {
  const busy = new Set<string>()
  return works.map((one, index): QueuedWork => {
    const place = `${one.userId} ${one.lane}`
    const isRunning = one.isRunning && !busy.has(place)
    if (isRunning) busy.add(place)
    return { ...one, id: String(index), isRunning }
  })
})

describe('waits of any lanes', () => {
  it('end, never for those that run, and never behind more than there are', () => {
    fc.assert(
      fc.property(anyWorks, (works) => {
        const waits = estimateWaits(works, AT_ONCE)
        for (const { id, lane, isRunning } of works) {
          const wait = waits.get(id)
          if (isRunning) expect(wait).toBeUndefined()
          if (!wait) continue
          const inLane = works.filter((other) => other.lane === lane)
          expect(wait.ahead).toBeGreaterThanOrEqual(1)
          expect(wait.ahead).toBeLessThan(inLane.length)
          expect(Number.isInteger(wait.seconds) && wait.seconds > 0).toBe(true)
        }
      }),
    )
  })

  it('are no shorter for the later video of a user, and say no more ahead than its turn allows', () => {
    fc.assert(
      fc.property(anyWorks, (works) => {
        const waits = estimateWaits(works, AT_ONCE)
        for (const userId of ['a', 'b', 'c', 'd']) {
          const own = works
            .filter((one) => one.userId === userId && one.lane === 'long' && !one.isRunning)
            .toSorted((one, other) => one.createdAt - other.createdAt)
          const told = own.map(({ id }) => waits.get(id)).filter((wait) => wait !== undefined)
          for (const [index, wait] of told.entries()) {
            expect(wait.seconds).toBeGreaterThanOrEqual(told[index - 1]?.seconds ?? 0)
            expect(wait.ahead).toBeGreaterThan(told[index - 1]?.ahead ?? 0)
          }
        }
      }),
    )
  })

  it('of somebody with one video are not longer for the second and later videos of others', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 500 }), (many, seconds) => {
        const others = Array.from({ length: many }, (_, index) => ({
          ...work('many', seconds),
          id: `m${index}`,
          isRunning: index === 0,
        }))
        const one = work('one', seconds)
        expect(estimateWaits([...others, one], AT_ONCE).get(one.id)?.ahead).toBe(1)
      }),
    )
  })
})
