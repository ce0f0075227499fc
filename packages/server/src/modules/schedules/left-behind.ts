import { type Selectable, sql } from 'kysely'
import { atomically, type Db } from '../../platform/db/database.ts'
import type { ScheduleTable } from '../../platform/db/tables/schedules.ts'
import { dropComing, firstTriedAgain, lockOwn } from './schedules.repo.ts'

type PausedRow = Pick<Selectable<ScheduleTable>, 'id' | 'user_id'>

/**
 * Each that is to go on air by itself. Returns how many there were. One statement, for it is part of a transaction that holds up all other
 * writers on SQLite: hundreds may have a hundred planned rows each. A paused schedule starts none of them, and the planner takes them away.
 */
export async function pauseSchedulesOf(inside: Db, workspaceId: string, now: number): Promise<number> {
  const { numUpdatedRows } = await inside
    .updateTable('schedules')
    .set({ paused_at: now, revision: sql<number>`revision + 1` })
    .where('user_id', '=', workspaceId)
    .where('deleted_at', 'is', null)
    .where('paused_at', 'is', null)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** What is planned of schedules that were paused together. One that is paused by itself is planned no further than that. */
export const createPausedPlans = (db: Db) => ({
  async stillPlanned(most: number): Promise<PausedRow[]> {
    return (
      db
        .selectFrom('schedules')
        .select(['id', 'user_id'])
        // Written as the index has it.
        .where(sql<boolean>`planned_until > paused_at`)
        .where('deleted_at', 'is', null)
        .orderBy('id')
        .limit(most)
        .execute()
    )
  },
  async unplan({ id, user_id }: PausedRow): Promise<void> {
    await atomically(db, async (inside) => {
      const row = await lockOwn(inside, id, user_id)
      if (!row || row.paused_at === null) return
      const from = await firstTriedAgain(inside, id, row.paused_at)
      await inside.updateTable('schedules').set({ planned_until: from }).where('id', '=', id).execute()
      await dropComing(inside, id, row.paused_at)
    })
  },
})
