import { sql } from 'kysely'
import { atomically, type Db } from '../../../platform/db/database.ts'
import { beginOf, numberAt, recordingIdOf } from '../recording-ids.ts'

/** What is recorded. */
export interface RecordedBroadcast {
  readonly broadcastId: string
  readonly userId: string
  readonly title: string | null
  readonly source: string
}

export interface CurrentRecording {
  readonly id: string
  /** It takes nothing more: it was ended before its broadcast, or somebody deletes it. */
  readonly isClosed: boolean
}

export interface NewFile {
  readonly recordingId: string
  readonly userId: string
  readonly session: string
  readonly at: number
  readonly ms: number
  readonly bytes: number
}

export type RecordingFilesRepo = ReturnType<typeof createRecordingFilesRepo>

export function createRecordingFilesRepo(db: Db) {
  return {
    /** The one that a moment belongs to; begun where nobody has begun it yet. */
    async recordingAt(broadcast: RecordedBroadcast, at: number): Promise<CurrentRecording> {
      const { broadcastId: broadcast_id, userId: user_id, title, source } = broadcast
      const known = db
        .selectFrom('recordings')
        .select(['number', 'from_at', 'ended_why', 'removing_at'])
        .where('broadcast_id', '=', broadcast_id)
      const first = await known.orderBy('number').limit(1).executeTakeFirst()
      const firstAt = first ? beginOf(first.from_at, 2 - first.number) : at
      const number = numberAt(firstAt, at)
      const id = recordingIdOf(broadcast_id, number)
      const isOther = first && first.number !== number
      const row = isOther ? await known.where('number', '=', number).executeTakeFirst() : first
      if (row) return { id, isClosed: row.ended_why !== null || row.removing_at !== null }
      await db
        .insertInto('recordings')
        .values({
          ...{ id, user_id, broadcast_id, number, title, source, online: 1 },
          ...{ from_at: beginOf(firstAt, number), created_at: at },
        })
        .onConflict((conflict) => conflict.columns(['broadcast_id', 'number']).doNothing())
        .execute()
      return { id, isClosed: false }
    },

    /**
     * Writes a piece down and answers its key. A piece that is written down already keeps its place: after a crash it is taken again.
     * The file follows; see the collector.
     */
    async add({ recordingId, userId, ...piece }: NewFile): Promise<string> {
      return atomically(db, async (inside) => {
        const known = await inside
          .selectFrom('recording_files')
          .select('key')
          .where('recording_id', '=', recordingId)
          .where('session', '=', piece.session)
          .where('at', '=', piece.at)
          .executeTakeFirst()
        if (known) return known.key
        const last = await inside
          .selectFrom('recording_files')
          .select('number')
          .where('recording_id', '=', recordingId)
          .orderBy('number', 'desc')
          .limit(1)
          .executeTakeFirst()
        const number = (last?.number ?? 0) + 1
        const key = `${userId}/${recordingId}/${number}.ts`
        await inside
          .insertInto('recording_files')
          .values({ recording_id: recordingId, number, key, ...piece })
          .execute()
        await inside
          .updateTable('recordings')
          .set({ ms: sql<number>`ms + ${piece.ms}`, bytes: sql<number>`bytes + ${piece.bytes}` })
          .where('id', '=', recordingId)
          .execute()
        return key
      })
    },
  }
}
