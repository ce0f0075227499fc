import type { PlanId } from '@siarin/contracts/plans'
import { atomically, type Db } from '../../platform/db/database.ts'
import { writeFacts } from '../../platform/outbox/facts.ts'
import { type Awaitable, whenKnown } from '../../platform/when-known.ts'
import { type PlanColumns, planColumns } from '../identity/plan-columns.repo.ts'
import type { PlanNotice } from './due-notice.ts'
import type { PlanFacts } from './judge-standing.ts'

export type PlansRepo = ReturnType<typeof createPlansRepo>

/** Somebody who has a plan. */
export interface Holder extends PlanFacts {
  readonly userId: string
  readonly suspendedFor: string | null
  /** When the end was last seen to last. */
  readonly endedCheckedAt: number | null
}

/** As identity remembers it: asked for by every call. */
export type PlanOf = (userId: string) => Awaitable<PlanColumns | null>

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

/** Plans keeps its facts in the row of the user, which is identity's. */
export function createPlansRepo(db: Db, planOf: PlanOf) {
  const columns = planColumns(db)
  return {
    factsOf: (userId: string): Awaitable<Holder | null> => whenKnown(planOf(userId), (row) => row && toHolder(row)),
    mayWork: columns.mayWork,
    /** `registeredBefore`: not who came since. */
    async holders(userIds: readonly string[], registeredBefore = Number.POSITIVE_INFINITY): Promise<Holder[]> {
      return (await columns.of(userIds)).filter((row) => row.created_at < registeredBefore).map(toHolder)
    },
    /** From now on the person is warned; null: it runs again. */
    noteEnded: (userId: string, seenAt: number | null): Promise<void> =>
      columns.note(userId, { ended_seen_at: seenAt, ended_checked_at: seenAt }),
    noteStillEnded: (userId: string, now: number): Promise<void> => columns.note(userId, { ended_checked_at: now }),
    noteVideosDeleted: (userId: string, now: number): Promise<void> => columns.note(userId, { videos_deleted_at: now }),
    /** By id, from behind one on; with what was told about the end. */
    async endingBetween(between: Parameters<typeof columns.endingBetween>[0]) {
      const rows = await columns.endingBetween(between)
      return rows.map((row) => ({ row, holder: toHolder(row) }))
    },
    /** False: somebody has told it, or the plan is not what it was when it was read. */
    tellEnd(
      row: PlanColumns,
      { fact, step, endsAt, at }: PlanNotice & { endsAt: number; at: number },
    ): Promise<boolean> {
      return atomically(db, async (inside) => {
        if (!(await planColumns(inside).noteTold(row, { endsAt, step }))) return false
        const { id, plan } = row
        await writeFacts(inside, { kind: 'workspace', id, userId: id }, [{ at, fact, payload: { plan, endsAt } }])
        return true
      })
    },
  }
}
