import type { ScheduleReason } from '@siarin/contracts/schedules/schedule-texts'
import { DomainError } from '../../errors.ts'
import type { Clock } from '../../platform/clock.ts'
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
  occurrences: Pick<OccurrencesRepo, 'warn' | 'endingBy' | 'endlessOf'>
  broadcasts: Pick<ScheduledBroadcasts, 'specify' | 'countOnAir' | 'isTargetInUse'>
  permit: ReturnType<typeof createStartPermit>
  plans: Pick<PlansService, 'limitsOf'>
  sealer: Sealer
  clock: Clock
}

/** What is so now tells nothing about an hour later. */
const PASSING: ReadonlySet<string> = new Set(['source-not-live', 'source-unreachable', 'internal'])

/** Says ahead of time why an occurrence could not start as things stand, and takes it back once it could. */
export function createCheckAhead({ repo, occurrences, broadcasts, permit, plans, sealer, clock }: CheckAheadDeps) {
  /** What is on air now and in the way then. Broadcasts that their own schedules end before are not. */
  async function obstacleTo(row: OccurrenceRow, marks: readonly string[]): Promise<ScheduleReason | null> {
    const { user_id, due_at, schedule_id } = row
    const leaving = await occurrences.endingBy(user_id, due_at)
    // One of this schedule that has no end goes on, and the occurrence is passed over: nothing that its owner has to mend.
    const own = await occurrences.endlessOf(schedule_id)
    if (await broadcasts.isTargetInUse(user_id, marks, [...leaving, ...own])) return 'target-in-use'
    const { concurrentStreams } = await plans.limitsOf(user_id)
    const isFull = (await broadcasts.countOnAir(user_id, leaving)) + marks.length > concurrentStreams
    return isFull ? 'plan-limit' : null
  }

  async function faultOf(row: OccurrenceRow, schedule: ScheduleRow): Promise<string | null> {
    let marks: readonly string[]
    try {
      await permit.assertMayStart(row.user_id, ruleOf(schedule))
      const request = openRequest(sealer, schedule.request_sealed)
      const { targets } = await broadcasts.specify(asOwner(row.user_id), { ...request, whenReady: false })
      marks = targets.map(({ mark }) => mark)
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      const reason = reasonOf(error)
      return PASSING.has(reason) ? null : reason
    }
    return obstacleTo(row, marks)
  }

  return async function check(row: OccurrenceRow): Promise<boolean> {
    const schedule = await repo.byId(row.schedule_id)
    if (!schedule || schedule.paused_at !== null) return true
    const { title } = schedule
    await occurrences.warn(row, await faultOf(row, schedule), { title, at: clock.now() })
    return true
  }
}
