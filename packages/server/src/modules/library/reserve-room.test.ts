import { pino } from 'pino'
import { describe, expect, it, vi } from 'vitest'
import { DomainError } from '../../errors.ts'
import { createDiskShares } from './disk-shares.ts'
import type { Verdict } from './judge-reservation.ts'
import { createReserver } from './reserve-room.ts'

const MB = 1024 ** 2
const GRANTED: Verdict = { outcome: 'granted', bytes: 8_000 * MB }

/** A disk with 10 GB beside its reserve, and verdicts about the users' room that come when the test says so. */
function reserver() {
  const verdicts = new Map<string, Promise<Verdict>>()
  const release = vi.fn(async (_id: string) => {})
  const reserve = createReserver({
    reservations: { reserve: ({ id }) => verdicts.get(id) ?? Promise.resolve(GRANTED), hold: async () => {}, release },
    shares: createDiskShares(
      async () => 10_000 * MB,
      () => new Error('the disk is full'),
    ),
    ...{ clock: { now: () => 0 }, log: pino({ level: 'silent' }) },
    limitsOf: async () => ({ storageBytes: 5_000 * MB }),
    roomPlanOf: async () => null,
  })
  const begin = (id: string, kind: 'multipart' | 'tus', bytes: number) => reserve({ id, userId: id, kind, bytes })
  return { verdicts, release, begin }
}

describe('[SAFE-03] an upload that announces more than its user may have', () => {
  it('takes nothing of the disk from others, not even until that is found out', async () => {
    const { verdicts, begin } = reserver()
    const { promise, resolve } = Promise.withResolvers<Verdict>()
    verdicts.set('greedy', promise)
    const greedy = expect(begin('greedy', 'tus', 9_900 * MB)).rejects.toThrow(DomainError)
    await begin('modest', 'tus', 4_000 * MB)
    resolve({ outcome: 'no-room', taken: 0 })
    await greedy
  })
})

describe('[SAFE-03] an upload for which the disk has no room', () => {
  it('keeps none of its user, but for a resumable one that was created before', async () => {
    const { release, begin } = reserver()
    await expect(begin('form', 'multipart', 11_000 * MB)).rejects.toThrow('the disk is full')
    expect(release.mock.calls).toEqual([['form']])
    await expect(begin('resumed', 'tus', 11_000 * MB)).rejects.toThrow('the disk is full')
    expect(release).toHaveBeenCalledOnce()
  })
})
