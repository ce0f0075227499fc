import { AS_IS, parseRecipe } from '@siarin/contracts/recipes'
import { RENDITIONS_MAX } from '@siarin/contracts/rendition-texts'
import { type Selectable, sql, type Updateable } from 'kysely'
import { type Db, isForeignKeyViolation } from '../../platform/db/database.ts'
import type { RenditionOrderTable } from '../../platform/db/tables/renditions.ts'
import { addWithin, withUserLocked } from '../identity/user-lock.ts'
import { noteLessUsed, ownerOf, type RecordedOf } from './low-room.ts'
import { madeBytes } from './video-bytes.ts'

export type OrderRow = Selectable<RenditionOrderTable>
export type OrderKey = Pick<OrderRow, 'video_id' | 'recipe'>

/** A rendition that is ready. */
export interface MadeRendition extends OrderKey {
  readonly key: string
  readonly bytes: number
  readonly content_type: string
}

export type RenditionOrdersRepo = ReturnType<typeof createRenditionOrdersRepo>

const IDS_AT_ONCE = 500

/** What is to be made of videos besides their masters, and what has been made of them. */
export const createRenditionOrdersRepo = (db: Db, recordedOf: RecordedOf = async () => 0) => ({
  ...writes(db, recordedOf),
  ...openOrders(db),
  ...readyOnes(db),
})

const writes = (db: Db, recordedOf: RecordedOf) => ({
  /** Each recipe of a video is made once, but where it is wanted `anew`: what waits goes on waiting, what failed is tried again. */
  async place(
    { video_id, recipe }: OrderKey,
    now: number,
    { anew: isAnew = false } = {},
  ): Promise<'placed' | 'ready' | 'too-many' | 'gone'> {
    const owner = await ownerOf(db, video_id)
    if (owner === null) return 'gone'
    const othersOf = async (inside: Db) => {
      const { made, orders } = await ofVideos(inside, [video_id])
      return [...made, ...orders].filter((one) => one.recipe !== recipe).length
    }
    if (!isAnew && (await readyOnes(db).ready({ video_id, recipe }))) return 'ready'
    const anew = { state: 'waiting', progress: null, seconds_left: null, reason: null, created_at: now } as const
    try {
      const isPlaced = await addWithin(db, { userId: owner, most: RENDITIONS_MAX, count: othersOf }, (locked) =>
        locked
          .insertInto('rendition_orders')
          .values({ video_id, recipe, ...anew })
          .onConflict((conflict) =>
            conflict.columns(['video_id', 'recipe']).doUpdateSet(anew).where('rendition_orders.state', '=', 'failed'),
          )
          .execute(),
      )
      return isPlaced ? 'placed' : 'too-many'
    } catch (error) {
      if (isForeignKeyViolation(error)) return 'gone'
      throw error
    }
  },
  async update({ video_id, recipe }: OrderKey, change: Updateable<RenditionOrderTable>): Promise<void> {
    await db
      .updateTable('rendition_orders')
      .set(change)
      .where('video_id', '=', video_id)
      .where('recipe', '=', recipe)
      .execute()
  },
  /** False: there was none. */
  async remove({ video_id, recipe }: OrderKey): Promise<boolean> {
    const { numDeletedRows } = await db
      .deleteFrom('rendition_orders')
      .where('video_id', '=', video_id)
      .where('recipe', '=', recipe)
      .executeTakeFirst()
    return numDeletedRows > 0n
  },
  /** Its files go once nobody plays it any more. False: there is none. */
  async retire({ video_id, recipe }: OrderKey): Promise<boolean> {
    const owner = await ownerOf(db, video_id)
    if (owner === null) return false
    return withUserLocked(db, owner, async (locked) => {
      const { numUpdatedRows } = await locked
        .updateTable('renditions')
        .set({ state: 'replaced' })
        .where('video_id', '=', video_id)
        .where('recipe', '=', recipe)
        .where('recipe', '<>', AS_IS)
        .where('state', '=', 'ready')
        .executeTakeFirst()
      if (numUpdatedRows > 0n) await noteLessUsed(locked, owner, recordedOf)
      return numUpdatedRows > 0n
    })
  },
})

/** In the words of the index, which holds no other. */
const isOpen = sql<boolean>`rendition_orders.state <> 'failed'`

/** What somebody waits for. */
function openOrders(db: Db) {
  const open = () =>
    db
      .selectFrom('rendition_orders')
      .innerJoin('videos', 'videos.id', 'rendition_orders.video_id')
      .where(isOpen)
      .orderBy('rendition_orders.created_at')
      .orderBy('rendition_orders.video_id')
  return {
    async isOpen({ video_id, recipe }: OrderKey): Promise<boolean> {
      const row = await open()
        .select('recipe')
        .where('rendition_orders.video_id', '=', video_id)
        .where('recipe', '=', recipe)
        .executeTakeFirst()
      return row !== undefined
    },
    /** Those of these videos that are still to be made by this recipe. */
    async countOpen(videoIds: readonly string[], recipe: string): Promise<number> {
      const { orders } = await ofVideos(db, videoIds)
      return orders.filter((order) => order.recipe === recipe && order.state !== 'failed').length
    },
    /** What a user waits for, oldest first. */
    async openOf(userId: string, most: number): Promise<OrderKey[]> {
      return open()
        .select(['rendition_orders.video_id', 'recipe'])
        .where('user_id', '=', userId)
        .where('videos.status', '=', 'ready')
        .limit(most)
        .execute()
    },
    /** Everybody who waits for one. */
    async openOwners(): Promise<string[]> {
      const ordered = db.selectFrom('rendition_orders').select('video_id').where(isOpen)
      const rows = await db
        .selectFrom('videos')
        .select('user_id')
        .distinct()
        .where('id', 'in', ordered)
        .where('status', '=', 'ready')
        .execute()
      return rows.map(({ user_id }) => user_id)
    },
    /** Those of all users, with what tells how much work it is. */
    async allOpen(limit: number) {
      return open()
        .select(['rendition_orders.video_id', 'recipe', 'user_id', 'rendition_orders.created_at'])
        .select(['rendition_orders.progress', 'rendition_orders.seconds_left', 'original_bytes', 'duration_ms'])
        .where('videos.status', '=', 'ready')
        .limit(limit)
        .execute()
    },
  }
}

function readyOnes(db: Db) {
  const made = () =>
    db
      .selectFrom('renditions')
      .select(['video_id', 'recipe', 'key', 'bytes', 'content_type'])
      .where('state', '=', 'ready')
      .where('recipe', '<>', AS_IS)
  return {
    ofVideos: (videoIds: readonly string[]) => ofVideos(db, videoIds),
    /** What stands on anything that was made of a user's videos, or is to be made: also on what plays on, though it was replaced. */
    async looksOf(userId: string): Promise<ReadonlySet<string>> {
      const recipes = await Promise.all(
        (['renditions', 'rendition_orders'] as const).map((table) =>
          db
            .selectFrom(table)
            .innerJoin('videos', 'videos.id', `${table}.video_id`)
            .select('recipe')
            .distinct()
            .where('user_id', '=', userId)
            .where('recipe', 'like', '%+b%')
            .execute(),
        ),
      )
      return new Set(recipes.flat().flatMap(({ recipe }) => parseRecipe(recipe)?.look ?? []))
    },
    async ready({ video_id, recipe }: OrderKey): Promise<MadeRendition | null> {
      const row = await made().where('video_id', '=', video_id).where('recipe', '=', recipe).executeTakeFirst()
      return row ?? null
    },
    /** Everything that was made counts, its master too, also what was replaced and is still there. */
    async bytesOf(videoId: string): Promise<number> {
      const row = await db
        .selectFrom('videos')
        .select(madeBytes.as('bytes'))
        .where('id', '=', videoId)
        .executeTakeFirst()
      return Number(row?.bytes ?? 0)
    },
  }
}

async function ofVideos(db: Db, videoIds: readonly string[]): Promise<{ made: MadeRendition[]; orders: OrderRow[] }> {
  const found: { made: MadeRendition[]; orders: OrderRow[] } = { made: [], orders: [] }
  const ids = [...new Set(videoIds)]
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
    const some = ids.slice(from, from + IDS_AT_ONCE)
    const [made, orders] = await Promise.all([
      db
        .selectFrom('renditions')
        .select(['video_id', 'recipe', 'key', 'bytes', 'content_type'])
        .where('video_id', 'in', some)
        .where('state', '=', 'ready')
        .where('recipe', '<>', AS_IS)
        .execute(),
      db.selectFrom('rendition_orders').selectAll().where('video_id', 'in', some).execute(),
    ])
    found.made.push(...made)
    found.orders.push(...orders)
  }
  return found
}
