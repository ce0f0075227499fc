import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { WebhookEndpointTable } from '../../platform/db/tables/webhooks.ts'
import { lastFactId } from '../../platform/outbox/facts.ts'
import { addWithin } from '../identity/user-lock.ts'
import { endpointRemoval, REMOVING } from './endpoint-removal.ts'
import { endpointStates } from './endpoint-states.ts'

export type EndpointRow = Selectable<WebhookEndpointTable>
export type EndpointsRepo = ReturnType<typeof createEndpointsRepo>

interface Counts {
  readonly waiting: number
  readonly lastDeliveredAt: number | null
}

export function createEndpointsRepo(db: Db) {
  const own = (workspaceId: string, inside = db) =>
    inside.selectFrom('webhook_endpoints').where('user_id', '=', workspaceId).where('state', '<>', REMOVING)
  const change = (workspaceId: string, id: string) =>
    db
      .updateTable('webhook_endpoints')
      .where('user_id', '=', workspaceId)
      .where('id', '=', id)
      .where('state', '<>', REMOVING)

  return {
    ...endpointStates(db),
    ...endpointRemoval(db),
    countsOf: countsOf(db),
    list: (workspaceId: string): Promise<EndpointRow[]> =>
      own(workspaceId).selectAll().orderBy('created_at').orderBy('id').execute(),
    async byId(workspaceId: string, id: string): Promise<EndpointRow | null> {
      return (await own(workspaceId).selectAll().where('id', '=', id).executeTakeFirst()) ?? null
    },
    /** Everybody's. */
    async ids(): Promise<string[]> {
      return (await db.selectFrom('webhook_endpoints').select('id').execute()).map(({ id }) => id)
    },
    async byIds(ids: readonly string[]): Promise<Map<string, EndpointRow>> {
      if (ids.length === 0) return new Map()
      const rows = await db.selectFrom('webhook_endpoints').selectAll().where('id', 'in', ids).execute()
      return new Map(rows.map((row) => [row.id, row]))
    },
    /** False: there are as many as there may be. */
    insertWithin(row: Insertable<WebhookEndpointTable>, most: number): Promise<boolean> {
      const { user_id: userId } = row
      const count = async (locked: Db) => (await own(userId, locked).select('id').execute()).length
      return addWithin(db, { userId, most, count }, async (locked) => {
        const values = { ...row, after_fact: await lastFactId(locked) }
        await locked.insertInto('webhook_endpoints').values(values).execute()
      })
    },
    async change(
      workspaceId: string,
      id: string,
      values: Partial<Pick<EndpointRow, 'url_sealed' | 'description' | 'events' | 'failing_since'>>,
    ): Promise<EndpointRow | null> {
      return (await change(workspaceId, id).set(values).returningAll().executeTakeFirst()) ?? null
    },
    /** The secret that it has becomes the old one. */
    async rotate(
      workspaceId: string,
      id: string,
      { sealed, oldUntil }: { sealed: string; oldUntil: number },
    ): Promise<EndpointRow | null> {
      const row = await change(workspaceId, id)
        .set(({ ref }) => ({
          old_secret_sealed: ref('secret_sealed'),
          old_secret_until: oldUntil,
          secret_sealed: sealed,
        }))
        .returningAll()
        .executeTakeFirst()
      return row ?? null
    },
  }
}

/** By endpoint. */
const countsOf =
  (db: Db) =>
  async (ids: readonly string[]): Promise<Map<string, Counts>> => {
    if (ids.length === 0) return new Map()
    const waiting = await db
      .selectFrom('webhook_deliveries')
      .select(({ fn }) => ['endpoint_id', fn.countAll<number>().as('count')])
      .where('endpoint_id', 'in', ids)
      .where(sql<boolean>`state = 'waiting'`)
      .groupBy('endpoint_id')
      .execute()
    // Its newest is the last entry of an index, which to group them would read whole.
    const delivered = await db
      .selectFrom('webhook_endpoints')
      .select(({ selectFrom }) => [
        'id as endpoint_id',
        selectFrom('webhook_deliveries')
          .select('finished_at')
          .whereRef('endpoint_id', '=', 'webhook_endpoints.id')
          .where(sql<boolean>`webhook_deliveries.state = 'delivered'`)
          .where('finished_at', 'is not', null)
          .orderBy('finished_at', 'desc')
          .limit(1)
          .as('at'),
      ])
      .where('id', 'in', ids)
      .execute()
    const counts = new Map(waiting.map(({ endpoint_id, count }) => [endpoint_id, Number(count)]))
    const last = new Map(delivered.map(({ endpoint_id, at }) => [endpoint_id, at]))
    return new Map(
      ids.map((id) => [id, { waiting: counts.get(id) ?? 0, lastDeliveredAt: last.get(id) ?? null }] as const),
    )
  }
