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
    const users = await usersWithDue(db, now, { full, afterUser })
    if (users.length === 0) return { rows: [], more: false }
    const perUser = Math.max(LEAST_OF_USER, Math.floor(ROWS_AT_ONCE / users.length))
    const { rows } = await sql<DueRow>`
      select delivery.id, delivery.endpoint_id, delivery.user_id, endpoint.failing_since
      from webhook_endpoints as endpoint inner join webhook_deliveries as delivery on delivery.id in (
        select id from webhook_deliveries as own
        where own.endpoint_id = endpoint.id and own.due_at is not null and own.due_at <= ${now}
        order by own.due_at limit ${sql.lit(perUser)})
      where endpoint.user_id in ${inList(users)} and ${hasPlace(full)}
      order by delivery.due_at`.execute(db)
    const ofUsers = users.map((userId) => rows.filter(({ user_id }) => user_id === userId))
    const inTurns = Array.from({ length: perUser }, (_, rank) =>
      ofUsers.flatMap((own): Due[] => {
        const row = own[rank]
        if (!row) return []
        const { failing_since, ...due } = row
        return [{ ...due, rank, isFailing: failing_since !== null || full.slow.includes(due.endpoint_id) }]
      }),
    )
    const more = users.length === USERS_AT_ONCE || ofUsers.some((own) => own.length >= perUser)
    return { rows: inTurns.flat(), more }
  }

interface DueRow extends Omit<Due, 'rank' | 'isFailing'> {
  readonly failing_since: number | null
}

/** Goes from user to user in the index, and looks at the first of each endpoint: nobody's queue is read any further. */
async function usersWithDue(
  db: Db,
  now: number,
  { full, afterUser }: { full: Full; afterUser: string },
): Promise<string[]> {
  const next = (after: RawBuilder<unknown>) =>
    sql`(select user_id from webhook_deliveries where due_at is not null and user_id > ${after} order by user_id limit 1)`
  const { rows } = await sql<{ user_id: string }>`
    with recursive owners(user_id) as (
      select ${next(sql`''`)} union all select ${next(sql`owners.user_id`)} from owners where owners.user_id is not null)
    select user_id from owners
    where user_id is not null and exists (select 1 from webhook_endpoints as endpoint
      where endpoint.user_id = owners.user_id and ${hasPlace(full)} and exists (
        select 1 from webhook_deliveries as delivery
        where delivery.endpoint_id = endpoint.id and delivery.due_at is not null and delivery.due_at <= ${now}))
    order by case when user_id > ${afterUser} then 0 else 1 end, user_id limit ${sql.lit(USERS_AT_ONCE)}`.execute(db)
  return rows.map(({ user_id }) => user_id)
}

/** The others get nothing now: they have no place, or are not active. */
function hasPlace({ endpoints, users, slow, failing, busy }: Full): RawBuilder<unknown> {
  const isFailing = sql`(endpoint.failing_since is not null or endpoint.id in ${inList(slow)})`
  const hasNone = failing ? isFailing : sql`(${isFailing} and endpoint.id in ${inList(busy)})`
  return sql`endpoint.state = 'active' and endpoint.id not in ${inList(endpoints)}
    and endpoint.user_id not in ${inList(users)} and not ${hasNone}`
}

/** An empty list is no SQL. */
const inList = (ids: readonly string[]): RawBuilder<unknown> => sql`(${sql.join(ids.length > 0 ? ids : [''])})`
