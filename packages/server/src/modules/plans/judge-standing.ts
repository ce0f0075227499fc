import type { PlanId } from '@siarin/contracts/plans'
import type { StandingState } from '@siarin/contracts/standing'

export interface PlanFacts {
  readonly plan: PlanId
  /** From when a trial counts. */
  readonly trialSince: number
  /** When a paid plan runs out; null: never. */
  readonly planUntil: number | null
  readonly suspendedAt: number | null
  /** When its end was first noticed; null: not yet. */
  readonly endedSeenAt: number | null
}

export interface JudgedStanding {
  readonly state: StandingState
  readonly endsAt: number | null
  readonly stopsAt: number | null
  readonly endsSoon: boolean
  readonly videosDeletedAt: number | null
}

const DAY_MS = 86_400_000
const GRACE_MS = 3 * DAY_MS
/** A paid plan is renewed by a person who has to be asked. */
const PAID_ENDS_SOON_MS = 5 * DAY_MS
const TRIAL_ENDS_SOON_PART = 0.25
const VIDEOS_KEPT_MS = 14 * DAY_MS

/** Trial or paid, running or run out: everything that follows from a few dates. */
export function judgeStanding(facts: PlanFacts, now: number, trialDays: number): JudgedStanding {
  const isTrial = facts.plan === 'free-trial'
  const trialMs = trialDays * DAY_MS
  const endsAt = isTrial ? facts.trialSince + trialMs : facts.planUntil
  const stopsAt = endsAt === null ? null : endsAt + (isTrial ? 0 : GRACE_MS)
  const soonMs = isTrial ? trialMs * TRIAL_ENDS_SOON_PART : PAID_ENDS_SOON_MS
  const ended = stopsAt !== null && now >= stopsAt
  return {
    state: stateOf({ suspended: facts.suspendedAt !== null, ended, grace: endsAt !== null && now >= endsAt }),
    endsAt,
    stopsAt,
    endsSoon: endsAt !== null && !ended && now >= endsAt - soonMs,
    videosDeletedAt: ended && stopsAt !== null ? warnedSince(stopsAt, facts.endedSeenAt ?? now) + VIDEOS_KEPT_MS : null,
  }
}

/**
 * An end that lies long back when it is first noticed came from a change of settings, of the plan or of the clock: its owner has
 * not been warned yet, and the days count from now.
 */
const warnedSince = (stopsAt: number, seenAt: number): number => (seenAt - stopsAt > DAY_MS ? seenAt : stopsAt)

function stateOf(is: { suspended: boolean; ended: boolean; grace: boolean }): StandingState {
  if (is.suspended) return 'suspended'
  if (is.ended) return 'ended'
  return is.grace ? 'grace' : 'active'
}
