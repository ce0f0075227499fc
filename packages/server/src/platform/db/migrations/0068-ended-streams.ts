import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Targets of a broadcast that goes on come and go for years. For those of them that are wanted, for the last that are over, of one broadcast or
 * of an account, and for what went to a target lately: without these indexes every stream that there ever was is read.
 */
export const endedStreams: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create index streams_open on streams (broadcast_id) where phase <> 'ended'`.execute(db)
    await sql`create index streams_ended on streams (broadcast_id, ended_at, id) where phase = 'ended'`.execute(db)
    await sql`create index streams_past on streams (user_id, ended_at) where phase = 'ended'`.execute(db)
    await sql`create index streams_at_target on streams (target_mark, created_at)`.execute(db)
  },
}
