import type { Locker } from '@tus/server'
import { ERRORS } from '@tus/utils'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createUploadQueues } from './upload-queues.ts'

const NEVER = new AbortController().signal
const REFUSED = { code: 'upload_locked', retryAfterSeconds: 2 }

/** What `count` requests for one upload come to, in the order in which they began. */
function requests(locker: Locker, count: number, signal = NEVER) {
  const begun: number[] = []
  const asked = new Map<number, number>()
  const locks = Array.from({ length: count }, () => locker.newLock('upload'))
  const ends = locks.map(async (lock, at) => {
    await lock.lock(signal, () => void asked.set(at, (asked.get(at) ?? 0) + 1))
    begun.push(at)
  })
  return { begun, asked, locks, ends, settled: Promise.allSettled(ends) }
}

const soon = () => new Promise((resolve) => setImmediate(resolve))

describe('requests for one upload', () => {
  it('are worked on one by one as they came; a fifth that would wait is told to come back', async () => {
    const { begun, asked, locks, settled } = requests(createUploadQueues(), 7)
    await soon()
    expect(begun).toEqual([0])
    // By each that waits, and not once in every turn.
    expect(asked).toEqual(new Map([[0, 4]]))
    for (const lock of locks.slice(0, 5)) {
      await lock.unlock()
      await soon()
    }
    expect(begun).toEqual([0, 1, 2, 3, 4])
    const outcomes = await settled
    for (const refused of outcomes.slice(5)) expect(refused).toMatchObject({ status: 'rejected', reason: REFUSED })
    // While others wait, each that begins is asked to end; the last is left alone.
    expect([...asked.keys()]).toEqual([0, 1, 2, 3])
  })

  it('of other uploads do not wait for them, and a queue that is over leaves nothing', async () => {
    const locker = createUploadQueues()
    const first = requests(locker, 1)
    await locker.newLock('another').lock(NEVER, () => {})
    await first.settled
    await first.locks[0]?.unlock()
    const again = requests(locker, 1)
    await again.settled
    expect(again.begun).toEqual([0])
    expect(again.asked.size).toBe(0)
  })

  it('give up when their sender goes, and leave their place to another', async () => {
    const locker = createUploadQueues()
    const holder = requests(locker, 1)
    const gone = new AbortController()
    const leaving = requests(locker, 4, gone.signal)
    await soon()
    gone.abort()
    for (const end of await leaving.settled) expect(end).toMatchObject({ status: 'rejected', reason: REFUSED })
    const next = requests(locker, 1)
    await holder.locks[0]?.unlock()
    await next.settled
    expect(next.begun).toEqual([0])
  })

  describe('that wait for long', () => {
    beforeEach(() => void vi.useFakeTimers())
    afterEach(() => void vi.useRealTimers())

    it('are told to come back', async () => {
      const { settled } = requests(createUploadQueues(), 2)
      await vi.advanceTimersByTimeAsync(30_000)
      const [, second] = await settled
      expect(second).toMatchObject({ status: 'rejected', reason: REFUSED })
    })
  })

  it('ask the other machines one at a time, and are told to come back where one of those does not let go', async () => {
    let asked = 0
    const among: Locker = {
      newLock: () => ({
        async lock() {
          asked++
          throw ERRORS.ERR_LOCK_TIMEOUT
        },
        async unlock() {},
      }),
    }
    const { settled } = requests(createUploadQueues(among), 5)
    for (const end of await settled) expect(end).toMatchObject({ status: 'rejected', reason: REFUSED })
    expect(asked).toBe(5)
  })
})
