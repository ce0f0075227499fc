import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createDownloads } from './downloads.ts'
import { FileGoneError } from './file-facts.ts'
import { createGate } from './gate.ts'
import type { Joined } from './joined.ts'
import type { RecordingRow } from './recordings.repo.ts'

beforeEach(
  () =>
    void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] }),
)
afterEach(() => void vi.useRealTimers())

const PIECE = Buffer.alloc(50_000)
const clock = { now: () => 0 } as Parameters<typeof createDownloads>[0]['clock']

/** Made in pieces, `everyMs` apart, until nobody wants more. */
const joined = (everyMs: number, from = PIECE.length): Joined => ({
  ...{ extension: 'mp4', etag: '"x"' },
  async *bytes(signal) {
    for (let at = 0; ; at += PIECE.length) {
      await new Promise((resolve) => setTimeout(resolve, at < from ? everyMs : 0))
      // As an ffmpeg that was ended is told apart from one that could not.
      if (signal.aborted) throw new FileGoneError('ended')
      yield PIECE
    }
  },
})

describe('[REC-03] a download that others wait for', () => {
  const begin = (gate = createGate()) => {
    const { bodyOf } = createDownloads({ gate, clock })
    return async (user_id: string, from: Joined, skipped = 0) => {
      const range = skipped > 0 ? { range: { start: skipped, end: skipped + 10 * PIECE.length } } : {}
      const body = await bodyOf({ user_id } as RecordingRow, from, { ...range, signal: new AbortController().signal })
      // It fills what lies before its reader, who takes nothing of it.
      body.on('error', () => {}).read(0)
      return body
    }
  }
  const outcomeOf = (work: Promise<unknown>) =>
    Promise.race([
      work.then(
        () => 'let in',
        (error) => error.code,
      ),
      sleep(0).then(() => 'waits'),
    ])

  it('gives way if its reader is slow, also while another one leaves out what was had before', async () => {
    const read = begin()
    const slow = ['a', 'b', 'c'].map((owner) => read(owner, joined(1)))
    const resumed = read('d', joined(1_000, 1e9), 1e9)
    await vi.advanceTimersByTimeAsync(60_000)
    const honest = read('e', joined(1))
    await vi.advanceTimersByTimeAsync(14_000)
    expect([await outcomeOf(honest), await outcomeOf(resumed)]).toEqual(['let in', 'waits'])
    const bodies = await Promise.all(slow)
    expect(bodies.filter(({ destroyed }) => destroyed)).toHaveLength(1)
  })

  it('is not slow for the time that leaving out what was had before took', async () => {
    const gate = createGate()
    for (const owner of ['b', 'c', 'd']) await gate.enter(owner, 'long')
    const resumed = begin(gate)('a', joined(1_000, 300 * PIECE.length), 300 * PIECE.length)
    const waiting = gate.enter('e', 'long', { isPatient: true })
    await vi.advanceTimersByTimeAsync(300_000 + 12_000)
    const body = await resumed
    expect([body.destroyed, await outcomeOf(waiting)]).toEqual([false, 'waits'])
    await vi.advanceTimersByTimeAsync(30_000)
    expect([body.destroyed, await outcomeOf(waiting)]).toEqual([true, 'let in'])
  })

  it('gives way after ten minutes also where it has nothing to send yet, and says that it may be tried again', async () => {
    const gate = createGate({ all: 6, each: 2, long: 1, longEach: 1 })
    const resumed = begin(gate)('a', joined(1_000, 1e9), 1e9).catch((error) => error)
    const waiting = gate.enter('e', 'long', { isPatient: true })
    await vi.advanceTimersByTimeAsync(590_000)
    expect(await outcomeOf(waiting)).toBe('waits')
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await outcomeOf(waiting)).toBe('let in')
    expect(await resumed).toMatchObject({ code: 'server_busy' })
  })
})

describe('[REC-03] counting how large a download is', () => {
  const counting = (gate: ReturnType<typeof createGate>, user_id: string) => {
    const { storedAs } = createDownloads({ gate, clock })
    const options = { mustCount: true, signal: new AbortController().signal }
    return storedAs({ user_id } as RecordingRow, joined(10), options).catch((error) => error)
  }

  it('gives way to others, however quickly it comes on, and says that it may be tried again', async () => {
    const gate = createGate()
    const counts = ['a', 'b', 'c', 'd'].map((owner) => counting(gate, owner))
    await vi.advanceTimersByTimeAsync(20_000)
    const fifth = gate.enter('e', 'long').then(
      () => 'let in',
      (error) => error.code,
    )
    await vi.advanceTimersByTimeAsync(16_000)
    expect(await fifth).toBe('let in')
    // The others go on.
    const ended = await Promise.all(counts.map((count) => Promise.race([count, sleep(0, 'counts')])))
    expect(ended.map((one) => one.code ?? one).toSorted()).toEqual(['counts', 'counts', 'counts', 'server_busy'])
  })

  it('goes on for as long as nobody waits', async () => {
    const count = counting(createGate(), 'a')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await Promise.race([count, sleep(0, 'counts')])).toBe('counts')
  })
})
