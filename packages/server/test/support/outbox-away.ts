import { sql } from 'kysely'
import type { Db } from '../../src/platform/db/database.ts'

/** No fact can be written meanwhile: as where a program dies between a change and what is told of it. */
export async function whileOutboxIsAway(db: Db, work: () => Promise<void>): Promise<void> {
  await sql`alter table outbox rename to outbox_away`.execute(db)
  try {
    await work()
  } finally {
    await sql`alter table outbox_away rename to outbox`.execute(db)
  }
}
