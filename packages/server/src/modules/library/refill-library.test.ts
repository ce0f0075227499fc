import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import type { JobKind, Queue } from '../../platform/queue/queue.ts'
import { createLibraryRefill } from './refill-library.ts'

/** Repeated refilling for one user with unfinished videos, with a queue that has forgotten every job. */
function refilling(kind: JobKind = 'prepare-video', ordered: string[] = []) {
  const added: [JobKind, string][] = []
  const warnings: string[] = []
  let suspended = false
  const unfinished = [
    { userId: 'budi', kind },
    { userId: 'budi', kind },
  ]
  const refill = createLibraryRefill({
    repo: { waitingJobs: async () => [...unfinished] },
    orders: { openOwners: async () => ordered },
    queue: {
      add: async (kind: JobKind, id: string) => void added.push([kind, id]),
      missing: async (_kind: JobKind, ids: readonly string[]) => [...ids],
    } as unknown as Queue,
    clock: { now: () => 0 },
    log: pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) }),
    mayWork: async () => !suspended,
  })
  return {
    refill,
    unfinished,
    added,
    warnings,
    suspend(is: boolean) {
      suspended = is
    },
  }
}

describe('a video without a job', () => {
  it('gets one when it has none twice in a row, which is told', async () => {
    const { refill, added, warnings } = refilling()
    await refill()
    expect(added).toEqual([])
    await refill()
    expect(added).toEqual([['prepare-video', 'budi']])
    expect(warnings).toHaveLength(1)
  })

  it('gets the one that it waits for', async () => {
    for (const kind of ['encode-video', 'import-video'] as const) {
      const { refill, added } = refilling(kind)
      await refill()
      await refill()
      expect(added).toEqual([[kind, 'budi']])
    }
  })

  it('rests while its owner is suspended, and goes on at once when that is taken back, as nothing that was lost', async () => {
    const { refill, added, warnings, suspend } = refilling()
    suspend(true)
    for (let round = 0; round < 3; round++) await refill()
    expect(added).toEqual([])
    suspend(false)
    await refill()
    expect(added).toEqual([['prepare-video', 'budi']])
    expect(warnings).toEqual([])
  })

  it('is all that is remembered of an owner who is suspended', async () => {
    const { refill, unfinished, added, suspend } = refilling()
    suspend(true)
    await refill()
    const videos = unfinished.splice(0)
    await refill()
    suspend(false)
    unfinished.push(...videos)
    await refill()
    expect(added).toEqual([])
  })

  it('gets one in the long lane where a rendition was ordered, once for each owner', async () => {
    const { refill, added } = refilling('encode-video', ['budi', 'ani'])
    await refill()
    await refill()
    expect(added).toEqual([
      ['encode-video', 'budi'],
      ['encode-video', 'ani'],
    ])
  })
})
