import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createSharedWork } from './shared-work.ts'

describe('work that several callers wait for', () => {
  it('is done once, and again for those who come later', async () => {
    const shared = createSharedWork<number>()
    let done = 0
    const work = async (): Promise<number> => {
      await turn()
      return ++done
    }
    expect(await Promise.all([shared('a', work), shared('a', work), shared('b', work)])).toEqual([1, 1, 2])
    expect(await shared('a', work)).toBe(3)
  })

  it('goes on while one of them waits, and is told to end once none does', async () => {
    const shared = createSharedWork<string>()
    const told: AbortSignal[] = []
    const end = Promise.withResolvers<string>()
    const work = (signal: AbortSignal): Promise<string> => {
      told.push(signal)
      return end.promise
    }
    const [first, second] = [new AbortController(), new AbortController()]
    const waits = [shared('a', work, first.signal), shared('a', work, second.signal)].map((wait) =>
      wait.catch((error: Error) => error.message),
    )
    first.abort(new Error('first is gone'))
    expect(await waits[0]).toBe('first is gone')
    expect(told[0]?.aborted).toBe(false)
    second.abort(new Error('second is gone'))
    expect(await waits[1]).toBe('second is gone')
    expect(told[0]?.aborted).toBe(true)
    // One that comes then does not get what was given up.
    const again = shared('a', work)
    expect(told).toHaveLength(2)
    end.resolve('done')
    expect(await again).toBe('done')
  })

  it('fails for all of them alike', async () => {
    const shared = createSharedWork<never>()
    const work = async (): Promise<never> => {
      await turn()
      throw new Error('failed')
    }
    const waits = [shared('a', work), shared('a', work)]
    for (const wait of waits) await expect(wait).rejects.toThrow('failed')
  })
})
