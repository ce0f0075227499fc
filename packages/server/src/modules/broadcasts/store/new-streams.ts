import { type Insertable, sql } from 'kysely'
import { compileByColumns } from '../../../platform/db/compile-once.ts'
import { atomically, type Db } from '../../../platform/db/database.ts'
import type { BroadcastTable, StreamTable } from '../../../platform/db/tables/broadcasts.ts'
import { recordEvents } from './recorded-events.ts'
import { broadcastOf, type NewStream, type StreamRow, streamRows } from './stream-rows.ts'
import { keepVideosOf, keepVideosOfNew } from './stream-videos.ts'
import { isWanted } from './wanted-streams.ts'

export const newStreams = (db: Db) => ({
  /** A broadcast with its streams, all or none. It has the id of the first. */
  async insert(first: NewStream, others: readonly NewStream[] = []): Promise<void> {
    await atomically(db, async (inside) => {
      await insertBroadcast(inside, broadcastOf(first))
      await insertStreams(inside, first.id, [first, ...others])
      await keepVideosOfNew(inside, first)
    })
  },
  /**
   * Further streams of a broadcast, all or none; false: it has ended, or is about to. `make` is told of the stream that they are to be like,
   * one on air where there is any, and of how many there are.
   */
  async extend(broadcastId: string, make: (like: StreamRow, count: number) => readonly NewStream[]): Promise<boolean> {
    return atomically(db, async (inside) => {
      // Held until this is done: its last stream does not end meanwhile.
      const held = await inside
        .updateTable('broadcasts')
        .set({ desired: sql<string>`desired` })
        .where('id', '=', broadcastId)
        .where('desired', '=', 'live')
        .where('ended_at', 'is', null)
        .returning('id')
        .executeTakeFirst()
      if (!held) return false
      const streams = await streamRows(inside)
        .where('broadcast_id', '=', broadcastId)
        .where(isWanted)
        .orderBy(sql`case when phase = 'live' and streams.desired = 'live' then 0 else 1 end`)
        .orderBy('streams.created_at')
        .orderBy('streams.id')
        .execute()
      const [like] = streams
      if (!like) return false
      await insertStreams(inside, broadcastId, make(like, streams.length))
      await keepVideosOf(inside, broadcastId)
      return true
    })
  },
})

async function insertStreams(inside: Db, broadcastId: string, streams: readonly NewStream[]): Promise<void> {
  for (const stream of streams) {
    const { id, user_id: userId, created_at: at, platform } = stream
    await insertStream(inside, { ...stream, broadcast_id: broadcastId })
    await recordEvents(inside, { id, broadcastId, userId }, [
      { at, kind: 'asked', reason: null, offAirMs: null },
      { at, fact: 'stream.started', payload: { platform, ...(stream.record === 1 && { record: true }) } },
    ])
  }
}

const insertBroadcast = compileByColumns((db, broadcast: Insertable<BroadcastTable>) =>
  db.insertInto('broadcasts').values(broadcast),
)
const insertStream = compileByColumns((db, stream: Insertable<StreamTable>) => db.insertInto('streams').values(stream))
