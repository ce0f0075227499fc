import type { ScheduleReason } from '@siarin/contracts/schedules/schedule-texts'
import { DomainError } from '../../errors.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import { asOwner } from '../identity/caller.ts'
import type { PlansService } from '../plans/index.ts'
import type { ScheduledBroadcasts } from './fire-occurrence.ts'
import type { OccurrenceRow, OccurrencesRepo } from './occurrences.repo.ts'
import { ruleOf, type ScheduleRow, type SchedulesRepo } from './schedules.repo.ts'
import { type createStartPermit, reasonOf } from './start-permit.ts'
import { openRequest } from './start-request.ts'

interface CheckAheadDeps {
  repo: Pick<SchedulesRepo, 'byId'>
  occurrences: Pick<OccurrencesRepo, 'warn' | 'endingBy'>
  broadcasts: Pick<ScheduledBroadcasts, 'specify' | 'countOnAir'>
  permit: ReturnType<typeof createStartPermit>
  plans: Pick<PlansService, 'limitsOf'>
  sealer: Sealer
}

/** What is so now tells nothing about an hour later. */
const PASSING: ReadonlySet<string> = new Set(['source-not-live', 'source-unreachable', 'internal'])

/** Says ahead of time why an occurrence could not start as things stand, and takes it back once it could. */
export function createCheckAhead({ repo, occurrences, broadcasts, permit, plans, sealer }: CheckAheadDeps) {
  /** Each target takes a place. Those that their own schedules end before are not in the way. */
  async function isPlanFull({ user_id, due_at }: OccurrenceRow, needed: number): Promise<boolean> {
    const { concurrentStreams } = await plans.limitsOf(user_id)
    const leaving = await occurrences.endingBy(user_id, due_at)
    return (await broadcasts.countOnAir(user_id, leaving)) + needed > concurrentStreams
  }

  async function faultOf(row: OccurrenceRow, schedule: ScheduleRow): Promise<string | null> {
    let needed: number
    try {
      await permit.assertMayStart(row.user_id, ruleOf(schedule))
      const request = openRequest(sealer, schedule.request_sealed)
      needed = (await broadcasts.specify(asOwner(row.user_id), { ...request, whenReady: false })).targets.length
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      const reason = reasonOf(error)
      return PASSING.has(reason) ? null : reason
    }
    return (await isPlanFull(row, needed)) ? ('plan-limit' satisfies ScheduleReason) : null
  }

  return async function check(row: OccurrenceRow): Promise<boolean> {
    const schedule = await repo.byId(row.schedule_id)
    if (schedule) await occurrences.warn(row.id, await faultOf(row, schedule))
    return true
  }
}
