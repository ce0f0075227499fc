import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createHolder, HELD_MS } from './hold-reservations.ts'

const HOUR_MS = 3_600_000

beforeEach(() => void vi.useFakeTimers({ now: 0 }))
afterEach(() => void vi.useRealTimers())

function holder() {
  const held: [readonly string[], number][] = []
  const hold = async (ids: readonly string[], until: number) => void held.push([ids, until])
  const log = pino({ level: 'silent' })
  return { held, ...createHolder({ reservations: { hold }, clock: { now: () => Date.now() }, log }) }
}

describe('a reservation under way', () => {
  it('is held again each minute, with all the others, until it is removed', async () => {
    const { held, add, remove } = holder()
    add('a')
    add('b')
    await vi.advanceTimersByTimeAsync(60_000)
    remove('a')
    await vi.advanceTimersByTimeAsync(60_000)
    remove('b')
    await vi.advanceTimersByTimeAsync(600_000)
    expect(held).toEqual([
      [['a', 'b'], 60_000 + HELD_MS.multipart],
      [['b'], 120_000 + HELD_MS.multipart],
    ])
  })

  it('of tus is held again with its writes, once an hour', async () => {
    const { held, whileWritten } = holder()
    const holdOn = whileWritten('a')
    await holdOn()
    vi.setSystemTime(HOUR_MS)
    await holdOn()
    await holdOn()
    expect(held).toEqual([[['a'], HOUR_MS + HELD_MS.tus]])
  })
})
