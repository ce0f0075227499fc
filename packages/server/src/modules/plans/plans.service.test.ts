import { describe, expect, it, vi } from 'vitest'
import type { Holder, PlansRepo } from './plans.repo.ts'
import { createPlansService } from './plans.service.ts'

const DAY = 86_400_000
const most = { storageGb: 1, maxHeight: 1080, maxFps: 60 }
const holder: Holder = {
  userId: 'u',
  plan: 'free-trial',
  trialSince: 0,
  planUntil: null,
  suspendedAt: null,
  suspendedFor: null,
  endedSeenAt: null,
  endedCheckedAt: null,
}

describe('a round over ended plans', () => {
  it('[PLAN-03] judges and notes at one moment, however long the database takes meanwhile', async () => {
    let now = DAY - 1
    const noteEnded = vi.fn(async () => {})
    const repo = {
      async holders() {
        now += 3 * DAY
        return [holder]
      },
      noteEnded,
    } as unknown as PlansRepo
    const service = createPlansService({ repo, clock: { now: () => now }, trialDays: 1, enforced: true, most })

    await service.toBeCleared(['u'])
    expect(noteEnded).not.toHaveBeenCalled()
    await service.toBeCleared(['u'])
    expect(noteEnded).toHaveBeenCalledExactlyOnceWith('u', 4 * DAY - 1)
  })
})
