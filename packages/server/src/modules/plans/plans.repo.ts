import type { PlanId } from '@siarin/contracts/plans'
import type { Db } from '../../platform/db/database.ts'
import type { PlanFacts } from './judge-standing.ts'

export type PlansRepo = ReturnType<typeof createPlansRepo>

/** Somebody who has broadcasts under way, or videos that may have to go. */
export interface Holder extends PlanFacts {
  readonly userId: string
  readonly suspendedFor: string | null
  /** When the end was last seen to last. */
  readonly endedCheckedAt: number | null
}

const COLUMNS = [
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

interface PlanColumns {
  id: string
  plan: string
  plan_since: number | null
  created_at: number
  plan_until: number | null
  suspended_at: number | null
  suspended_for: string | null
  ended_seen_at: number | null
  ended_checked_at: number | null
}

const toHolder = (row: PlanColumns): Holder => ({
  userId: row.id,
  plan: row.plan as PlanId,
  trialSince: row.plan_since ?? row.created_at,
  planUntil: row.plan_until,
  suspendedAt: row.suspended_at,
  suspendedFor: row.suspended_at === null ? null : row.suspended_for,
  endedSeenAt: row.ended_seen_at,
  endedCheckedAt: row.ended_checked_at,
})

export function createPlansRepo(db: Db) {
  return {
    async factsOf(userId: string): Promise<Holder | null> {
      const row = await db.selectFrom('users').select(COLUMNS).where('id', '=', userId).executeTakeFirst()
      return row ? toHolder(row) : null
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
    async withStreams(): Promise<Holder[]> {
      const rows = await db
        .selectFrom('users')
        .select(COLUMNS)
        .where((eb) =>
          eb.exists(
            eb
              .selectFrom('streams')
              .select('streams.id')
              .whereRef('streams.user_id', '=', 'users.id')
              .where('streams.phase', '<>', 'ended')
              .where('streams.desired', '<>', 'stopped'),
          ),
        )
        .execute()
      return rows.map(toHolder)
    },
    /** Registered before a time, with videos: whoever is among them may have lost the right to keep them. */
    async withVideos(registeredBefore: number): Promise<Holder[]> {
      const rows = await db
        .selectFrom('users')
        .select(COLUMNS)
        .where('created_at', '<', registeredBefore)
        .where((eb) =>
          eb.exists(eb.selectFrom('videos').select('videos.id').whereRef('videos.user_id', '=', 'users.id')),
        )
        .execute()
      return rows.map(toHolder)
    },
    /** From now on the person is warned; null: it runs again. */
    async noteEnded(userId: string, seenAt: number | null): Promise<void> {
      const marks = { ended_seen_at: seenAt, ended_checked_at: seenAt }
      await db.updateTable('users').set(marks).where('id', '=', userId).execute()
    },
    async noteStillEnded(userId: string, now: number): Promise<void> {
      await db.updateTable('users').set({ ended_checked_at: now }).where('id', '=', userId).execute()
    },
    async noteVideosDeleted(userId: string, now: number): Promise<void> {
      await db.updateTable('users').set({ videos_deleted_at: now }).where('id', '=', userId).execute()
    },
  }
}
