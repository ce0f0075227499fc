import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { StreamIncident } from './alert-rules.ts'

export interface Incident {
  readonly id: string
  readonly userId: string
  /** What the rules remember; null: nothing any more. */
  readonly state: unknown
  readonly dueAt: number | null
}

export const incidentIdOf = (subjectKind: string, subjectId: string): string => `${subjectKind}:${subjectId}`

/** All but `due` and `nextAt` are for the transaction of who holds the reader's place: nobody else changes incidents. */
export const incidentsRepo = {
  async byIds(inside: Db, ids: readonly string[]): Promise<Map<string, Incident>> {
    if (ids.length === 0) return new Map()
    const rows = await inside.selectFrom('alert_incidents').selectAll().where('id', 'in', ids).execute()
    return new Map(rows.map((row) => [row.id, toIncident(row)]))
  },
  async save(inside: Db, { id, userId, state, dueAt }: Incident, now: number): Promise<void> {
    if (state === null) {
      await inside.deleteFrom('alert_incidents').where('id', '=', id).execute()
      return
    }
    const values = { state: JSON.stringify(state), due_at: dueAt, updated_at: now }
    await inside
      .insertInto('alert_incidents')
      .values({ id, user_id: userId, ...values })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
      .execute()
  },
  async due(db: Db, now: number, most: number): Promise<{ id: string }[]> {
    return db
      .selectFrom('alert_incidents')
      .select('id')
      .where('due_at', 'is not', null)
      .where('due_at', '<=', now)
      .orderBy('due_at')
      .limit(most)
      .execute()
  },
  async nextAt(db: Db): Promise<number | null> {
    const row = await db
      .selectFrom('alert_incidents')
      .select('due_at')
      .where('due_at', 'is not', null)
      .orderBy('due_at')
      .limit(1)
      .executeTakeFirst()
    return row?.due_at ?? null
  },
  /** Its settings have changed: what waits is judged anew. */
  async wakeAllOf(inside: Db, userId: string, now: number): Promise<void> {
    await inside
      .updateTable('alert_incidents')
      .set({ due_at: now })
      .where('user_id', '=', userId)
      .where('due_at', 'is not', null)
      .execute()
  },
  /** The clock was set: what has lasted for a minute still has. */
  async shift(inside: Db, byMs: number): Promise<void> {
    const rows = await inside
      .selectFrom('alert_incidents')
      .selectAll()
      .where('due_at', 'is not', null)
      .orderBy('due_at')
      .limit(SHIFTED_MAX)
      .execute()
    for (const row of rows) {
      const state = JSON.parse(row.state) as StreamIncident
      const off = state.off && { ...state.off, since: state.off.since + byMs }
      await inside
        .updateTable('alert_incidents')
        .set({ state: JSON.stringify({ ...state, off }), due_at: sql<number>`due_at + ${byMs}` })
        .where('id', '=', row.id)
        .execute()
    }
  },
}

const SHIFTED_MAX = 5_000

const toIncident = (row: { id: string; user_id: string; state: string; due_at: number | null }): Incident => ({
  id: row.id,
  userId: row.user_id,
  state: JSON.parse(row.state),
  dueAt: row.due_at,
})
