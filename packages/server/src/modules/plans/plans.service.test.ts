import { PLANS } from '@siarin/contracts/plans'
import { describe, expect, it, vi } from 'vitest'
import { sureOf } from '../../../test/support/sure-clock.ts'
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

describe('while the clock may be wrong', () => {
  const ended = { ...holder, userId: 'ended' }
  const holders = [{ ...ended, suspendedAt: 1, userId: 'suspended' }, ended, { ...holder, plan: 'starter' }]
  const written = vi.fn(async () => {})
  const repo = {
    holders: async () => holders,
    factsOf: (userId: string) => holders.find((each) => each.userId === userId) ?? null,
    ...{ noteEnded: written, noteStillEnded: written },
  } as unknown as PlansRepo
  const at = (isSure: boolean) => {
    const clock = { now: () => 40 * DAY }
    const trust = async () => ({ now: clock.now(), isTrusted: isSure, isSure, stepsBack: 0 })
    return createPlansService({ repo, clock, trust, trialDays: 1, enforced: true, most })
  }

  it('[PLAN-03] [PLAN-05] a plan ends nothing that is on air, a suspension does; it has to be sure for that', async () => {
    const stopped = async (isSure: boolean) => (await at(isSure).toBeStopped([])).map((each) => Object.values(each))
    expect(await stopped(false)).toEqual([
      ['suspended', 'at-once'],
      ['ended', 'in-doubt'],
    ])
    expect(await stopped(true)).toEqual([
      ['suspended', 'at-once'],
      ['ended', 'at-pass'],
    ])
    const must = (isSure: boolean) => Promise.all(['suspended', 'ended', 'u'].map(at(isSure).mustStop))
    expect([await must(false), await must(true)]).toEqual([
      [true, false, false],
      [true, true, false],
    ])
    expect([await at(false).webhooksOf('ended'), await at(true).webhooksOf('suspended')]).toEqual([
      PLANS[0]?.limits.webhooks,
      0,
    ])
  })

  it('[PLAN-03] nothing is deleted, and no day of warning counts', async () => {
    expect(await at(false).toBeCleared(['ended'])).toEqual([])
    expect(written).not.toHaveBeenCalled()
    await at(true).toBeCleared(['ended'])
    expect(written).toHaveBeenCalled()
  })
})

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
    const clock = { now: () => now }
    const service = createPlansService({ repo, clock, trust: sureOf(clock), trialDays: 1, enforced: true, most })

    await service.toBeCleared(['u'])
    expect(noteEnded).not.toHaveBeenCalled()
    await service.toBeCleared(['u'])
    expect(noteEnded).toHaveBeenCalledExactlyOnceWith('u', 4 * DAY - 1)
  })
})

it('what may be made anew of a video is bounded by the plan, and by none where no plan counts', async () => {
  const clock = { now: () => 0 }
  const repo = { factsOf: () => holder } as unknown as PlansRepo
  const trust = async () => ({ now: 0, isTrusted: true, isSure: true, stepsBack: 0 })
  const hours = async (enforced: boolean) =>
    (await createPlansService({ repo, clock, trust, trialDays: 1, enforced, most }).libraryLimitsOf('u')).makingHours
  expect([await hours(true), await hours(false)]).toEqual([6, Number.POSITIVE_INFINITY])
})

it('somebody is on trial where plans count, until they have a plan', async () => {
  const clock = { now: () => 0 }
  const trust = async () => ({ now: 0, isTrusted: true, isSure: true, stepsBack: 0 })
  const isOnTrial = (plan: Holder['plan'], enforced: boolean) => {
    const repo = { factsOf: () => ({ ...holder, plan }) } as unknown as PlansRepo
    return createPlansService({ repo, clock, trust, trialDays: 1, enforced, most }).isOnTrial('u')
  }
  const asked = [isOnTrial('free-trial', true), isOnTrial('starter', true), isOnTrial('free-trial', false)]
  expect(await Promise.all(asked)).toEqual([true, false, false])
})
