import { setImmediate as anotherTurn } from 'node:timers/promises'
import type { ScheduleReason } from '@siarin/contracts/schedules/schedule-texts'
import type { Clock } from '../../platform/clock.ts'
import { backoffMs } from '../../platform/due-rows.ts'
import type { Log } from '../../platform/log.ts'
import type { Timings } from '../../platform/timings.ts'
import type { ScheduledBroadcasts } from './fire-occurrence.ts'
import type { OccurrenceRow, OccurrencesRepo } from './occurrences.repo.ts'

interface WatchStartedDeps {
  occurrences: Pick<OccurrencesRepo, 'settled' | 'troubled' | 'startAgain'>
  broadcasts: Pick<ScheduledBroadcasts, 'outlookOf'>
  clock: Clock
  log: Log
  timings: Pick<Timings, 'schedules'>
}

/** Each attempt leaves a broadcast in the owner's history, and asks a platform that has said no five times. */
const LONGEST_RESTART_MS = 600_000

/**
 * Looks at what was started until it is on air. A keeper gives up a target that has refused its first tries; its occurrence goes on
 * trying as long as its window lasts, with whatever key and target the schedule has by then.
 */
export const createWatchStarted =
  ({ occurrences, broadcasts, clock, log, timings }: WatchStartedDeps) =>
  async (row: OccurrenceRow): Promise<true> => {
    // A thousand may have been started in the same minute, and SQLite answers at once.
    await anotherTurn()
    const { at, reason } = await broadcasts.outlookOf(row.broadcast_id ?? row.id)
    if (at === 'settled') await occurrences.settled(row, reason)
    else if (at === 'tried') {
      if (reason !== null && reason !== row.reason) await occurrences.troubled(row, reason)
    } else {
      const waitMs = backoffMs(
        row.attempt,
        { firstMs: timings.schedules.restartMs, longestMs: LONGEST_RESTART_MS },
        Math.random(),
      )
      log.info({ schedule: row.schedule_id, reason, waitMs }, 'what a schedule started was never on air')
      await occurrences.startAgain(row, { reason: reason ?? UNKNOWN, at: clock.now() + waitMs })
    }
    return true
  }

const UNKNOWN: ScheduleReason = 'unknown'
