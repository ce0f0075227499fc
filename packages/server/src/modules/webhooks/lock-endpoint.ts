import { type Db, isPostgres } from '../../platform/db/database.ts'
import type { EndpointRow } from './endpoints.repo.ts'

/** Nobody else changes it, or adds to its queue, until the transaction is over. Null: it is gone. */
export async function lockEndpoint(inside: Db, id: string): Promise<EndpointRow | null> {
  const row = await inside
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('id', '=', id)
    // SQLite has one writer at a time.
    .$if(isPostgres(inside), (query) => query.forUpdate())
    .executeTakeFirst()
  return row ?? null
}
