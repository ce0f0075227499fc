import { PLANS, planFeatures } from '@siarin/contracts/plans'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { judgeStanding, type PlanFacts } from './judge-standing.ts'

const DAY = 86_400_000
const trial: PlanFacts = { plan: 'free-trial', trialSince: 0, planUntil: null, suspendedAt: null, endedSeenAt: null }
const paid: PlanFacts = { plan: 'starter', trialSince: 0, planUntil: 30 * DAY, suspendedAt: null, endedSeenAt: null }
const stateAt = (facts: PlanFacts, now: number, trialDays = 1) => judgeStanding(facts, now, trialDays).state

describe('a trial', () => {
  it('[PLAN-03] lasts as many days as the setting says, to the millisecond', () => {
    expect(stateAt(trial, DAY - 1)).toBe('active')
    expect(stateAt(trial, DAY)).toBe('ended')
    expect(stateAt(trial, 3 * DAY - 1, 3)).toBe('active')
    expect(stateAt(trial, 3 * DAY, 3)).toBe('ended')
  })

  it('says in its last quarter that it ends, and after it no more', () => {
    const soonAt = (now: number) => judgeStanding(trial, now, 1).endsSoon
    expect([0.74 * DAY, 0.75 * DAY, DAY - 1, DAY].map(soonAt)).toEqual([false, true, true, false])
  })

  it('leaves the videos for 14 days', () => {
    expect(judgeStanding(trial, DAY - 1, 1).videosDeletedAt).toBeNull()
    expect(judgeStanding(trial, DAY, 1).videosDeletedAt).toBe(15 * DAY)
    expect(judgeStanding({ ...trial, endedSeenAt: 1.5 * DAY }, 9 * DAY, 1).videosDeletedAt).toBe(15 * DAY)
  })

  it('whose end is noticed late, as after a change of settings, leaves them for 14 days from then', () => {
    expect(judgeStanding(trial, 40 * DAY, 1).videosDeletedAt).toBe(54 * DAY)
    expect(judgeStanding({ ...trial, endedSeenAt: 40 * DAY }, 50 * DAY, 1).videosDeletedAt).toBe(54 * DAY)
  })
})

describe('the days after which videos go', () => {
  it('count from the end when it was noticed within a day, and else from when it was noticed', () => {
    const deletedAt = (endedSeenAt: number) => judgeStanding({ ...trial, endedSeenAt }, 20 * DAY, 1).videosDeletedAt
    expect(deletedAt(2 * DAY)).toBe(15 * DAY)
    expect(deletedAt(2 * DAY + 1)).toBe(16 * DAY + 1)
  })
})

describe('a paid plan', () => {
  it('says in its last five days and its grace that it ends', () => {
    const soonAt = (now: number) => judgeStanding(paid, now, 1).endsSoon
    expect([25 * DAY - 1, 25 * DAY, 31 * DAY, 33 * DAY].map(soonAt)).toEqual([false, true, true, false])
  })

  it('tells when it ends and when its broadcasts stop', () => {
    expect(judgeStanding(paid, 0, 1)).toMatchObject({ endsAt: 30 * DAY, stopsAt: 33 * DAY })
    expect(judgeStanding({ ...trial, trialSince: 2 * DAY }, 0, 1)).toMatchObject({
      endsAt: 3 * DAY,
      stopsAt: 3 * DAY,
    })
  })

  it('that runs out has three days of grace', () => {
    expect([30 * DAY - 1, 30 * DAY, 33 * DAY - 1, 33 * DAY].map((now) => stateAt(paid, now))).toEqual([
      'active',
      'grace',
      'grace',
      'ended',
    ])
    expect(judgeStanding(paid, 33 * DAY, 1).videosDeletedAt).toBe(47 * DAY)
  })

  it('without an end has none, however old its owner’s registration is', () => {
    expect(judgeStanding({ ...paid, planUntil: null }, 9_999 * DAY, 1)).toEqual({
      state: 'active',
      endsAt: null,
      stopsAt: null,
      endsSoon: false,
      videosDeletedAt: null,
    })
  })
})

it('a suspension outweighs everything and is over when it is lifted', () => {
  const facts = fc.record({
    plan: fc.constantFrom('free-trial' as const, 'starter' as const, 'business' as const),
    trialSince: fc.integer({ min: 0, max: 100 * DAY }),
    planUntil: fc.option(fc.integer({ min: 0, max: 100 * DAY })),
    suspendedAt: fc.constant(null),
    endedSeenAt: fc.constant(null),
  })
  fc.assert(
    fc.property(facts, fc.integer({ min: 0, max: 200 * DAY }), (one, now) => {
      expect(stateAt({ ...one, suspendedAt: 1 }, now)).toBe('suspended')
      const { state, stopsAt, endsSoon } = judgeStanding(one, now, 1)
      expect(state === 'ended').toBe(stopsAt !== null && now >= stopsAt)
      if (state === 'ended') expect(endsSoon).toBe(false)
    }),
  )
})

it('[PLAN-04] recordings are kept 24 hours, 7 days, 30 days or a year, and the price list says so', () => {
  expect(PLANS.map(({ limits }) => limits.recordingDays)).toEqual([1, 7, 30, 365])
  const words = PLANS.map((plan) => planFeatures(plan).find((feature) => feature.startsWith('Rekaman')))
  expect(words).toEqual(['24 jam', '7 hari', '30 hari', '1 tahun'].map((kept) => `Rekaman disimpan ${kept}`))
})
