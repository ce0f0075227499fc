import { describe, expect, it } from 'vitest'
import { createSmallSteps } from './small-steps.ts'

describe('[SAFE-07] long work in small steps', () => {
  it('lets the event loop turn between any two steps that take long, however many works there are', async () => {
    const steps = createSmallSteps({ begin: () => undefined, hasRoom: () => false })
    let inThisTurn = 0
    let most = 0
    let turns = 0
    let isOver = false
    const turn = (): void => {
      turns++
      inThisTurn = 0
      if (!isOver) setImmediate(turn)
    }
    setImmediate(turn)
    const work = async (owner: string): Promise<void> => {
      for (let step = 0; step < 20; step++) {
        await steps.of(owner)()
        inThisTurn++
        most = Math.max(most, inThisTurn)
      }
    }
    await Promise.all(Array.from({ length: 30 }, (_, index) => work(`owner ${index % 3}`)))
    isOver = true
    expect(most).toBe(1)
    expect(turns).toBeGreaterThanOrEqual(600)
  })

  it('goes on in the same turn for as long as that has room, each step after all that the one before it did at once', async () => {
    const done: string[] = []
    const steps = createSmallSteps({ begin: () => undefined, hasRoom: () => done.length < 3 })
    const work = async (name: string): Promise<void> => {
      await steps.of(name)()
      for (let awaited = 0; awaited < 10; awaited++) await null
      done.push(name)
    }
    const works = ['a', 'b', 'c', 'd', 'e'].map(work)
    const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
    await turn()
    expect(done).toEqual(['a', 'b', 'c'])
    await turn()
    expect(done).toEqual(['a', 'b', 'c', 'd'])
    await Promise.all(works)
    expect(done).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('takes the owners in turn: one with many works holds up nobody with one', async () => {
    const steps = createSmallSteps()
    const order: string[] = []
    const work = async (owner: string, count: number): Promise<void> => {
      for (let step = 0; step < count; step++) {
        await steps.of(owner)()
        order.push(owner)
      }
    }
    await Promise.all([...Array.from({ length: 10 }, () => work('many', 5)), work('one', 5)])
    // Every other step is its own.
    expect(order.slice(0, 10).filter((owner) => owner === 'one')).toHaveLength(5)
  })

  it('ends a work that nobody wants any more at its next step', async () => {
    const steps = createSmallSteps()
    const gone = new AbortController()
    const next = steps.of('a')
    await next(gone.signal)
    const waiting = next(gone.signal)
    gone.abort(new Error('gone'))
    await expect(waiting).rejects.toThrow('gone')
    await expect(next(gone.signal)).rejects.toThrow('gone')
  })
})
