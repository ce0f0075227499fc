import { type Selectable, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { deleteDeep, readSchema } from '../../platform/db/delete-deep.ts'
import type { RecordingFileTable, RecordingTable } from '../../platform/db/tables/recordings.ts'
import { writeFacts } from '../../platform/outbox/facts.ts'
import { videoUses } from '../library/video-uses.repo.ts'
import { keepParts } from './lines.repo.ts'
import type { Part } from './parts.ts'
import { recordingIdOf } from './recording-ids.ts'
import type { Sent, SentBroadcast } from './sent.ts'

export type RecordingRow = Selectable<RecordingTable>
export type RecordingFile = Selectable<RecordingFileTable>

/** What one was when it ended. */
export interface RecordingEnd {
  readonly toAt: number
  readonly why: string | null
  readonly ms: number
  readonly bytes: number
  readonly interruptions: number
  readonly keptUntil: number
  readonly videoIds: readonly string[]
  readonly parts: readonly Part[]
  /** The next one begins there. */
  readonly goesOn: boolean
}

export interface PageStart {
  readonly fromAt: number
  readonly id: string
}

export type RecordingsRepo = ReturnType<typeof createRecordingsRepo>

export const nameOf = ({ title, source }: Pick<RecordingRow, 'title' | 'source'>): string => title || source

const PIECES_AT_ONCE = 200

const usedBy = (id: string): string => `recording:${id}`

export function createRecordingsRepo(db: Db, sent: Sent) {
  return {
    ...reads(db),
    /** Through `inside`. One that there is already stays as it is. */
    begin,
    hasAny,
    /** Keeps its videos from being deleted. One that is gone meanwhile cannot be kept. */
    keepVideos: (row: RecordingRow, videoIds: readonly string[]): Promise<void> =>
      db.transaction().execute((inside) => keepVideos(inside, row, videoIds)),

    /** False: somebody else has ended it. One of nothing leaves no row. */
    async end(row: RecordingRow, end: RecordingEnd): Promise<boolean> {
      return db.transaction().execute(async (inside) => {
        const ended = await inside
          .updateTable('recordings')
          .set({ to_at: end.toAt, ended_why: end.why, ms: end.ms, bytes: end.bytes })
          .set({ interruptions: end.interruptions, kept_until: end.keptUntil })
          .where('id', '=', row.id)
          .where('to_at', 'is', null)
          .returning('id')
          .executeTakeFirst()
        if (!ended) return false
        if (end.goesOn) await beginNext(inside, row, end.toAt)
        if (end.ms > 0) {
          await keepVideos(inside, row, end.videoIds)
          await keepParts(inside, row.id, end.parts)
          const payload = {
            ...{ streamId: row.broadcast_id, title: nameOf(row) },
            ...{ durationMs: Math.round(end.ms), sizeBytes: end.bytes },
          }
          await writeFacts(inside, subjectOf(row), [{ at: end.toAt, fact: 'recording.ready', payload }])
        } else await removeRows(inside, row, sent)
        // From here on each recording keeps its own.
        if (!end.goesOn) await sent(inside).releaseVideos(row.broadcast_id)
        return true
      })
    },

    /** From here on nobody sees it; its files go first. False: it is being made, or somebody removes it already. */
    async beginRemoval(id: string, now: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('recordings')
        .set({ removing_at: now })
        .where('id', '=', id)
        .where('to_at', 'is not', null)
        .where('removing_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
    removeRows: (row: RecordingRow): Promise<void> =>
      db.transaction().execute((inside) => removeRows(inside, row, sent)),
    /** Before its rows, a few at a time: there may be hundreds of thousands. */
    async dropPieces(row: RecordingRow, next: () => Promise<void>): Promise<void> {
      const needless = await needlessPieces(db, row, sent)
      if (!needless) return
      do await next()
      while ((await sent(db).dropSome(row.broadcast_id, needless.beforeAt, PIECES_AT_ONCE)) === PIECES_AT_ONCE)
    },

    async setPicture(id: string, key: string): Promise<void> {
      await db.updateTable('recordings').set({ picture_key: key }).where('id', '=', id).execute()
    },

    /** All that an account has, without what lies in the storage. In small batches; what is left after a crash goes with the next try. */
    async removeAllOf(userId: string): Promise<void> {
      await videoUses(db).forgetRecordings(userId)
      await deleteDeep(db, await readSchema(db), { table: 'recordings', where: sql`user_id = ${userId}` })
      await sent(db).dropPiecesOf(userId)
    },
  }
}

const reads = (db: Db) => ({
  /** Newest first. */
  async page(
    userId: string,
    { after, limit, broadcastId }: { after: PageStart | null; limit: number; broadcastId: string | null },
  ): Promise<RecordingRow[]> {
    return db
      .selectFrom('recordings')
      .selectAll()
      .where('user_id', '=', userId)
      .where('removing_at', 'is', null)
      .$if(broadcastId !== null, (query) => query.where('broadcast_id', '=', broadcastId ?? ''))
      .$if(after !== null, (query) =>
        query.where(sql<boolean>`(from_at, id) < (${after?.fromAt ?? 0}, ${after?.id ?? ''})`),
      )
      .orderBy('from_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
  },
  async byId(userId: string, id: string): Promise<RecordingRow | null> {
    const row = await db
      .selectFrom('recordings')
      .selectAll()
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .where('removing_at', 'is', null)
      .executeTakeFirst()
    return row ?? null
  },
  /** Those that are being made. */
  async open(): Promise<RecordingRow[]> {
    // Spelled out: the index of open ones serves.
    return db.selectFrom('recordings').selectAll().where(sql<boolean>`to_at is null`).orderBy('from_at').execute()
  },
  async openById(id: string): Promise<RecordingRow | null> {
    const row = await db
      .selectFrom('recordings')
      .selectAll()
      .where('id', '=', id)
      .where('to_at', 'is', null)
      .executeTakeFirst()
    return row ?? null
  },
  /** Ended ones of loops and playlists, in pages. */
  async endedAfter(id: string, limit: number): Promise<RecordingRow[]> {
    return db
      .selectFrom('recordings')
      .selectAll()
      .where('id', '>', id)
      .where('online', '=', 0)
      .where('to_at', 'is not', null)
      .orderBy('id')
      .limit(limit)
      .execute()
  },
  /** Those among them that keep a video. */
  async keeping(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const kept = await videoUses(db).usersAmong(ids.map(usedBy))
    return new Set(ids.filter((id) => kept.has(usedBy(id))))
  },
  /** The next files of an online source. */
  async filesAfter(id: string, number: number, limit: number): Promise<RecordingFile[]> {
    return db
      .selectFrom('recording_files')
      .selectAll()
      .where('recording_id', '=', id)
      .where('number', '>', number)
      .orderBy('number')
      .limit(limit)
      .execute()
  },
  async fileOf(id: string, number: number): Promise<RecordingFile | null> {
    const row = await db
      .selectFrom('recording_files')
      .selectAll()
      .where('recording_id', '=', id)
      .orderBy('number')
      .offset(number)
      .limit(1)
      .executeTakeFirst()
    return row ?? null
  },
  async idsOf(userId: string): Promise<string[]> {
    const rows = await db.selectFrom('recordings').select('id').where('user_id', '=', userId).execute()
    return rows.map(({ id }) => id)
  },
})

/** What the recordings of online sources take of their owner's room. */
export async function recordedBytes(db: Db, userId: string): Promise<number> {
  const row = await db
    .selectFrom('recordings')
    .select(sql<string | number | null>`sum(bytes)`.as('bytes'))
    .where('user_id', '=', userId)
    .where('online', '=', 1)
    .executeTakeFirst()
  return Number(row?.bytes ?? 0)
}

export const subjectOf = ({ id, user_id }: Pick<RecordingRow, 'id' | 'user_id'>) =>
  ({ kind: 'recording', id, userId: user_id }) as const

type BegunRecording = Pick<SentBroadcast, 'id' | 'userId' | 'title' | 'source' | 'isOnline'>

/** The first of a broadcast, unless there is one. */
async function begin(inside: Db, broadcast: BegunRecording, at: number): Promise<void> {
  if (!(await hasAny(inside, broadcast.id))) await insert(inside, broadcast, 1, at)
}

async function hasAny(inside: Db, broadcastId: string): Promise<boolean> {
  const known = inside.selectFrom('recordings').select('id').where('broadcast_id', '=', broadcastId).limit(1)
  return (await known.executeTakeFirst()) !== undefined
}

const beginNext = (inside: Db, row: RecordingRow, at: number): Promise<void> =>
  insert(
    inside,
    { id: row.broadcast_id, userId: row.user_id, title: row.title, source: row.source, isOnline: row.online === 1 },
    row.number + 1,
    at,
  )

async function insert(inside: Db, broadcast: BegunRecording, number: number, at: number): Promise<void> {
  const { id: broadcast_id, userId: user_id, title, source, isOnline } = broadcast
  await inside
    .insertInto('recordings')
    .values({
      ...{ id: recordingIdOf(broadcast_id, number), user_id, broadcast_id, number, title, source },
      ...{ online: isOnline ? 1 : 0, from_at: at, created_at: at },
      ...{ to_at: null, ended_why: null, kept_until: null, told_at: null, checked_at: null },
      ...{ removing_at: null, picture_key: null },
    })
    .onConflict((conflict) => conflict.columns(['broadcast_id', 'number']).doNothing())
    .execute()
}

async function keepVideos(inside: Db, row: RecordingRow, videoIds: readonly string[]): Promise<void> {
  const uses = videoUses(inside)
  const there = await uses.filenames(videoIds)
  await uses.replace(usedBy(row.id), row.user_id, [...there.keys()])
}

/** With what was sent in its time, as far as no other recording of its broadcast needs it. */
async function removeRows(inside: Db, row: RecordingRow, sent: Sent): Promise<void> {
  const { id, user_id } = row
  await videoUses(inside).replace(usedBy(id), user_id, [])
  await inside.deleteFrom('recording_files').where('recording_id', '=', id).execute()
  await inside.deleteFrom('recordings').where('id', '=', id).execute()
  const needless = await needlessPieces(inside, row, sent)
  if (needless) await sent(inside).dropPieces(row.broadcast_id, needless.beforeAt)
}

/** What of a broadcast no recording but this one is played from: all that was over by then, or all of it. Null: nothing. */
async function needlessPieces(
  db: Db,
  { id, broadcast_id }: RecordingRow,
  sent: Sent,
): Promise<{ beforeAt: number | null } | null> {
  const others = await db
    .selectFrom('recordings')
    .select(({ fn }) => fn.min('from_at').as('from'))
    .where('broadcast_id', '=', broadcast_id)
    .where('id', '!=', id)
    .executeTakeFirst()
  if (others?.from != null) return { beforeAt: Number(others.from) }
  const broadcast = await sent(db).broadcastOf(broadcast_id)
  return !broadcast || broadcast.endedAt !== null ? { beforeAt: null } : null
}
