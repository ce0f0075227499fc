import type { Updateable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { UserTable } from '../../platform/db/schema.ts'

/** What a user's row says of plan and suspension; the rules about it are those of plans. */
export type PlanColumns = Pick<
  UserTable,
  | 'id'
  | 'plan_since'
  | 'created_at'
  | 'plan_until'
  | 'suspended_at'
  | 'suspended_for'
  | 'ended_seen_at'
  | 'ended_checked_at'
> & { plan: string }

export const PLAN_COLUMNS = [
  'id',
  'plan',
  'plan_since',
  'created_at',
  'plan_until',
  'suspended_at',
  'suspended_for',
  'ended_seen_at',
  'ended_checked_at',
] as const

/** A statement takes 32,766 values at most. */
const MOST_AT_ONCE = 1_000

export const planColumns = (db: Db) => ({
  async of(userIds: readonly string[]): Promise<PlanColumns[]> {
    const rows: PlanColumns[] = []
    for (let from = 0; from < userIds.length; from += MOST_AT_ONCE) {
      const some = userIds.slice(from, from + MOST_AT_ONCE)
      rows.push(...(await db.selectFrom('users').select(PLAN_COLUMNS).where('id', 'in', some).execute()))
    }
    return rows
  },
  /** Whose account neither rests nor goes. */
  async mayWork(userId: string): Promise<boolean> {
    const row = await db
      .selectFrom('users')
      .select('id')
      .where('id', '=', userId)
      .where('suspended_at', 'is', null)
      .where('deleting_at', 'is', null)
      .executeTakeFirst()
    return row !== undefined
  },
  async note(
    userId: string,
    marks: Pick<Updateable<UserTable>, 'ended_seen_at' | 'ended_checked_at' | 'videos_deleted_at'>,
  ): Promise<void> {
    await db.updateTable('users').set(marks).where('id', '=', userId).execute()
  },
})
