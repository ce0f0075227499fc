import { sql, type Updateable } from 'kysely'
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

/** What was last told about the end of a plan: which end, and which of its notices. */
interface ToldColumns {
  readonly plan_told_until: number | null
  readonly plan_told_step: number
}

interface EndsBetween {
  readonly from: number
  readonly to: number
  readonly trialMs: number
  readonly afterId: string
  readonly most: number
}

export const planColumns = (db: Db) => ({
  /** Who can do something about the end of a plan that lies between these moments; by id, from behind one on. */
  async endingBetween({ from, to, trialMs, afterId, most }: EndsBetween): Promise<(PlanColumns & ToldColumns)[]> {
    const endsAt = sql<number>`case when plan = 'free-trial' then coalesce(plan_since, created_at) + ${trialMs} else plan_until end`
    return db
      .selectFrom('users')
      .select([...PLAN_COLUMNS, 'plan_told_until', 'plan_told_step'])
      .where('id', '>', afterId)
      .where(endsAt, '>=', from)
      .where(endsAt, '<=', to)
      .where('suspended_at', 'is', null)
      .where('deleting_at', 'is', null)
      .orderBy('id')
      .limit(most)
      .execute()
  },
  /** False: it was told, or what the row says of the plan is not this any more. */
  async noteTold(had: PlanColumns, { endsAt, step }: { endsAt: number; step: number }): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('users')
      .set({ plan_told_until: endsAt, plan_told_step: step })
      .where('id', '=', had.id)
      .where('plan', '=', had.plan)
      .where('plan_since', 'is not distinct from', had.plan_since)
      .where('plan_until', 'is not distinct from', had.plan_until)
      .where('suspended_at', 'is', null)
      .where('deleting_at', 'is', null)
      .where((eb) => eb.or([eb('plan_told_until', 'is distinct from', endsAt), eb('plan_told_step', '<', step)]))
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },
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
