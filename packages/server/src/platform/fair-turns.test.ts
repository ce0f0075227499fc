import { setImmediate as settled } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createFairTurns, TooManyWaitError } from './fair-turns.ts'

/** Works that last until they are told to end. */
function stage(limits: Partial<Parameters<typeof createFairTurns>[0]> = {}) {
  const inTurn = createFairTurns({ atOnce: 2, mostWaiting: 100, mostWaitingEach: 50, ...limits })
  const begun: string[] = []
  const ends = new Map<string, PromiseWithResolvers<void>>()
  return {
    begun,
    bring: (owner: string, name: string) =>
      inTurn(owner, () => {
        begun.push(name)
        const end = Promise.withResolvers<void>()
        ends.set(name, end)
        return end.promise
      }),
    async end(...names: string[]) {
      for (const name of names) ends.get(name)?.resolve()
      await settled()
    },
    async fail(name: string) {
      ends.get(name)?.reject(new Error(name))
      await settled()
    },
  }
}

describe('[SAFE-04] owners who take turns', () => {
  it('have one work under way each, and so many together', async () => {
    const { begun, bring, end } = stage()
    for (const name of ['a1', 'a2', 'b1', 'c1']) void bring(name.slice(0, 1), name)
    await settled()
    expect(begun).toEqual(['a1', 'b1'])
    await end('a1')
    expect(begun).toEqual(['a1', 'b1', 'a2'])
    await end('b1')
    expect(begun).toEqual(['a1', 'b1', 'a2', 'c1'])
  })

  it('have as many under way each as they may, and take turns all the same', async () => {
    const { begun, bring, end } = stage({ atOnce: 3, each: 2 })
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1']) void bring(name.slice(0, 1), name)
    await settled()
    expect(begun).toEqual(['a1', 'a2', 'b1'])
    await end('b1')
    expect(begun).toEqual(['a1', 'a2', 'b1'])
    await end('a2')
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3'])
  })

  it('do not wait behind the many works of another', async () => {
    const { begun, bring, end } = stage({ atOnce: 1 })
    for (let number = 1; number <= 40; number++) void bring('a', `a${number}`)
    void bring('b', 'b1')
    await settled()
    await end('a1')
    await end('a2')
    expect(begun).toEqual(['a1', 'a2', 'b1'])
    await end('b1')
    expect(begun.at(-1)).toBe('a3')
  })

  it('are refused when too many wait, alone or together, and nobody loses a place by it', async () => {
    const { begun, bring, end } = stage({ atOnce: 1, mostWaiting: 3, mostWaitingEach: 2 })
    const taken = ['a1', 'a2', 'a3'].map((name) => bring('a', name))
    await expect(bring('a', 'a4')).rejects.toThrow(TooManyWaitError)
    const other = bring('b', 'b1')
    await expect(bring('b', 'b2')).rejects.toThrow(TooManyWaitError)
    await settled()
    await end('a1')
    await end('a2')
    await end('b1')
    await end('a3')
    await Promise.all([...taken, other])
    expect(begun.toSorted()).toEqual(['a1', 'a2', 'a3', 'b1'])
  })

  it('are let in while nothing of theirs waits, also where others have filled the line, until as many owners wait', async () => {
    const { begun, bring, end } = stage({ atOnce: 1, mostWaiting: 3, mostWaitingEach: 3 })
    for (const name of ['a1', 'a2', 'a3', 'a4']) void bring('a', name)
    void bring('b', 'b1')
    void bring('c', 'c1')
    await expect(bring('d', 'd1')).rejects.toThrow(TooManyWaitError)
    await settled()
    await end('a1')
    await end('a2')
    await end('b1')
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1'])
  })

  it('leave their place to the next one when they fail', async () => {
    const { begun, bring, end, fail } = stage({ atOnce: 1 })
    const failed = bring('a', 'a1')
    const next = bring('b', 'b1')
    await settled()
    const told = expect(failed).rejects.toThrow('a1')
    await fail('a1')
    await told
    await end('b1')
    await next
    expect(begun).toEqual(['a1', 'b1'])
  })

  it('take memory for each work, not for its square, where one brings thousands', async () => {
    const numbers = Array.from({ length: 6_000 }, (_, number) => number)
    const inTurn = createFairTurns({ atOnce: 1, mostWaiting: numbers.length, mostWaitingEach: numbers.length })
    const begun: number[] = []
    const before = process.memoryUsage().heapUsed
    const works = numbers.map((number) => inTurn('a', async () => begun.push(number)))
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(40 * 1024 ** 2)
    await Promise.all(works)
    expect(begun).toEqual(numbers)
  })

  it('keep no place once they give up, and are refused with the reason', async () => {
    const inTurn = createFairTurns({ atOnce: 1, mostWaiting: 2, mostWaitingEach: 2 })
    const first = Promise.withResolvers<void>()
    const begun: string[] = []
    const work = (name: string) => async () => void begun.push(name)
    const gone = new AbortController()
    void inTurn('a', () => first.promise)
    const leaves = [inTurn('b', work('b1'), { signal: gone.signal }), inTurn('c', work('c1'), { signal: gone.signal })]
    const stays = inTurn('c', work('c2'), { always: true, signal: new AbortController().signal })
    gone.abort(new Error('gone'))
    for (const left of leaves) await expect(left).rejects.toThrow('gone')
    await expect(inTurn('d', work('d1'), { signal: gone.signal })).rejects.toThrow('gone')
    // Their places in the line are free.
    const last = inTurn('d', work('d2'))
    first.resolve()
    await Promise.all([stays, last])
    expect(begun).toEqual(['c2', 'd2'])
  })
})
