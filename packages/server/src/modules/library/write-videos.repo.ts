import type { Insertable, Updateable } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import { type Db, isForeignKeyViolation } from '../../platform/db/database.ts'
import type { VideoTable } from '../../platform/db/schema.ts'
import { addWithin, withUserLocked } from '../identity/user-lock.ts'
import { changeRoom, noteLessUsed, ownerOf, type RecordedOf, type RoomOf } from './low-room.ts'
import { writeEnd } from './video-facts.ts'
import type { VideoColumns } from './video-row.ts'

interface RoomDeps {
  readonly clock: Clock
  readonly roomOf: RoomOf
  readonly recordedOf: RecordedOf
}

interface MostImports {
  readonly waiting: number
  readonly videos: number
}

export type ImportRoom = 'free' | 'too-many-waiting' | 'too-many'

export const writeVideos = (db: Db, { clock, roomOf, recordedOf }: RoomDeps) => ({
  async insert(video: Insertable<VideoTable>): Promise<void> {
    await db.insertInto('videos').values(video).execute()
  },
  /** Its bytes were on their way and are a video's from now on: at no moment do they count twice, or not at all. */
  async insertArrived(video: Insertable<VideoTable>, reservationId: string): Promise<void> {
    await changeRoom(db, { userId: video.user_id, roomOf, recordedOf, clock }, async (inside) => {
      await inside.insertInto('videos').values(video).execute()
      await inside.deleteFrom('upload_reservations').where('id', '=', reservationId).execute()
    })
  },
  /** False when the video was deleted meanwhile. */
  async updateArrived(
    { id, user_id: userId }: Pick<VideoColumns, 'id' | 'user_id'>,
    change: Updateable<VideoTable>,
  ): Promise<boolean> {
    return changeRoom(db, { userId, roomOf, recordedOf, clock }, async (inside) => {
      const result = await inside.updateTable('videos').set(change).where('id', '=', id).executeTakeFirst()
      await inside.deleteFrom('upload_reservations').where('id', '=', id).execute()
      return result.numUpdatedRows > 0n
    })
  },
  importRoom: (userId: string, most: MostImports): Promise<ImportRoom> => importRoom(db, userId, most),
  /** How many wait and how many there are is counted where it is written, however many come at once. */
  insertImport(video: Insertable<VideoTable>, most: MostImports): Promise<ImportRoom> {
    return withUserLocked(db, video.user_id, async (locked) => {
      const room = await importRoom(locked, video.user_id, most)
      if (room === 'free') await locked.insertInto('videos').values(video).execute()
      return room
    })
  },
  /**
   * Begins again with a video that is as it was seen, and has an import wait in its list. 'changed': somebody else has begun, or it was
   * deleted. 'full': as many wait already.
   */
  async beginAgain(
    { id, user_id, status }: Pick<VideoColumns, 'id' | 'user_id' | 'status'>,
    change: Updateable<VideoTable>,
    mostWaiting: number | null,
  ): Promise<'begun' | 'changed' | 'full'> {
    let isBegun = false
    const begin = async (locked: Db) => {
      const asSeen = locked.updateTable('videos').set(change).where('id', '=', id).where('status', '=', status)
      isBegun = (await asSeen.executeTakeFirst()).numUpdatedRows > 0n
    }
    if (mostWaiting === null) await begin(db)
    else if (!(await addWithin(db, waitingImports(user_id, mostWaiting), begin))) return 'full'
    return isBegun ? 'begun' : 'changed'
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
   * False when it was gone already, or when somebody uses it. A use and a deletion may come at the same moment, and the database lets one
   * of them come first: the foreign key refuses a deletion that could not see the use yet.
   */
  async remove(id: string): Promise<boolean> {
    const owner = await ownerOf(db, id)
    if (owner === null) return false
    try {
      return await withUserLocked(db, owner, async (locked) => {
        const { numDeletedRows } = await locked
          .deleteFrom('videos')
          .where('id', '=', id)
          .where(({ not, exists, selectFrom }) =>
            not(exists(selectFrom('video_uses').select('used_by').where('video_id', '=', id))),
          )
          .executeTakeFirst()
        if (numDeletedRows > 0n) await noteLessUsed(locked, owner, recordedOf)
        return numDeletedRows > 0n
      })
    } catch (error) {
      if (isForeignKeyViolation(error)) return false
      throw error
    }
  },
})

async function importRoom(db: Db, userId: string, most: MostImports): Promise<ImportRoom> {
  if ((await waitingImports(userId, most.waiting).count(db)) >= most.waiting) return 'too-many-waiting'
  const all = await db
    .selectFrom('videos')
    .select((eb) => eb.fn.countAll<string | number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return Number(all?.count ?? 0) >= most.videos ? 'too-many' : 'free'
}

const waitingImports = (userId: string, most: number) => ({
  userId,
  most,
  async count(locked: Db): Promise<number> {
    const waiting = locked.selectFrom('videos').select('id').where('user_id', '=', userId)
    return (await waiting.where('status', '=', 'processing').where('step', '=', 'importing').execute()).length
  },
})

async function setColumns(db: Db, id: string, change: Updateable<VideoTable>): Promise<VideoColumns | null> {
  const row = await db.updateTable('videos').set(change).where('id', '=', id).returningAll().executeTakeFirst()
  return row ?? null
}
