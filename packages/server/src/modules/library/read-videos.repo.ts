import { parseLoopList } from '@siarin/media/loop-list'
import { sql } from 'kysely'
import { compileOnce } from '../../platform/db/compile-once.ts'
import type { Db } from '../../platform/db/database.ts'
import type { JobKind } from '../../platform/queue/queue.ts'
import { jobOf, type Lane, laneOf } from './lanes.ts'
import type { RecordedOf } from './low-room.ts'
import { roomBytes } from './video-bytes.ts'
import type { VideoColumns, VideoRow } from './video-row.ts'

/** Spelled out, not a parameter: only then does the index of these videos serve, however many are ready. */
const isProcessing = sql<boolean>`status = 'processing'`

/** Also spelled out. With parameters SQLite would plan the query anew each time, which takes ten times as long as its answer. */
const isMaster = sql<boolean>`master.recipe = 'as-is' and master.state = 'ready'`

/** As `laneOf` reads it. */
const isInLane = { quick: sql<boolean>`lane is distinct from 'long'`, long: sql<boolean>`lane = 'long'` }

/** Behind which video a page begins. */
export interface VideoPlace {
  readonly createdAt: number
  readonly id: string
}

/** For pages that begin with the oldest. */
export const BEFORE_ALL: VideoPlace = { createdAt: 0, id: '' }

const isYounger = ({ createdAt, id }: VideoPlace) =>
  sql<boolean>`(videos.created_at, videos.id) > (${createdAt}, ${id})`

const OUTLINE = ['id', 'filename', 'status', 'duration_ms', 'width', 'height', 'fps'] as const

/** What a list says of its videos. It may have 500 of them, whose whole rows take milliseconds. */
export type VideoOutline = Pick<VideoColumns, (typeof OUTLINE)[number]>

/** Whole rows, each with its master. */
export function readVideos(db: Db) {
  // Every start of a broadcast asks these.
  const findById = compileOnce(db, (id: string) => selectVideos(db).where('videos.id', '=', id))
  const findByFilename = compileOnce(db, (workspaceId: string, filename: string) =>
    selectVideos(db).where('user_id', '=', workspaceId).where('filename', '=', filename),
  )

  return {
    async byId(id: string): Promise<VideoRow | null> {
      const [row] = await findById(id)
      return row ? toVideoRow(row) : null
    },
    async byFilename(workspaceId: string, filename: string): Promise<VideoRow | null> {
      const [row] = await findByFilename(workspaceId, filename)
      return row ? toVideoRow(row) : null
    },
    /** Newest first, from behind a place on. */
    async pageOf(userId: string, behind: VideoPlace | null, most: number): Promise<VideoRow[]> {
      let own = selectVideos(db).where('user_id', '=', userId)
      if (behind) {
        const { createdAt, id } = behind
        own = own.where((eb) =>
          eb.or([
            eb('videos.created_at', '<', createdAt),
            eb('videos.created_at', '=', createdAt).and('videos.id', '<', id),
          ]),
        )
      }
      const rows = await own.orderBy('videos.created_at', 'desc').orderBy('videos.id', 'desc').limit(most).execute()
      return rows.map(toVideoRow)
    },
    async byIds(ids: readonly string[]): Promise<VideoRow[]> {
      if (ids.length === 0) return []
      return (await selectVideos(db).where('videos.id', 'in', ids).execute()).map(toVideoRow)
    },
    async outlinesOf(ids: readonly string[]): Promise<VideoOutline[]> {
      if (ids.length === 0) return []
      return db.selectFrom('videos').select(OUTLINE).where('id', 'in', ids).execute()
    },
    async outlinesNamed(workspaceId: string, filenames: readonly string[]): Promise<VideoOutline[]> {
      if (filenames.length === 0) return []
      return db
        .selectFrom('videos')
        .select(OUTLINE)
        .where('user_id', '=', workspaceId)
        .where('filename', 'in', [...new Set(filenames)])
        .execute()
    },
  }
}

/** What is still to be fetched or prepared. */
export function readWaitingVideos(db: Db) {
  const processingOf = (userId: string) =>
    selectVideos(db)
      .where('user_id', '=', userId)
      .where('status', '=', 'processing')
      .orderBy('videos.created_at')
      .orderBy('videos.id')

  return {
    /** What is still to be prepared, oldest first, from behind a place on. */
    async preparationsOf(
      { userId, lane }: { userId: string; lane: Lane },
      behind: VideoPlace,
      most: number,
    ): Promise<VideoRow[]> {
      const rows = await processingOf(userId)
        .where('step', 'is distinct from', 'importing')
        .where(isInLane[lane])
        .where(isYounger(behind))
        .limit(most)
        .execute()
      return rows.map(toVideoRow)
    },
    /** What is still to be fetched, oldest first. */
    async importsOf(userId: string, limit: number): Promise<VideoRow[]> {
      const rows = await processingOf(userId)
        .where('step', '=', 'importing')
        .where('import_url_sealed', 'is not', null)
        .limit(limit)
        .execute()
      return rows.map(toVideoRow)
    },
    /** What is being prepared or waits for it, of all users, oldest first. */
    async preparations(limit: number) {
      return db
        .selectFrom('videos')
        .select(['id', 'user_id', 'created_at', 'lane', 'progress', 'seconds_left', 'original_bytes'])
        .select(['duration_ms', 'width', 'height', 'fps', 'video_codec'])
        .where(isProcessing)
        .where('step', 'is distinct from', 'importing')
        .orderBy('created_at')
        .limit(limit)
        .execute()
    },
    /** What has arrived and is not ready, of all users, oldest first, from behind a place on. */
    async unfinished(before: number, behind: VideoPlace, most: number): Promise<VideoPlace[]> {
      return db
        .selectFrom('videos')
        .select(['id', 'created_at as createdAt'])
        .where(isProcessing)
        .where('step', 'is distinct from', 'importing')
        .where('created_at', '<=', before)
        .where(isYounger(behind))
        .orderBy('created_at')
        .orderBy('id')
        .limit(most)
        .execute()
    },
    /** Whose videos wait for which job, oldest first: a few rows for each owner, however many videos there are. */
    async waitingJobs(before: number): Promise<{ userId: string; kind: JobKind }[]> {
      const rows = await db
        .selectFrom('videos')
        .select(['user_id', 'step', 'lane'])
        .where(isProcessing)
        .where('created_at', '<=', before)
        .groupBy(['user_id', 'step', 'lane'])
        .orderBy(({ fn }) => fn.min('created_at'))
        .execute()
      return rows.map((row) => ({
        userId: row.user_id,
        kind: row.step === 'importing' ? 'import-video' : jobOf(laneOf(row)),
      }))
    },
  }
}

/** Names, owners and sums, without the rows. */
export const summarizeVideos = (db: Db, recordedOf: RecordedOf) => ({
  /** When the newest of all videos was written down; 0: there is none. */
  async newestAt(): Promise<number> {
    const row = await db
      .selectFrom('videos')
      .select(({ fn }) => fn.max('created_at').as('at'))
      .executeTakeFirst()
    return Number(row?.at ?? 0)
  },
  async idsOf(userId: string): Promise<Set<string>> {
    const rows = await db.selectFrom('videos').select('id').where('user_id', '=', userId).execute()
    return new Set(rows.map((row) => row.id))
  },
  /** Everybody who has videos. */
  async owners(): Promise<string[]> {
    const rows = await db.selectFrom('videos').select('user_id').distinct().execute()
    return rows.map((row) => row.user_id)
  },
  /** Which of these names the user has already. */
  async filenamesAmong(userId: string, names: readonly string[]): Promise<Set<string>> {
    const own = db.selectFrom('videos').select('filename').where('user_id', '=', userId)
    const rows = await own.where('filename', 'in', names).execute()
    return new Set(rows.map((row) => row.filename))
  },
  /** What was made of a video does not count beside it, unless it is larger: its owner sees one video. With what was recorded. */
  async usedBytes(userId: string): Promise<number> {
    const row = await db
      .selectFrom('videos')
      .select(roomBytes.as('bytes'))
      .where('user_id', '=', userId)
      .executeTakeFirst()
    return Number(row?.bytes ?? 0) + (await recordedOf(db, userId))
  },
})

const selectVideos = (db: Db) =>
  db
    .selectFrom('videos')
    .leftJoin('renditions as master', (join) => join.onRef('master.video_id', '=', 'videos.id').on(isMaster))
    .selectAll('videos')
    .select(['master.key as of_key', 'master.bytes as of_bytes'])
    .select(['master.content_type as of_content_type', 'master.thumbnail_key as of_thumbnail_key'])
    .select(['master.loop as of_loop', 'master.tail_key as of_tail_key'])

type JoinedRow = VideoColumns & {
  readonly of_key: string | null
  readonly of_bytes: number | null
  readonly of_content_type: string | null
  readonly of_thumbnail_key: string | null
  readonly of_loop: string | null
  readonly of_tail_key: string | null
}

function toVideoRow(row: JoinedRow): VideoRow {
  const { of_key: key, of_bytes, of_content_type, of_thumbnail_key, of_loop, of_tail_key, ...columns } = row
  if (key === null) return { ...columns, master: null }
  const master = {
    key,
    bytes: of_bytes ?? 0,
    contentType: of_content_type ?? '',
    loop: parseLoopList(of_loop),
    tailKey: of_tail_key,
    thumbnailKey: of_thumbnail_key,
  }
  return { ...columns, master }
}
