import { type BrandingLevel, isLevelWithin } from '@siarin/contracts/branding'
import { type Plan, type PlanId, type PlanLimits, planOf } from '@siarin/contracts/plans'
import type { Standing, StandingState } from '@siarin/contracts/standing'
import { ACCESS_TEXTS, AUTH_TEXTS } from '@siarin/contracts/texts'
import { DomainError } from '../../errors.ts'
import type { Clock } from '../../platform/clock.ts'
import type { ClockTrust } from '../../platform/clock-trust.ts'
import { type Awaitable, whenKnown } from '../../platform/when-known.ts'
import type { Caller } from '../identity/caller.ts'
import { createClearing } from './clear-after-end.ts'
import { judgeStanding } from './judge-standing.ts'
import { planRefusals } from './plan-refusals.ts'
import type { Holder, PlansRepo } from './plans.repo.ts'
import { createStops } from './stop-after-end.ts'

export type PlansService = ReturnType<typeof createPlansService>

/** What one user may have at most, whatever the plan allows. */
export interface MachineLimits {
  readonly storageGb: number
  readonly maxHeight: number
  readonly maxFps: number
}

interface PlansServiceDeps {
  repo: PlansRepo
  clock: Clock
  trust: ClockTrust
  trialDays: number
  /** False: every plan has everything and none ends, as on a machine of one's own. A suspension counts all the same. */
  enforced: boolean
  most: MachineLimits
}

const GIB = 1024 ** 3

const ALL: PlanLimits = {
  ...planOf('business').limits,
  concurrentStreams: 1_000_000,
  storageGb: 1_000_000,
  makingHours: Number.POSITIVE_INFINITY,
  apiRequestsPerMinute: 1_000_000,
}

function assertThere(facts: Holder | null): Holder {
  if (!facts) throw new DomainError('session_ended', AUTH_TEXTS.sessionUnknown)
  return facts
}

const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString())

export function createPlansService({ repo, clock, trust, trialDays, enforced, most }: PlansServiceDeps) {
  const judge = (holder: Holder, now = clock.now()) => judgeStanding(holder, now, trialDays)
  const stateOf = (holder: Holder): StandingState => {
    const { state } = judge(holder)
    return enforced || state === 'suspended' ? state : 'active'
  }
  /** For what is refused or shown: nothing is lost by it where the clock is wrong. */
  const isStopped = (holder: Holder): boolean => ['ended', 'suspended'].includes(stateOf(holder))
  const { mustStop, toBeStopped } = createStops({ repo, trust, enforced, judge })

  const factsOf = (userId: string): Awaitable<Holder> => whenKnown(repo.factsOf(userId), assertThere)
  const planFor = (userId: string): Awaitable<Plan> => whenKnown(factsOf(userId), ({ plan }) => planOf(plan))
  const limitsFor = (plan: Plan): PlanLimits => (enforced ? plan.limits : ALL)

  const refusals = planRefusals(planFor)

  return {
    ...refusals,
    ...createClearing({ repo, clock, trust, enforced, judge }),
    enforced,
    async standing({ userId }: Pick<Caller, 'userId'>): Promise<Standing> {
      const facts = await factsOf(userId)
      const state = stateOf(facts)
      const { suspendedFor } = facts
      if (!enforced) {
        const never = { endsAt: null, stopsAt: null, endsSoon: false, videosDeletedAt: null }
        return { plan: facts.plan, state, ...never, suspendedFor, enforced }
      }
      const { endsAt, stopsAt, endsSoon, videosDeletedAt } = judge(facts)
      const dates = { endsAt: iso(endsAt), stopsAt: iso(stopsAt), videosDeletedAt: iso(videosDeletedAt) }
      return { plan: facts.plan, state, ...dates, endsSoon, suspendedFor, enforced }
    },
    /** Whether what somebody has on air ends. */
    mustStop: async (userId: string): Promise<boolean> => mustStop(await factsOf(userId)),
    /** Whether work may be done for somebody in the background: not while suspended, and not for an account that is being deleted. */
    mayWork: (userId: string): Promise<boolean> => repo.mayWork(userId),
    /** For every feature call. */
    async assertAccess({ userId }: Pick<Caller, 'userId'>): Promise<void> {
      if (isStopped(await factsOf(userId))) throw new DomainError('access_stopped', ACCESS_TEXTS.stopped)
    },
    /** Where plans count. */
    isOnTrial: async (userId: string): Promise<boolean> => enforced && (await factsOf(userId)).plan === 'free-trial',
    limitsOf: async (userId: string): Promise<PlanLimits> => limitsFor(await planFor(userId)),
    /** What its analytics show. A plan that has ended shows what the smallest does. */
    async analyticsOf(userId: string): Promise<{ level: PlanLimits['analytics']; planName: string }> {
      const facts = await factsOf(userId)
      const plan = planOf(facts.plan)
      return { level: isStopped(facts) ? 'basic' : limitsFor(plan).analytics, planName: plan.name }
    },
    /** How many webhooks somebody may have now. */
    async webhooksOf(userId: string): Promise<number> {
      const holder = await factsOf(userId)
      return (await mustStop(holder)) ? 0 : limitsFor(planOf(holder.plan)).webhooks
    },
    /** For how many days recordings are kept. A plan that has ended lengthens nothing. */
    async recordingDaysOf(userId: string): Promise<{ days: number; hasEnded: boolean }> {
      const holder = await factsOf(userId)
      return { days: limitsFor(planOf(holder.plan)).recordingDays, hasEnded: isStopped(holder) }
    },
    /** Refuses what of a brand the plan does not allow. */
    async assertBranding(userId: string, needed: BrandingLevel): Promise<void> {
      const { branding } = limitsFor(await planFor(userId))
      if (!isLevelWithin(needed, branding)) throw await refusals.brandingRefusal(userId, needed)
    },
    apiLimitOf: (userId: string): Awaitable<number> =>
      whenKnown(planFor(userId), (plan) => limitsFor(plan).apiRequestsPerMinute),
    async libraryLimitsOf(userId: string) {
      const { storageGb, makingHours, maxHeight, maxFps } = limitsFor(await planFor(userId))
      return {
        storageBytes: Math.min(storageGb, most.storageGb) * GIB,
        maxHeight: Math.min(maxHeight, most.maxHeight),
        maxFps: Math.min(maxFps, most.maxFps),
        makingHours,
      }
    },
    /** Whose limit it is where there is no room; null where no plan is at fault. */
    async roomPlanOf(userId: string): Promise<PlanId | null> {
      if (!enforced) return null
      const { id, limits } = await planFor(userId)
      return most.storageGb < limits.storageGb ? null : id
    },
    toBeStopped,
  }
}
