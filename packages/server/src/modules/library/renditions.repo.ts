import { type Selectable, sql, type Updateable } from 'kysely'
import { type Clock, systemClock } from '../../platform/clock.ts'
import { type Db, isForeignKeyViolation } from '../../platform/db/database.ts'
import type { VideoTable } from '../../platform/db/schema.ts'
import type { RenditionTable } from '../../platform/db/tables/renditions.ts'
import { followOlderVersion } from './follow-older-version.ts'
import { changeRoom, ownerOf, type RecordedOf, type RoomOf } from './low-room.ts'
import { writeEnd } from './video-facts.ts'

export type RenditionRow = Selectable<RenditionTable>

/** One that is of no use any more, with what tells which of its files are its own. */
export interface StaleRendition
  extends Pick<RenditionRow, 'id' | 'video_id' | 'recipe' | 'key' | 'tail_key' | 'thumbnail_key' | 'state'> {
  readonly original_key: string | null
}

export type RenditionsRepo = ReturnType<typeof createRenditionsRepo>

export function createRenditionsRepo(
  db: Db,
  clock: Clock = systemClock,
  roomOf: RoomOf = async () => null,
  recordedOf: RecordedOf = async () => 0,
) {
  const stale = () =>
    db
      .selectFrom('renditions')
      .innerJoin('videos', 'videos.id', 'renditions.video_id')
      .select([
        'renditions.id',
        'video_id',
        'recipe',
        'key',
        'tail_key',
        'renditions.thumbnail_key',
        'renditions.state',
        'original_key',
      ])
      .where('renditions.state', '<>', 'ready')

  /** Changes what room a video takes. */
  async function changing(videoId: string, change: (inside: Db) => Promise<boolean>): Promise<boolean> {
    const userId = await ownerOf(db, videoId)
    return userId !== null && changeRoom(db, { userId, roomOf, recordedOf, clock }, change)
  }

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
      return changing(video_id, async (transaction) => {
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
        await takePlace(transaction, { id, video_id, recipe }, { thumbnail_key })
        await writeEnd(transaction, changed, clock.now())
        return true
      })
    },
    finishOrdered: (rendition: OrderedRendition): Promise<boolean> =>
      changing(rendition.video_id, (inside) => finishOrdered(inside, rendition)),
    followOlderVersion: (): Promise<void> => followOlderVersion(db),
    /** Only those of one recipe: another one may just be on its way to its place. */
    async staleOf(videoId: string, recipe: string): Promise<StaleRendition[]> {
      return stale().where('video_id', '=', videoId).where('recipe', '=', recipe).execute()
    },
    /** Those that were replaced, and those that were begun so long ago that nobody can be at them. */
    async staleOfAll(begunBefore: number): Promise<StaleRendition[]> {
      return stale()
        .where(({ or, eb }) =>
          or([eb('renditions.state', '=', 'replaced'), eb('renditions.created_at', '<', begunBefore)]),
        )
        .execute()
    },
    async remove(id: string): Promise<void> {
      await db.deleteFrom('renditions').where('id', '=', id).where('state', '<>', 'ready').execute()
    },
  }
}

type OrderedRendition = Pick<RenditionRow, 'id' | 'video_id' | 'recipe'>

/**
 * As `finish`, for one that was ordered. False: the order was taken back or the video is gone, or somebody took this rendition for one that
 * a crash had left.
 */
async function finishOrdered(transaction: Db, { id, video_id, recipe }: OrderedRendition): Promise<boolean> {
  const { numDeletedRows: ordered } = await transaction
    .deleteFrom('rendition_orders')
    .where('video_id', '=', video_id)
    .where('recipe', '=', recipe)
    .executeTakeFirst()
  if (ordered === 0n) return false
  await takePlace(transaction, { id, video_id, recipe })
  return true
}

/** Ready from here on; the one of its recipe that was is replaced. */
async function takePlace(
  inside: Db,
  { id, video_id, recipe }: OrderedRendition,
  change: Updateable<RenditionTable> = {},
): Promise<void> {
  await inside
    .updateTable('renditions')
    .set({ state: 'replaced' })
    .where('video_id', '=', video_id)
    .where('recipe', '=', recipe)
    .where('state', '=', 'ready')
    .execute()
  const { numUpdatedRows: ready } = await inside
    .updateTable('renditions')
    .set({ ...change, state: 'ready' })
    .where('id', '=', id)
    .executeTakeFirst()
  // Rather nothing at all: a video keeps its master, and an order is carried out anew.
  if (ready === 0n) throw new Error('a rendition was removed while it became ready')
}
