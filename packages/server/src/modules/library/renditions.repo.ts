import { type Selectable, sql, type Updateable } from 'kysely'
import { type Clock, systemClock } from '../../platform/clock.ts'
import { type Db, isForeignKeyViolation } from '../../platform/db/database.ts'
import type { VideoTable } from '../../platform/db/schema.ts'
import type { RenditionTable } from '../../platform/db/tables/renditions.ts'
import { writeEnd } from './video-facts.ts'

export type RenditionRow = Selectable<RenditionTable>

/** One that is of no use any more, with what tells which of its files are its own. */
export interface StaleRendition extends Pick<RenditionRow, 'id' | 'video_id' | 'key' | 'thumbnail_key' | 'state'> {
  readonly original_key: string | null
}

export type RenditionsRepo = ReturnType<typeof createRenditionsRepo>

export function createRenditionsRepo(db: Db, clock: Clock = systemClock) {
  const stale = () =>
    db
      .selectFrom('renditions')
      .innerJoin('videos', 'videos.id', 'renditions.video_id')
      .select(['renditions.id', 'video_id', 'key', 'thumbnail_key', 'state', 'original_key'])
      .where('state', '<>', 'ready')

  return {
    /** Before its files are put into their places, so that whatever happens somebody knows of them. False: the video is gone. */
    async begin(rendition: Omit<RenditionRow, 'state'>): Promise<boolean> {
      try {
        await db
          .insertInto('renditions')
          .values({ ...rendition, state: 'preparing' })
          .execute()
        return true
      } catch (error) {
        if (isForeignKeyViolation(error)) return false
        throw error
      }
    },
    /**
     * It takes the place of the one before, in one step with what the video's row tells of it. False: the video is gone, or somebody took
     * this rendition for one that a crash had left.
     */
    async finish(
      { id, video_id, recipe, key, bytes, content_type, thumbnail_key }: Omit<RenditionRow, 'state'>,
      video: Updateable<VideoTable>,
    ): Promise<boolean> {
      return db.transaction().execute(async (transaction) => {
        const changed = await transaction
          .updateTable('videos')
          .set({ ...video, master_key: key, master_bytes: bytes, thumbnail_key, content_type })
          .where('id', '=', video_id)
          .where(
            sql<boolean>`exists (select 1 from renditions where renditions.id = ${id} and renditions.state = 'preparing')`,
          )
          .returningAll()
          .executeTakeFirst()
        if (!changed) return false
        await transaction
          .updateTable('renditions')
          .set({ state: 'replaced' })
          .where('video_id', '=', video_id)
          .where('recipe', '=', recipe)
          .where('state', '=', 'ready')
          .execute()
        const { numUpdatedRows: ready } = await transaction
          .updateTable('renditions')
          .set({ state: 'ready', thumbnail_key })
          .where('id', '=', id)
          .executeTakeFirst()
        // Rather none of it than a video without a master.
        if (ready === 0n) throw new Error('a rendition was removed while it became ready')
        await writeEnd(transaction, changed, clock.now())
        return true
      })
    },
    /**
     * The version before may have been at work since: it knows of one master, in the row of its video. What it has prepared is taken up,
     * and a master that it has replaced is gone.
     */
    async followOlderVersion(): Promise<void> {
      await sql`
        update renditions set key = (select master_key from videos where videos.id = video_id),
          bytes = (select master_bytes from videos where videos.id = video_id),
          content_type = (select videos.content_type from videos where videos.id = video_id),
          thumbnail_key = (select videos.thumbnail_key from videos where videos.id = video_id)
        where state = 'ready' and recipe = 'as-is' and exists (
          select 1 from videos where videos.id = video_id and master_key is not null and master_key <> key)`.execute(db)
      await sql`
        insert into renditions (id, video_id, recipe, key, bytes, content_type, thumbnail_key, state, created_at)
        select 'older-' || id, id, 'as-is', master_key, master_bytes, content_type, thumbnail_key, 'ready', created_at
        from videos where master_key is not null and not exists (
          select 1 from renditions where video_id = videos.id and recipe = 'as-is' and state = 'ready')
        on conflict do nothing`.execute(db)
    },
    async staleOf(videoId: string): Promise<StaleRendition[]> {
      return stale().where('video_id', '=', videoId).execute()
    },
    /** Those that were replaced, and those that were begun so long ago that nobody can be at them. */
    async staleOfAll(begunBefore: number): Promise<StaleRendition[]> {
      return stale()
        .where(({ or, eb }) => or([eb('state', '=', 'replaced'), eb('renditions.created_at', '<', begunBefore)]))
        .execute()
    },
    async remove(id: string): Promise<void> {
      await db.deleteFrom('renditions').where('id', '=', id).where('state', '<>', 'ready').execute()
    },
  }
}
