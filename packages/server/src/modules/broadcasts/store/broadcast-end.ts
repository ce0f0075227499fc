import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'

export const ofStream = (streamId: string) => sql<string>`(select broadcast_id from streams where id = ${streamId})`

/**
 * Before anything that concerns a broadcast and its streams together is changed: its row first, then those of its streams. Else two streams
 * that end at the same moment would each take the other for the last one, or wait for each other.
 */
export async function holdBroadcast(inside: Db, id: string | RawBuilder<string>): Promise<void> {
  await sql`update broadcasts set desired = desired where id = ${id}`.execute(inside)
}

/** After the end of a stream: a broadcast has ended when its last stream has. Until then it has the place of one that is wanted. */
export async function closeIfOver(inside: Db, broadcastId: string, endedAt: number): Promise<void> {
  await inside
    .updateTable('broadcasts')
    .set({ ended_at: endedAt })
    .where('id', '=', broadcastId)
    .where('ended_at', 'is', null)
    .where(sql<boolean>`not exists (select 1 from streams where broadcast_id = ${broadcastId} and phase <> 'ended')`)
    .execute()
  await keepPlaces(inside, sql`id = ${broadcastId} and ended_at is null`)
}

/** A place whose stream has ended may be given to another broadcast. `which`: of the broadcasts. */
export async function keepPlaces(inside: Db, which: RawBuilder<unknown>): Promise<void> {
  await sql`
    update broadcasts set slot = (
      select min(streams.slot) from streams where streams.broadcast_id = broadcasts.id and phase <> 'ended')
    where ${which} and not exists (
      select 1 from streams
      where streams.broadcast_id = broadcasts.id and phase <> 'ended' and streams.slot = broadcasts.slot)
    and exists (
      select 1 from streams where streams.broadcast_id = broadcasts.id and phase <> 'ended')`.execute(inside)
}

/** In the transaction of a change of `broadcasts`. One that was stopped by itself stays so. `which`: of the streams. */
export async function tellStreams(inside: Db, which: RawBuilder<unknown>): Promise<void> {
  await sql`
    update streams set (desired, end_cause) = (
      select broadcasts.desired, broadcasts.end_cause from broadcasts where broadcasts.id = streams.broadcast_id)
    where ${which} and phase <> 'ended' and desired <> 'stopped'`.execute(inside)
}
