import { setImmediate as anotherTurn } from 'node:timers/promises'
import type { Log } from '../../platform/log.ts'
import type { createPausedPlans } from './left-behind.ts'
import type { createClockMends } from './mend-clock.ts'
import { byItself } from './row-by-row.ts'
import type { SchedulesRepo } from './schedules.repo.ts'

export interface PlanSchedulesDeps {
  readonly repo: Pick<SchedulesRepo, 'toBePlanned' | 'plan' | 'toBeDerived' | 'deriveNext' | 'clearDeleted'>
  readonly mends: ReturnType<typeof createClockMends>
  readonly paused: ReturnType<typeof createPausedPlans>
  readonly log: Log
}

const PLANNED_AT_ONCE = 100

/** Moves on with the time what is derived of schedules: the rows of their occurrences, and when each is due next. */
export function createPlanSchedules({ repo, mends, paused, log }: PlanSchedulesDeps) {
  let seenSteps = 0

  /** Puts right what a clock that was ahead has written. */
  async function mend(now: number): Promise<void> {
    const lost = await mends.takeBack(now)
    if (lost > 0) log.warn({ count: lost }, 'occurrences that a clock that was ahead had given up are planned again')
    const ended = await mends.takeBackEnds(now)
    if (ended > 0) log.warn({ count: ended }, 'occurrences that a clock that was ahead had ended go on')
    await mends.replan(now)
  }

  /** Each in a turn of its own: on SQLite thousands of them would hold up everything else. */
  async function inTurns<Row extends { readonly id: string }>(
    find: (most: number) => Promise<Row[]>,
    work: (row: Row) => Promise<void>,
    isRunning: () => boolean,
  ): Promise<void> {
    // They are found again, before those that nobody has come to yet.
    const failed = new Set<string>()
    for (;;) {
      const rows = (await find(PLANNED_AT_ONCE + failed.size)).filter(({ id }) => !failed.has(id))
      for (const row of rows) {
        await anotherTurn()
        if (!isRunning()) return
        const isDone = await byItself(log, row.id, () => work(row).then(() => true))
        if (!isDone) failed.add(row.id)
      }
      if (rows.length < PLANNED_AT_ONCE) return
    }
  }

  return {
    async plan(isRunning: () => boolean, now: number): Promise<void> {
      await mend(now)
      await inTurns(
        (most) => repo.toBePlanned(now, most),
        (row) => repo.plan(row, now),
        isRunning,
      )
      await inTurns(
        (most) => repo.toBeDerived(now, most),
        (row) => repo.deriveNext(row, now),
        isRunning,
      )
      await inTurns(paused.stillPlanned, paused.unplan, isRunning)
    },
    /** This comes last and fails by itself: the long history of somebody's deleted schedules holds up nobody's plans. */
    async clearDeleted(isRunning: () => boolean): Promise<void> {
      await repo
        .clearDeleted(() => !isRunning())
        .catch((error) => log.warn({ err: error }, 'deleted schedules could not be cleared away'))
    },
    /** Where the clock was set back since the last call: before anything else is done by it. */
    async afterSteps(stepsBack: number, now: number): Promise<void> {
      if (stepsBack === seenSteps) return
      await mend(now)
      await mends.bringForward(now)
      seenSteps = stepsBack
    },
  }
}
