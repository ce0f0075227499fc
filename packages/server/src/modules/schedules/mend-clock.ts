import { setImmediate as anotherTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { atomically, type Db } from '../../platform/db/database.ts'
import type { Log } from '../../platform/log.ts'
import type { RevokedEnd } from '../broadcasts/store/revoke-scheduled-end.ts'
import type { OccurrenceRow } from './occurrences.repo.ts'
import { HORIZON_MS, HOUR_MS } from './plan-occurrences.ts'
import { byItself } from './row-by-row.ts'

/** The clocks of several machines may differ by less. */
const SKEW_MS = 10_000
/** What is tried again is tried within this time. */
const LONGEST_WAIT_MS = 900_000
const ENDED_AT_ONCE = 100

/** Takes back the end that a schedule has asked for, in the transaction of its occurrence. */
type RevokeEnd = (inside: Db, broadcastId: string, atPass: boolean) => Promise<RevokedEnd>

/**
 * What a clock that was ahead has written is put right. No mark of it is needed: an occurrence whose window is still open is not over yet,
 * whatever its row says. Nothing is taken off air, and what was started too early is not started again.
 */
export const createClockMends = (db: Db, revokeEnd: RevokeEnd, log: Log) => ({
  ...lostOccurrences(db),
  ...endedOccurrences(db, revokeEnd, log),
  ...plannedTimes(db),
})

const lostOccurrences = (db: Db) => ({
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
})

const endedOccurrences = (db: Db, revokeEnd: RevokeEnd, log: Log) => {
  const earlyEnded = (at: number, behindId: string): Promise<OccurrenceRow[]> =>
    db
      .selectFrom('schedule_occurrences')
      .selectAll()
      // Written as the index has it.
      .where(sql<boolean>`state = 'ended'`)
      .where('start_by', '>', at)
      .where('id', '>', behindId)
      .where('schedule_id', 'in', (eb) =>
        eb.selectFrom('schedules').select('id').where('paused_at', 'is', null).where('deleted_at', 'is', null),
      )
      .orderBy('id')
      .limit(ENDED_AT_ONCE)
      .execute()

  const takeBackOne = ({ id, tries, end_at_pass, broadcast_id }: OccurrenceRow, now: number): Promise<boolean> =>
    atomically(db, async (inside) => {
      const end = await revokeEnd(inside, broadcast_id ?? id, end_at_pass === 1)
      if (end === 'left') return false
      const own = inside.updateTable('schedule_occurrences').where('id', '=', id).where('tries', '=', tries)
      const { numUpdatedRows } = await own
        .where('state', '=', 'ended')
        .set(
          end === 'goes-on'
            ? { state: 'started', next_try_at: sql<number>`ends_at`, watch_at: now }
            : {
                ...{ state: 'due', reason: null, started_at: null, broadcast_id: null },
                ...{ attempt: sql<number>`attempt + 1`, next_try_at: now },
              },
        )
        .executeTakeFirst()
      return numUpdatedRows > 0n
    })

  return {
    /** Those that were ended before their time, unless their owner stopped them. Returns how many there were. */
    async takeBackEnds(now: number): Promise<number> {
      let count = 0
      let behindId = ''
      for (;;) {
        const rows = await earlyEnded(now + SKEW_MS, behindId)
        for (const row of rows) {
          await anotherTurn()
          if (await byItself(log, row.schedule_id, () => takeBackOne(row, now))) count++
        }
        const last = rows.at(-1)
        if (!last || rows.length < ENDED_AT_ONCE) return count
        behindId = last.id
      }
    },
  }
}

const plannedTimes = (db: Db) => ({
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
