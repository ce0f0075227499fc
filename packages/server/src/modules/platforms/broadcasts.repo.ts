import { type Selectable, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { PlatformBroadcastTable } from '../../platform/db/tables/platforms.ts'

export type BroadcastRow = Selectable<PlatformBroadcastTable>
export type BroadcastsRepo = ReturnType<typeof createBroadcastsRepo>

export const createBroadcastsRepo = (db: Db) => ({ ...reading(db), ...writing(db) })

const reading = (db: Db) => ({
  async hasOpen(workspaceId: string): Promise<boolean> {
    const row = await db
      .selectFrom('platform_broadcasts')
      .select('id')
      .where('user_id', '=', workspaceId)
      .where('ended_at', 'is', null)
      .executeTakeFirst()
    return row !== undefined
  },
  /** Begun, and taken by no stream yet. */
  async unused(workspaceId: string): Promise<BroadcastRow[]> {
    return db
      .selectFrom('platform_broadcasts')
      .selectAll()
      .where('user_id', '=', workspaceId)
      .where('stream_id', 'is', null)
      .where('ended_at', 'is', null)
      .execute()
  },
  /** Not ended yet, and not to be tried at a later time. */
  async open(now: number): Promise<BroadcastRow[]> {
    return db
      .selectFrom('platform_broadcasts')
      .selectAll()
      .where('ended_at', 'is', null)
      .where('next_try_at', '<=', now)
      .orderBy('next_try_at')
      .orderBy('id')
      .execute()
  },
})

const writing = (db: Db) => ({
  async insert(row: Omit<BroadcastRow, 'stream_id' | 'tries' | 'next_try_at' | 'ended_at'>): Promise<void> {
    await db
      .insertInto('platform_broadcasts')
      .values({ ...row, stream_id: null, ended_at: null })
      .execute()
  },
  async link({ userId, targetMark, streamId }: { userId: string; targetMark: string; streamId: string }) {
    await db
      .updateTable('platform_broadcasts')
      .set({ stream_id: streamId })
      .where('user_id', '=', userId)
      .where('target_mark', '=', targetMark)
      .where('ended_at', 'is', null)
      .execute()
  },
  /** As if begun long ago: the ender of what is over ends it as soon as no stream goes there any more. */
  async letGoOf(workspaceId: string): Promise<void> {
    await db
      .updateTable('platform_broadcasts')
      .set({ created_at: 0 })
      .where('user_id', '=', workspaceId)
      .where('ended_at', 'is', null)
      .execute()
  },
  /** One of several workers gets it. */
  async take({ id, next_try_at }: BroadcastRow, until: number): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('platform_broadcasts')
      .set({ next_try_at: until, tries: sql<number>`tries + 1` })
      .where('id', '=', id)
      .where('next_try_at', '=', next_try_at)
      .where('ended_at', 'is', null)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },
  async retryAt(id: string, at: number): Promise<void> {
    await db.updateTable('platform_broadcasts').set({ next_try_at: at }).where('id', '=', id).execute()
  },
  /**
   * Under another secret each target has another mark. What was begun at a platform follows its stream; without one nothing is sent
   * there any more.
   */
  async followMarks(marks: ReadonlyMap<string, string>, now: number): Promise<void> {
    const rows = await db.selectFrom('platform_broadcasts').select(['id', 'target_mark', 'ended_at']).execute()
    for (const { id, target_mark, ended_at } of rows) {
      const mark = marks.get(target_mark)
      const change = mark ? { target_mark: mark } : { ended_at: ended_at ?? now }
      await db.updateTable('platform_broadcasts').set(change).where('id', '=', id).execute()
    }
  },
  async ended(id: string, at: number): Promise<void> {
    await db.updateTable('platform_broadcasts').set({ ended_at: at }).where('id', '=', id).execute()
  },
})
