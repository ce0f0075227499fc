import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { type Clock, systemClock } from '../../platform/clock.ts'
import { type Db, isForeignKeyViolation } from '../../platform/db/database.ts'
import type { VideoTable } from '../../platform/db/schema.ts'
import { withUserLocked } from '../identity/user-lock.ts'
import { type Lane, laneOf } from './lanes.ts'
import { writeEnd } from './video-facts.ts'

/** Without what only the version before reads. */
export type VideoColumns = Omit<Selectable<VideoTable>, 'master_key' | 'master_bytes' | 'thumbnail_key'>

/** The rendition that is played and broadcast. */
interface Master {
  readonly key: string
  /** Beside the original; 0 where it is the original itself. */
  readonly bytes: number
  readonly contentType: string
  readonly thumbnailKey: string | null
}

/** `master`: null until it has been prepared for the first time. */
export type VideoRow = VideoColumns & { readonly master: Master | null }

import { videoUses } from './video-uses.repo.ts'

/** Where all files of a video lie. */
export const folderOf = ({ user_id, id }: Pick<VideoRow, 'user_id' | 'id'>): string => `${user_id}/${id}/`

export type LibraryRepo = ReturnType<typeof createLibraryRepo>

/** Of one video, beside its original. */
const masterBytes = sql<
  string | number
>`coalesce((select sum(bytes) from renditions where renditions.video_id = videos.id and state = 'ready'), 0)`

/** What videos take of their owner's room: each once, by its larger file. */
export const roomBytes = sql<
  string | number | null
>`sum(case when ${masterBytes} > original_bytes then ${masterBytes} else original_bytes end)`

/** What videos take of the disk: originals and masters. */
export const diskBytes = sql<string | number>`coalesce(sum(original_bytes + ${masterBytes}), 0)`

export function createLibraryRepo(db: Db, clock: Clock = systemClock) {
  const videos = () =>
    db
      .selectFrom('videos')
      .leftJoin('renditions as master', (join) =>
        join
          .onRef('master.video_id', '=', 'videos.id')
          .on('master.recipe', '=', 'as-is')
          .on('master.state', '=', 'ready'),
      )
      .selectAll('videos')
      .select(['master.key as of_key', 'master.bytes as of_bytes'])
      .select(['master.content_type as of_content_type', 'master.thumbnail_key as of_thumbnail_key'])

  const processingOf = (userId: string) =>
    videos()
      .where('user_id', '=', userId)
      .where('status', '=', 'processing')
      .orderBy('videos.created_at')
      .orderBy('videos.id')

  return {
    async insert(video: Insertable<VideoTable>): Promise<void> {
      await db.insertInto('videos').values(video).execute()
    },
    /** Its bytes were on their way and are a video's from now on: at no moment do they count twice, or not at all. */
    async insertArrived(video: Insertable<VideoTable>, reservationId: string): Promise<void> {
      await db.transaction().execute(async (transaction) => {
        await transaction.insertInto('videos').values(video).execute()
        await transaction.deleteFrom('upload_reservations').where('id', '=', reservationId).execute()
      })
    },
    /** False when the video was deleted meanwhile. */
    async updateArrived(id: string, change: Updateable<VideoTable>): Promise<boolean> {
      return db.transaction().execute(async (transaction) => {
        const result = await transaction.updateTable('videos').set(change).where('id', '=', id).executeTakeFirst()
        await transaction.deleteFrom('upload_reservations').where('id', '=', id).execute()
        return result.numUpdatedRows > 0n
      })
    },
    /** False: as many wait already. */
    async insertImport(video: Insertable<VideoTable>, mostWaiting: number): Promise<boolean> {
      return withUserLocked(db, video.user_id, async (locked) => {
        const row = await locked
          .selectFrom('videos')
          .select((eb) => eb.fn.countAll<string | number>().as('count'))
          .where('user_id', '=', video.user_id)
          .where('status', '=', 'processing')
          .where('step', '=', 'importing')
          .executeTakeFirst()
        if (Number(row?.count ?? 0) >= mostWaiting) return false
        await locked.insertInto('videos').values(video).execute()
        return true
      })
    },
    /** False when the video was deleted meanwhile. */
    async update(id: string, change: Updateable<VideoTable>): Promise<boolean> {
      if (change.status !== 'ready' && change.status !== 'failed') return (await setColumns(db, id, change)) !== null
      return db.transaction().execute(async (transaction) => {
        const video = await setColumns(transaction, id, change)
        if (video) await writeEnd(transaction, video, clock.now())
        return video !== null
      })
    },
    /**
     * False when it was gone already, or when somebody uses it. Of a use and a deletion at the same moment one comes first: a use that
     * could not be seen yet is what the foreign key is for.
     */
    async remove(id: string): Promise<boolean> {
      try {
        const { numDeletedRows } = await db
          .deleteFrom('videos')
          .where('id', '=', id)
          .where(({ not, exists, selectFrom }) =>
            not(exists(selectFrom('video_uses').select('used_by').where('video_id', '=', id))),
          )
          .executeTakeFirst()
        return numDeletedRows > 0n
      } catch (error) {
        if (isForeignKeyViolation(error)) return false
        throw error
      }
    },
    isUsed: videoUses(db).isUsed,
    async byId(id: string): Promise<VideoRow | null> {
      const row = await videos().where('videos.id', '=', id).executeTakeFirst()
      return row ? toVideoRow(row) : null
    },
    async byFilename(workspaceId: string, filename: string): Promise<VideoRow | null> {
      const row = await videos().where('user_id', '=', workspaceId).where('filename', '=', filename).executeTakeFirst()
      return row ? toVideoRow(row) : null
    },
    async ofUser(userId: string): Promise<VideoRow[]> {
      const rows = await videos()
        .where('user_id', '=', userId)
        .orderBy('videos.created_at', 'desc')
        .orderBy('videos.id', 'desc')
        .execute()
      return rows.map(toVideoRow)
    },
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
    async filenamesOf(userId: string): Promise<Set<string>> {
      const rows = await db.selectFrom('videos').select('filename').where('user_id', '=', userId).execute()
      return new Set(rows.map((row) => row.filename))
    },
    /** What was made of a video does not count beside it, unless it is larger: its owner sees one video. */
    async usedBytes(userId: string): Promise<number> {
      const row = await db
        .selectFrom('videos')
        .select(roomBytes.as('bytes'))
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return Number(row?.bytes ?? 0)
    },
    /** What is still to be prepared, oldest first. */
    async preparationsOf(userId: string, lane: Lane): Promise<VideoRow[]> {
      const rows = await processingOf(userId).where('step', 'is distinct from', 'importing').execute()
      return rows.map(toVideoRow).filter((row) => laneOf(row) === lane)
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
    async unfinished(before: number): Promise<VideoRow[]> {
      const rows = await videos()
        .where('status', '=', 'processing')
        .where('videos.created_at', '<=', before)
        .orderBy('videos.created_at')
        .execute()
      return rows.map(toVideoRow)
    },
  }
}

type JoinedRow = VideoColumns & {
  readonly of_key: string | null
  readonly of_bytes: number | null
  readonly of_content_type: string | null
  readonly of_thumbnail_key: string | null
}

function toVideoRow({ of_key: key, of_bytes, of_content_type, of_thumbnail_key, ...columns }: JoinedRow): VideoRow {
  const facts = { bytes: of_bytes ?? 0, contentType: of_content_type ?? '', thumbnailKey: of_thumbnail_key }
  return { ...columns, master: key === null ? null : { key, ...facts } }
}

async function setColumns(db: Db, id: string, change: Updateable<VideoTable>): Promise<VideoColumns | null> {
  const row = await db.updateTable('videos').set(change).where('id', '=', id).returningAll().executeTakeFirst()
  return row ?? null
}
