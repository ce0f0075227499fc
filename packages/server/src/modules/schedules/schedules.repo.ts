import { nextOccurrence } from '@siarin/contracts/schedules/recurrence'
import type { ScheduleRule } from '@siarin/contracts/schedules/schedule-rule'
import { SCHEDULES_MAX } from '@siarin/contracts/schedules/schedules'
import { type Selectable, sql } from 'kysely'
import { compileOnce } from '../../platform/db/compile-once.ts'
import { atomically, type Db, isPostgres } from '../../platform/db/database.ts'
import type { ScheduleOccurrenceTable, ScheduleTable } from '../../platform/db/tables/schedules.ts'
import { addWithin } from '../identity/user-lock.ts'
import { deletedSchedules } from './deleted-schedules.ts'
import type { NewOccurrence } from './occurrences.repo.ts'
import { DAY_MS, HORIZON_MS, planAgain, planOccurrences } from './plan-occurrences.ts'

export type ScheduleRow = Selectable<ScheduleTable>
export type SchedulesRepo = ReturnType<typeof createSchedulesRepo>

export type ScheduleChange = Partial<
  Pick<ScheduleRow, 'title' | 'rule' | 'end_at_pass' | 'request_sealed' | 'paused_at'>
>

export interface PagePlace {
  readonly createdAt: number
  readonly id: string
}

/** So many rows in one statement: SQLite bounds what one can bind. */
const INSERT_BATCH = 50
const NEWEST_STARTED = 5

export const ruleOf = ({ rule }: Pick<ScheduleRow, 'rule'>): ScheduleRule => JSON.parse(rule)

/** What a schedule has before it is first planned or changed. */
export const UNCHANGED = {
  ...{ revision: 0, paused_at: null, deleted_at: null },
  ...{ next_at: null, next_from: null, next_revision: null },
} satisfies Partial<ScheduleRow>

/** When it is due next by its rule. Stored where it is derived: a list of schedules reads it. */
const nextOf = ({ revision }: ScheduleRow, rule: ScheduleRule, now: number) => ({
  next_at: nextOccurrence(rule, now)?.dueAt ?? null,
  next_from: now,
  next_revision: revision,
})

export const createSchedulesRepo = (db: Db) => ({
  ...reading(db),
  ...changing(db),
  ...requests(db),
  ...planning(db),
  ...deletedSchedules(db),
})

const reading = (db: Db) => ({
  byId: byIdIn(db),
  async ofWorkspace(id: string, workspaceId: string): Promise<ScheduleRow | null> {
    const own = db.selectFrom('schedules').selectAll().where('id', '=', id).where('user_id', '=', workspaceId)
    return (await own.where('deleted_at', 'is', null).executeTakeFirst()) ?? null
  },
  /** Newest first, from behind a place on. */
  async page(workspaceId: string, behind: PagePlace | null, most: number): Promise<ScheduleRow[]> {
    let own = db.selectFrom('schedules').selectAll().where('user_id', '=', workspaceId).where('deleted_at', 'is', null)
    if (behind) {
      const { createdAt, id } = behind
      own = own.where((eb) =>
        eb.or([eb('created_at', '<', createdAt), eb('created_at', '=', createdAt).and('id', '<', id)]),
      )
    }
    return own.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(most).execute()
  },
})

/** A thousand may be due in the same minute. */
function byIdIn(db: Db) {
  const find = compileOnce(db, (id: string) => db.selectFrom('schedules').selectAll().where('id', '=', id))
  return async (id: string): Promise<ScheduleRow | null> => (await find(id))[0] ?? null
}

const changing = (db: Db) => ({
  /** False: there are as many as there may be. */
  insert(row: Omit<ScheduleRow, keyof typeof UNCHANGED>, now: number): Promise<boolean> {
    const count = (locked: Db) => countOf(locked, row.user_id)
    return addWithin(db, { userId: row.user_id, most: SCHEDULES_MAX, count }, async (locked) => {
      await locked.insertInto('schedules').values(row).execute()
      await planInside(locked, { ...row, ...UNCHANGED }, now)
    })
  },
  /**
   * A function sees the row as it is while nobody else changes it. What is to come is planned again; what has been started keeps its row,
   * with the end that the new rule gives it. Null: it is gone.
   */
  async change(
    id: string,
    workspaceId: string,
    wanted: ScheduleChange | ((row: ScheduleRow) => ScheduleChange),
    now: number,
  ): Promise<ScheduleRow | null> {
    return atomically(db, async (inside) => {
      const before = await lockOwn(inside, id, workspaceId)
      if (!before) return null
      const change = typeof wanted === 'function' ? wanted(before) : wanted
      const from = await firstTriedAgain(inside, id, now)
      const row = await inside
        .updateTable('schedules')
        .set({ ...change, revision: sql<number>`revision + 1`, planned_until: from })
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow()
      const told = await dropComing(inside, id, now)
      await moveEnds(inside, row, now)
      if (row.paused_at === null) await planInside(inside, row, now)
      await keepTold(inside, told)
      return row
    })
  },
  async remove(id: string, workspaceId: string, now: number): Promise<boolean> {
    return atomically(db, async (inside) => {
      const row = await inside
        .updateTable('schedules')
        .set({ deleted_at: now, revision: sql<number>`revision + 1` })
        .where('id', '=', id)
        .where('user_id', '=', workspaceId)
        .where('deleted_at', 'is', null)
        .returning('id')
        .executeTakeFirst()
      if (!row) return false
      await inside
        .deleteFrom('schedule_occurrences')
        .where('schedule_id', '=', id)
        .where((eb) => eb.or([eb('state', '=', 'due'), eb('state', '=', 'skipped').and('due_at', '>', now)]))
        .execute()
      return true
    })
  },
})

async function countOf(inside: Db, workspaceId: string): Promise<number> {
  const own = inside.selectFrom('schedules').select('id').where('user_id', '=', workspaceId)
  return (await own.where('deleted_at', 'is', null).execute()).length
}

/** Nobody else changes it until the transaction is over. SQLite has one writer at a time. */
export async function lockOwn(inside: Db, id: string, workspaceId: string): Promise<ScheduleRow | null> {
  const own = inside.selectFrom('schedules').selectAll().where('id', '=', id).where('user_id', '=', workspaceId)
  const open = own.where('deleted_at', 'is', null)
  return (await (isPostgres(inside) ? open.forNoKeyUpdate() : open).executeTakeFirst()) ?? null
}

const requests = (db: Db) => ({
  /** By id, from behind one on. */
  async allAfter(id: string, most: number): Promise<ScheduleRow[]> {
    const open = db.selectFrom('schedules').selectAll().where('id', '>', id).where('deleted_at', 'is', null)
    return open.orderBy('id').limit(most).execute()
  },
  async requestsOf(workspaceId: string): Promise<string[]> {
    const own = db.selectFrom('schedules').select('request_sealed').where('user_id', '=', workspaceId)
    return (await own.where('deleted_at', 'is', null).execute()).map(({ request_sealed }) => request_sealed)
  },
  /** The same request in another form: no change that anybody has to know of. False: it is another one by now. */
  async rewriteRequest({ id, request_sealed }: ScheduleRow, rewritten: string): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('schedules')
      .set({ request_sealed: rewritten })
      .where('id', '=', id)
      .where('request_sealed', '=', request_sealed)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },
})

const planning = (db: Db) => ({
  async toBePlanned(now: number, most: number): Promise<ScheduleRow[]> {
    return db
      .selectFrom('schedules')
      .selectAll()
      .where('planned_until', '<', now + HORIZON_MS - DAY_MS)
      .where('paused_at', 'is', null)
      .where('deleted_at', 'is', null)
      .orderBy('planned_until')
      .limit(most)
      .execute()
  },
  async plan(row: ScheduleRow, now: number): Promise<void> {
    await atomically(db, (inside) => planInside(inside, row, now))
  },
  /** Those whose next time has passed. */
  async toBeDerived(now: number, most: number): Promise<ScheduleRow[]> {
    return db
      .selectFrom('schedules')
      .selectAll()
      .where('next_at', 'is not', null)
      .where('next_at', '<', now)
      .where('paused_at', 'is', null)
      .where('deleted_at', 'is', null)
      .orderBy('next_at')
      .limit(most)
      .execute()
  },
  async deriveNext(row: ScheduleRow, now: number): Promise<void> {
    await db
      .updateTable('schedules')
      .set(nextOf(row, ruleOf(row), now))
      .where('id', '=', row.id)
      .where('revision', '=', row.revision)
      .execute()
  },
})

async function planInside(inside: Db, row: ScheduleRow, now: number): Promise<void> {
  const rule = ruleOf(row)
  const { rows, plannedUntil } = planOccurrences(
    {
      id: row.id,
      userId: row.user_id,
      rule,
      endAtPass: row.end_at_pass === 1,
      plannedUntil: row.planned_until,
    },
    now,
  )
  // A caller that has changed the schedule since it was read has planned it too. The update holds the row until all are in.
  const { numUpdatedRows } = await inside
    .updateTable('schedules')
    .set({ planned_until: plannedUntil, ...nextOf(row, rule, now) })
    .where('id', '=', row.id)
    .where('revision', '=', row.revision)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) await insertAll(inside, rows)
}

async function insertAll(inside: Db, rows: readonly NewOccurrence[]): Promise<void> {
  for (let from = 0; from < rows.length; from += INSERT_BATCH) {
    await inside
      .insertInto('schedule_occurrences')
      .values(rows.slice(from, from + INSERT_BATCH))
      .onConflict((conflict) => conflict.columns(['schedule_id', 'due_at']).doNothing())
      .execute()
  }
}

/** What has come due and could not start yet belongs to what is to come: with what its owner has mended, it may start now. */
export async function firstTriedAgain(inside: Db, id: string, now: number): Promise<number> {
  const row = await inside
    .selectFrom('schedule_occurrences')
    .select('due_at')
    .where('schedule_id', '=', id)
    .where('state', '=', 'due')
    .where('due_at', '<', now)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  return row?.due_at ?? now
}

type Told = Pick<Selectable<ScheduleOccurrenceTable>, 'id' | 'blocked_for'>

/**
 * What is not under way: it is planned anew, by what the schedule is now. One that is started again keeps the count of its attempts.
 * Returns what their owner has been told of.
 */
export async function dropComing(inside: Db, id: string, now: number): Promise<Told[]> {
  const dropped = await inside
    .deleteFrom('schedule_occurrences')
    .where('schedule_id', '=', id)
    .where((eb) =>
      eb.or([eb('state', '=', 'due').and('attempt', '=', 0), eb('state', '=', 'skipped').and('due_at', '>', now)]),
    )
    .returning(['id', 'blocked_for'])
    .execute()
  return dropped.filter(({ blocked_for }) => blocked_for !== null)
}

/** A change that did not mend what was in the way is no reason to tell of it again. */
async function keepTold(inside: Db, told: readonly Told[]): Promise<void> {
  for (const { id, blocked_for } of told) {
    await inside.updateTable('schedule_occurrences').set({ blocked_for }).where('id', '=', id).execute()
  }
}

/** The ends of those that were started follow the rule. What is to be started again is tried now, with what may have been mended. */
async function moveEnds(inside: Db, row: ScheduleRow, now: number): Promise<void> {
  const begun = await inside
    .selectFrom('schedule_occurrences')
    .select(['id', 'due_at', 'state'])
    .where('schedule_id', '=', row.id)
    .where((eb) => eb.or([eb('state', '=', 'started'), eb('state', '=', 'due').and('attempt', '>', 0)]))
    .orderBy('due_at', 'desc')
    // Those without an end stay 'started' after somebody has ended them.
    .limit(NEWEST_STARTED)
    .execute()
  const plannable = { id: row.id, userId: row.user_id, rule: ruleOf(row), endAtPass: row.end_at_pass === 1 }
  for (const { id, due_at, state } of begun) {
    const same = planAgain(plannable, due_at, now)
    const own = inside.updateTable('schedule_occurrences').where('id', '=', id).where('state', '=', state)
    if (state === 'due') await own.set({ ...(same && endsOf(same)), next_try_at: now }).execute()
    else if (same) await own.set({ ...endsOf(same), next_try_at: same.ends_at }).execute()
  }
}

const endsOf = ({ start_by, ends_at, end_at_pass }: NewOccurrence) => ({ start_by, ends_at, end_at_pass })
