import { setImmediate as anotherTurn } from 'node:timers/promises'
import { occurrencesBetween } from '@siarin/contracts/schedules/recurrence'
import { lengthWords, type ScheduleReason } from '@siarin/contracts/schedules/schedule-texts'
import { DomainError } from '../../errors.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { Timings } from '../../platform/timings.ts'
import type { ActivityService } from '../activity/activity.service.ts'
import type { createStreams } from '../broadcasts/index.ts'
import { asOwner } from '../identity/caller.ts'
import { broadcastIdOf } from './occurrence-id.ts'
import type { OccurrenceRow, OccurrencesRepo } from './occurrences.repo.ts'
import { lateMinutesOf } from './schedule-views.ts'
import { ruleOf, type ScheduleRow, type SchedulesRepo } from './schedules.repo.ts'
import { type createStartPermit, reasonOf } from './start-permit.ts'
import { openRequest } from './start-request.ts'

export type ScheduledBroadcasts = ReturnType<typeof createStreams>['scheduled']

export interface FireDeps {
  repo: Pick<SchedulesRepo, 'byId'>
  occurrences: OccurrencesRepo
  broadcasts: ScheduledBroadcasts
  permit: ReturnType<typeof createStartPermit>
  activity: Pick<ActivityService, 'record'>
  sealer: Sealer
  clock: Clock
  log: Log
  timings: Pick<Timings, 'schedules'>
}

const LONGEST_HOLD_MS = 40

/** SQLite answers at once: a thousand starts in a row would leave no turn to callers and to what was just started. */
function createLeaveTurns() {
  let heldSinceMs = 0
  return async (): Promise<void> => {
    if (performance.now() - heldSinceMs < LONGEST_HOLD_MS) return
    await anotherTurn()
    heldSinceMs = performance.now()
  }
}

/** Carries out what a claimed occurrence is due for: its start, its end, or the note that it is lost. False: to be tried again. */
export function createFireOccurrence(deps: FireDeps) {
  const { repo, occurrences, broadcasts, permit, activity, sealer, clock, log, timings } = deps
  const leaveTurns = createLeaveTurns()

  async function launch(row: OccurrenceRow, schedule: ScheduleRow): Promise<void> {
    const rule = ruleOf(schedule)
    await permit.assertMayStart(schedule.user_id, rule)
    const request = openRequest(sealer, schedule.request_sealed)
    // A video that is not ready is a reason that its owner should read; it is tried again by itself.
    const spec = await broadcasts.specify(
      asOwner(schedule.user_id),
      { ...request, whenReady: false },
      broadcastIdOf(row),
    )
    await broadcasts.launch(spec)
  }

  async function isStillOnAir(row: OccurrenceRow): Promise<boolean> {
    const earlier = (await occurrences.endlessOf(row.schedule_id)).filter((id) => id !== row.id)
    return (await broadcasts.onAirOf(earlier)).size > 0
  }

  async function started(row: OccurrenceRow, { title }: ScheduleRow): Promise<true> {
    const now = clock.now()
    const isOurs = await occurrences.started(row, { title, at: now, watchAt: now + timings.schedules.watchMs })
    const streamId = broadcastIdOf(row)
    log.info({ schedule: row.schedule_id, streamId, lateMs: now - row.due_at }, 'a schedule started')
    if (isOurs && row.attempt === 0) await noteIfLate(activity, { row, title, at: now })
    return true
  }

  /** False: not yet, and the row says why. */
  async function start(row: OccurrenceRow, schedule: ScheduleRow): Promise<boolean> {
    try {
      await launch(row, schedule)
    } catch (error) {
      // Another program may have been quicker, or the row is written and only its job is not: the broadcast is there.
      if ((await broadcasts.stateOf(broadcastIdOf(row))) !== null) return started(row, schedule)
      if (error instanceof DomainError && error.code === 'target_in_use' && (await isStillOnAir(row))) {
        await occurrences.skipped(row, 'still-on-air' satisfies ScheduleReason)
        return true
      }
      await occurrences.reasonIs(row, reasonOf(error))
      if (!(error instanceof DomainError)) throw error
      log.info({ schedule: row.schedule_id, code: error.code }, 'a schedule could not start yet')
      return false
    }
    return started(row, schedule)
  }

  async function lose(row: OccurrenceRow, { title }: ScheduleRow): Promise<void> {
    const at = clock.now()
    const state = row.reason === null ? 'missed' : 'failed'
    const reason = row.reason ?? ('server-away' satisfies ScheduleReason)
    if (!(await occurrences.lost(row, { state, reason, at, title }))) return
    log.warn({ schedule: row.schedule_id, dueAt: row.due_at, state, reason }, 'an occurrence of a schedule is lost')
    await activity.record({
      userId: row.user_id,
      kind: `schedule-${state}`,
      visitor: null,
      failed: true,
      detail: `${title} · ${row.wall_date}`,
    })
  }

  async function end(row: OccurrenceRow): Promise<true> {
    const id = row.broadcast_id ?? row.id
    // Nobody has seen it on air yet.
    const outlook = row.watch_at === null ? null : await broadcasts.outlookOf(id)
    await broadcasts.end(id, row.end_at_pass === 1)
    const schedule =
      outlook && outlook.at !== 'settled' && outlook.reason !== null && (await repo.byId(row.schedule_id))
    if (schedule) await lose({ ...row, reason: outlook.reason }, schedule)
    else await occurrences.ended(row)
    return true
  }

  /** `now`: the time by which it was claimed. The clock itself may have been set since. */
  return async function fire(row: OccurrenceRow, now: number): Promise<boolean> {
    await leaveTurns()
    if (row.state === 'started') return end(row)
    const schedule = await repo.byId(row.schedule_id)
    // A crash between the launch and this row's change: it has been started, and is not started again. The first claim has none before it.
    const isBegun = row.tries > 1 && (await broadcasts.stateOf(broadcastIdOf(row))) !== null
    if (schedule && isBegun) return started(row, schedule)
    if (!schedule || schedule.deleted_at !== null || schedule.paused_at !== null || !isMeant(row, schedule)) {
      await occurrences.skipped(row, 'paused' satisfies ScheduleReason)
      return true
    }
    if (now < row.start_by) return start(row, schedule)
    await lose(row, schedule)
    return true
  }
}

/** Its owner reads in the activity list that it began late, as one that was missed stands there. */
async function noteIfLate(
  activity: FireDeps['activity'],
  { row, title, at }: { row: OccurrenceRow; title: string; at: number },
): Promise<void> {
  const lateMinutes = lateMinutesOf(row.due_at, at)
  if (lateMinutes === null) return
  const detail = `${title} · ${row.wall_date} · ${lengthWords(lateMinutes)}`
  await activity.record({ userId: row.user_id, kind: 'schedule-late', visitor: null, failed: false, detail })
}

/** A change of the schedule may have come while the row was in somebody's hands. */
const isMeant = ({ due_at }: OccurrenceRow, schedule: ScheduleRow): boolean =>
  occurrencesBetween(ruleOf(schedule), due_at, due_at + 1).some(({ skipped }) => !skipped)
