import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { createPlaces, Placed } from './places.ts'

type Full = ReturnType<ReturnType<typeof createPlaces>['full']>

interface Due extends Placed {
  readonly id: string
  /** Its place among those of its user. */
  readonly rank: number
}

const USERS_AT_ONCE = 20
const ROWS_AT_ONCE = 64
const LEAST_OF_USER = 8

/**
 * What is due, of those for whom there is a place: the oldest of each user, and the users in turn, from behind `afterUser` on. However much
 * one of them has due, and however long, the others do not wait for it. `more`: another look may find more.
 */
export const dueInTurns =
  (db: Db) =>
  async (now: number, full: Full, afterUser = ''): Promise<{ rows: Due[]; more: boolean }> => {
    const without = endpointsWithout(db, full)
    const users = await usersWithDue(db, now, { without, afterUser })
    if (users.length === 0) return { rows: [], more: false }
    const perUser = Math.max(LEAST_OF_USER, Math.floor(ROWS_AT_ONCE / users.length))
    const own = users.map(
      (userId) => sql`select * from (
        select id, endpoint_id, user_id from webhook_deliveries
        where user_id = ${userId} and due_at is not null and due_at <= ${now} and endpoint_id not in ${without}
        order by due_at limit ${sql.lit(perUser)}) as own`,
    )
    const { rows } = await sql<Omit<Due, 'rank'>>`${sql.join(own, sql` union all `)}`.execute(db)
    const failing = await failingOf(db, [...new Set(rows.map(({ endpoint_id }) => endpoint_id))])
    const turns = users.map((userId) => rows.filter(({ user_id }) => user_id === userId))
    const inTurns = Array.from({ length: perUser }, (_, rank) =>
      turns.flatMap((rowsOfUser): Due[] => {
        const row = rowsOfUser[rank]
        if (!row) return []
        const isFailing = failing.has(row.endpoint_id) || full.slow.includes(row.endpoint_id)
        return [{ ...row, rank, isFailing }]
      }),
    )
    const more = users.length === USERS_AT_ONCE || turns.some((rowsOfUser) => rowsOfUser.length === perUser)
    return { rows: inTurns.flat(), more }
  }

/** Goes from user to user in the index: nobody's queue is read further than to the first that has a place. */
async function usersWithDue(
  db: Db,
  now: number,
  { without, afterUser }: { without: Without; afterUser: string },
): Promise<string[]> {
  const next = (after: RawBuilder<unknown>) =>
    sql`(select user_id from webhook_deliveries where due_at is not null and user_id > ${after} order by user_id limit 1)`
  const { rows } = await sql<{ user_id: string }>`
    with recursive owners(user_id) as (
      select ${next(sql`''`)} union all select ${next(sql`owners.user_id`)} from owners where owners.user_id is not null)
    select user_id from owners
    where user_id is not null and exists (select 1 from webhook_deliveries as delivery
      where delivery.user_id = owners.user_id and delivery.due_at is not null and delivery.due_at <= ${now}
        and delivery.endpoint_id not in ${without})
    order by case when user_id > ${afterUser} then 0 else 1 end, user_id limit ${sql.lit(USERS_AT_ONCE)}`.execute(db)
  return rows.map(({ user_id }) => user_id)
}

type Without = ReturnType<typeof endpointsWithout>

/** Those that get nothing now: they have no place, or are not active. */
const endpointsWithout = (db: Db, full: Full) =>
  db
    .selectFrom('webhook_endpoints')
    .select('id')
    .where((eb) =>
      eb.or([
        eb('state', '<>', 'active'),
        eb('id', 'in', none(full.endpoints)),
        eb('user_id', 'in', none(full.users)),
        eb.and([
          eb.or([eb('failing_since', 'is not', null), eb('id', 'in', none(full.slow))]),
          ...(full.failing ? [] : [eb('id', 'in', none(full.busy))]),
        ]),
      ]),
    )

async function failingOf(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('webhook_endpoints')
    .select('id')
    .where('id', 'in', none(ids))
    .where('failing_since', 'is not', null)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** An empty list is no SQL. */
const none = (ids: readonly string[]): readonly string[] => (ids.length > 0 ? ids : [''])
