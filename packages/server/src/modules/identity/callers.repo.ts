import { compileOnce } from '../../platform/db/compile-once.ts'
import type { Db } from '../../platform/db/database.ts'
import { PLAN_COLUMNS, type PlanColumns } from './plan-columns.repo.ts'
import type { SessionTimes } from './session-rules.ts'

/** Whom a key or a token stands for, with all that decides whether they are let in. */
export interface KnownCaller {
  readonly plan: PlanColumns
  /** Null: it was not found by a token. */
  readonly session: (SessionTimes & { readonly id: string }) | null
}

/** Who calls: one question per call. Nobody is found whose account is on its way out. */
export function createCallersRepo(db: Db) {
  const planColumns = PLAN_COLUMNS.map((column) => `users.${column}` as const)

  const findByKey = compileOnce(db, (apiKeyHash: string) =>
    db.selectFrom('users').select(planColumns).where('api_key_hash', '=', apiKeyHash).where('deleting_at', 'is', null),
  )
  const findByToken = compileOnce(db, (tokenHash: string) =>
    db
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .select(planColumns)
      .select(['sessions.id as session_id', 'sessions.created_at as begun_at', 'last_seen_at', 'ended_at'])
      .where('token_hash', '=', tokenHash)
      .where('users.deleting_at', 'is', null),
  )
  const findById = compileOnce(db, (userId: string) =>
    db.selectFrom('users').select(planColumns).where('id', '=', userId),
  )

  return {
    async byKeyHash(apiKeyHash: string): Promise<KnownCaller | null> {
      const [plan] = await findByKey(apiKeyHash)
      return plan ? { plan, session: null } : null
    },
    async byTokenHash(tokenHash: string): Promise<KnownCaller | null> {
      const [row] = await findByToken(tokenHash)
      if (!row) return null
      const { session_id, begun_at, last_seen_at, ended_at, ...plan } = row
      return { plan, session: { id: session_id, createdAt: begun_at, lastSeenAt: last_seen_at, endedAt: ended_at } }
    },
    /** Also of somebody on the way out. */
    async byId(userId: string): Promise<KnownCaller | null> {
      const [plan] = await findById(userId)
      return plan ? { plan, session: null } : null
    },
  }
}
