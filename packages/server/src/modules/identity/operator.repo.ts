import type { Db } from '../../platform/db/database.ts'

/** PostgreSQL's integers end a little above. */
export const CREDIT_MAX = 2_000_000_000

/** What the operator sees and changes of users: neither keys nor hashes are read. Each change is a statement of the caller's transaction. */
export const createOperatorRepo = (db: Db) => ({ ...people(db), ...changes(db) })

function people(db: Db) {
  const select = () =>
    db
      .selectFrom('users')
      .select([
        'id',
        'username',
        'username_key',
        'email',
        'credit',
        'plan',
        'plan_since',
        'plan_until',
        'ended_seen_at',
      ])
      .select(['suspended_at', 'created_at', 'deleting_at'])
      .select((eb) =>
        eb
          .selectFrom('sessions')
          .select((of) => of.fn.max('sessions.created_at').as('at'))
          .whereRef('sessions.user_id', '=', 'users.id')
          .as('last_login_at'),
      )

  return {
    /** Newest first. */
    all: () => select().orderBy('created_at', 'desc').orderBy('id').execute(),
    byEmail: (email: string) => select().where('email', '=', email).executeTakeFirst(),
    byUsernameKey: (key: string) => select().where('username_key', '=', key).executeTakeFirst(),
    async namesOf(ids: readonly string[]): Promise<Map<string, { username: string; email: string }>> {
      if (ids.length === 0) return new Map()
      const rows = await db.selectFrom('users').select(['id', 'username', 'email']).where('id', 'in', ids).execute()
      return new Map(rows.map(({ id, username, email }) => [id, { username, email }]))
    },
  }
}

const changes = (db: Db) => ({
  /** False: somebody else has changed the plan since it was read. */
  async setPlan(
    had: { id: string; plan: string; planUntil: number | null },
    change: {
      plan: string
      plan_since: number | null
      plan_until: number | null
      ended_seen_at: number | null
      ended_checked_at?: number
    },
  ): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('users')
      .set(change)
      .where('id', '=', had.id)
      .where('plan', '=', had.plan)
      .where('plan_until', 'is not distinct from', had.planUntil)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },
  /** Answers what there is then; null: it would fall below nothing, or rise above what can be kept. */
  async addCredit(userId: string, amount: number): Promise<number | null> {
    const row = await db
      .updateTable('users')
      .set((eb) => ({ credit: eb('credit', '+', amount) }))
      .where('id', '=', userId)
      .where('credit', '>=', Math.max(0, -amount))
      .where('credit', '<=', Math.min(CREDIT_MAX, CREDIT_MAX - amount))
      .returning('credit')
      .executeTakeFirst()
    return row?.credit ?? null
  },
  /** False: it was so already. */
  async suspend(userId: string, reason: string | null, now: number): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('users')
      .set({ suspended_at: now, suspended_for: reason })
      .where('id', '=', userId)
      .where('suspended_at', 'is', null)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },
  async resume(userId: string): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('users')
      .set({ suspended_at: null, suspended_for: null })
      .where('id', '=', userId)
      .where('suspended_at', 'is not', null)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },
  /** Null: all of them. Answers how many were open. */
  async endSessions(userId: string, sessionId: string | null, now: number): Promise<number> {
    const open = db.updateTable('sessions').set({ ended_at: now }).where('user_id', '=', userId)
    const chosen = sessionId === null ? open : open.where('id', '=', sessionId)
    const { numUpdatedRows } = await chosen.where('ended_at', 'is', null).executeTakeFirst()
    return Number(numUpdatedRows)
  },
})
