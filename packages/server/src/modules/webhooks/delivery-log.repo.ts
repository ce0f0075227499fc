import type { Db } from '../../platform/db/database.ts'
import { hurryHeads } from './delivery-heads.ts'
import type { DeliveryRow } from './delivery-queue.repo.ts'
import { lockEndpoint } from './lock-endpoint.ts'

export type DeliveryLog = ReturnType<typeof createDeliveryLog>

export interface LogPlace {
  readonly createdAt: number
  readonly id: string
}

interface LogPage {
  readonly after: LogPlace | null
  readonly limit: number
  readonly state: string | null
}

/** What was sent to an endpoint, and what is to be sent. */
export function createDeliveryLog(db: Db) {
  const own = (workspaceId: string, endpointId: string) =>
    db.selectFrom('webhook_deliveries').where('user_id', '=', workspaceId).where('endpoint_id', '=', endpointId)

  return {
    /** Newest first, from behind `after` on. */
    page(workspaceId: string, endpointId: string, { after, limit, state }: LogPage): Promise<DeliveryRow[]> {
      return own(workspaceId, endpointId)
        .selectAll()
        .$if(state !== null, (query) => query.where('state', '=', state))
        .$if(after !== null, (query) =>
          query.where((eb) =>
            eb.or([
              eb('created_at', '<', after?.createdAt ?? 0),
              eb.and([eb('created_at', '=', after?.createdAt ?? 0), eb('id', '<', after?.id ?? '')]),
            ]),
          ),
        )
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
    },
    async byId(workspaceId: string, endpointId: string, id: string): Promise<DeliveryRow | null> {
      return (await own(workspaceId, endpointId).selectAll().where('id', '=', id).executeTakeFirst()) ?? null
    },
    async insert(row: DeliveryRow): Promise<void> {
      await db.insertInto('webhook_deliveries').values(row).execute()
    },
    /** A test that was sent again has another answer now. */
    async replace({ id, ...values }: DeliveryRow): Promise<void> {
      await db.updateTable('webhook_deliveries').set(values).where('id', '=', id).execute()
    },
    /** What waits for its next try is due now. Returns how many. */
    hurry: (endpointId: string, times: { now: number; claimMs: number }): Promise<number> =>
      hurryHeads(db, endpointId, times),
    /** Only what is over, and only while its endpoint is active; null: it is not so. It goes out of turn, and nothing waits for it. */
    sendAgain: (row: DeliveryRow, now: number): Promise<DeliveryRow | null> =>
      db.transaction().execute(async (inside) => {
        const endpoint = await lockEndpoint(inside, row.endpoint_id)
        if (endpoint?.state !== 'active') return null
        const again = await inside
          .updateTable('webhook_deliveries')
          .set({ state: 'waiting', in_order: 0, tries: 0, due_at: now, since_at: now, finished_at: null })
          .where('id', '=', row.id)
          .where('state', '<>', 'waiting')
          .returningAll()
          .executeTakeFirst()
        return again ?? null
      }),
  }
}
