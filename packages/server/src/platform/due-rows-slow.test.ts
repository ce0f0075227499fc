import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { dueRows } from './due-rows.ts'
import { onBehalfOf, presentOwner } from './on-behalf-of.ts'

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

const USUAL = {
  backoff: { firstMs: 500, longestMs: 4_000 },
  ...{ clock: { now: () => Date.now() }, log: pino({ level: 'silent' }), complaint: 'a row could not be handled' },
}

beforeEach(() => void vi.useFakeTimers({ now: 0 }))
afterEach(() => void vi.useRealTimers())

describe('rows that hang', () => {
  it('give their places to others, up to so many; further ones keep theirs', async () => {
    const waiting = new Set(['a', 'b', 'c', 'd', 'e', 'f'])
    const tried: string[] = []
    const rows = dueRows<string>({
      claim: async () => [...waiting],
      idOf: (id) => id,
      async handle(id) {
        tried.push(`${id} ${Date.now()}`)
        await new Promise((resolve) => setTimeout(resolve, 10_000))
        return waiting.delete(id)
      },
      ...USUAL,
      ...{ atOnce: 2, slow: { afterMs: 500, most: 3 }, everyMs: 1_000 },
    })
    rows.start()
    await pass(499)
    expect(tried).toEqual(['a 0', 'b 0'])
    await pass(1)
    expect(tried).toEqual(['a 0', 'b 0', 'c 500', 'd 500'])
    expect(rows.areSlowPlacesTaken()).toBe(false)
    // Three hang aside: the fourth keeps its place, and one more begins.
    await pass(500)
    expect(tried.slice(4)).toEqual(['e 1000'])
    expect(rows.areSlowPlacesTaken()).toBe(true)
    await pass(8_500)
    expect(tried.slice(5)).toEqual([])
    await pass(500)
    expect(tried.slice(5)).toEqual(['f 10000'])
    const stopped = rows.stop()
    await pass(20_000)
    await stopped
  })
})

it('[SAFE-07] rows are handled as the program itself, also where an account woke it: they are everybody’s', async () => {
  const owners: (string | null)[] = []
  let due: string[] = []
  const rows = dueRows<string>({
    claim: async () => due.splice(0),
    idOf: (id) => id,
    handle: async () => owners.push(presentOwner()) > 0,
    ...{ ...USUAL, atOnce: 1, everyMs: 60_000 },
  })
  rows.start()
  await pass(10)
  due = ['a']
  onBehalfOf('somebody', () => rows.wake())
  await pass(10)
  expect(owners).toEqual([null])
  await rows.stop()
})
