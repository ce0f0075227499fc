import { setImmediate as settled } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createTurns } from './turns.ts'

/** Works that last until they are told to end. */
function works() {
  const begun: string[] = []
  const ends = new Map<string, PromiseWithResolvers<string>>()
  const work = (name: string) => () => {
    begun.push(name)
    const end = Promise.withResolvers<string>()
    ends.set(name, end)
    return end.promise
  }
  return {
    begun,
    work,
    end: (name: string) => ends.get(name)?.resolve(name),
    fail: (name: string) => ends.get(name)?.reject(new Error(name)),
  }
}

describe('works that take turns', () => {
  it('run so many at once, and the others in the order in which they came', async () => {
    const { begun, work, end } = works()
    const inTurn = createTurns(2)
    const answers = ['a', 'b', 'c', 'd'].map((name) => inTurn(work(name)))
    await settled()
    expect(begun).toEqual(['a', 'b'])
    end('b')
    await settled()
    expect(begun).toEqual(['a', 'b', 'c'])
    end('a')
    await settled()
    expect(begun).toEqual(['a', 'b', 'c', 'd'])
    end('c')
    end('d')
    expect(await Promise.all(answers)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('leave their place to the next one when they fail', async () => {
    const { begun, work, end, fail } = works()
    const inTurn = createTurns(1)
    const failed = inTurn(work('a'))
    const next = inTurn(work('b'))
    fail('a')
    await expect(failed).rejects.toThrow('a')
    await settled()
    end('b')
    expect(await next).toBe('b')
    const thrown = inTurn(() => {
      throw new Error('at once')
    })
    await expect(thrown).rejects.toThrow('at once')
    inTurn(work('c'))
    expect(begun).toEqual(['a', 'b', 'c'])
  })

  it('never begin once their owner has given up', async () => {
    const { begun, work, end } = works()
    const inTurn = createTurns(1)
    const first = inTurn(work('a'))
    const impatient = new AbortController()
    const refused = inTurn(work('b'), impatient.signal)
    const next = inTurn(work('c'))
    impatient.abort(new Error('too late'))
    await expect(refused).rejects.toThrow('too late')
    end('a')
    await first
    await settled()
    end('c')
    await next
    await expect(inTurn(work('d'), impatient.signal)).rejects.toThrow('too late')
    expect(begun).toEqual(['a', 'c'])
  })

  it('are not more than so many when one comes at the moment in which a place is handed over', async () => {
    const { begun, work, end } = works()
    const inTurn = createTurns(1)
    const first = inTurn(work('a'))
    inTurn(work('b'))
    first.then(() => inTurn(work('c')))
    end('a')
    await settled()
    expect(begun).toEqual(['a', 'b'])
  })
})
