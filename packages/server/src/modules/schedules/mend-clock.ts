import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { HORIZON_MS, HOUR_MS } from './plan-occurrences.ts'

/** The clocks of several machines may differ by less. */
const SKEW_MS = 10_000
/** What is tried again is tried within this time. */
const LONGEST_WAIT_MS = 900_000

/**
 * What a clock that was ahead has written is put right. No mark of it is needed: an occurrence whose window is still open is not over yet,
 * whatever its row says. Nothing is taken off air, and what was started too early is not started again.
 */
export const createClockMends = (db: Db) => ({
  /** Those that were given up, or passed over, before their time. Returns how many there were. */
  async takeBack(now: number): Promise<number> {
    const at = now + SKEW_MS
    const { numUpdatedRows } = await db
      .updateTable('schedule_occurrences')
      .set({
        ...{ state: 'due', reason: null, started_at: null, broadcast_id: null, watch_at: null },
        // The broadcast of that attempt is over: another one has another id.
        attempt: sql<number>`case when broadcast_id is null then attempt else attempt + 1 end`,
        next_try_at: sql<number>`case when due_at > ${now} then due_at else cast(${now} as bigint) end`,
        check_at: sql<number>`due_at - ${sql.lit(HOUR_MS)}`,
      })
      // Written as the index has it, so that it serves for this.
      .where(sql<boolean>`(state in ('missed', 'failed') or reason in ('still-on-air', 'paused'))`)
      .where('start_by', '>', at)
      .where((eb) =>
        eb.or([eb('state', 'in', ['missed', 'failed']), eb.and([eb('state', '=', 'skipped'), eb('due_at', '>', at)])]),
      )
      .executeTakeFirst()
    return Number(numUpdatedRows)
  },
  /** Schedules that were planned further ahead than from now: some dates may have no row. The planner plans them again. */
  async replan(now: number): Promise<void> {
    await db
      .updateTable('schedules')
      .set({ planned_until: now })
      .where('planned_until', '>', now + HORIZON_MS + SKEW_MS)
      .where('deleted_at', 'is', null)
      .execute()
  },
  /** What is to be tried, ended or looked at again, by the time that the wrong clock showed. Reads all that is planned. */
  async bringForward(now: number): Promise<void> {
    const late = now + LONGEST_WAIT_MS
    const soonest = (at: string) =>
      sql<number>`case when ${sql.ref(at)} > ${now} then ${sql.ref(at)} else cast(${now} as bigint) end`
    const waiting = () => db.updateTable('schedule_occurrences').where('next_try_at', '>', late)
    await waiting()
      .set({ state: 'due', next_try_at: soonest('due_at'), check_at: sql<number>`due_at - ${sql.lit(HOUR_MS)}` })
      .where('state', 'in', ['due', 'starting'])
      .where('next_try_at', '>', sql<number>`due_at`)
      .execute()
    await waiting()
      .set({ next_try_at: soonest('ends_at') })
      .where('state', '=', 'started')
      .where('next_try_at', '>', sql<number>`ends_at`)
      .execute()
    await db.updateTable('schedule_occurrences').set({ watch_at: now }).where('watch_at', '>', late).execute()
    await db
      .updateTable('schedule_occurrences')
      .set({ check_at: sql<number>`due_at - ${sql.lit(HOUR_MS)}` })
      .where('check_at', '>', late)
      .where('check_at', '>', sql<number>`due_at - ${sql.lit(HOUR_MS)}`)
      .execute()
  },
})
