import { type Selectable, sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import type { BroadcastTable } from '../../../platform/db/tables/broadcasts.ts'
import { type NamedStreamRow, streamRows } from './stream-rows.ts'
import { withNames } from './stream-videos.ts'
import { isWanted } from './wanted-streams.ts'

export type BroadcastRow = Selectable<BroadcastTable>

/** Where a page of a list goes on. */
export interface PageStart {
  readonly createdAt: number
  readonly id: string
}

/** Targets may come and go for years: of those that are over, a broadcast shows so many. */
const MOST_ENDED_SHOWN = 20

/** What a workspace asks about its broadcasts. */
export const broadcastReads = (db: Db) => ({
  /** Those that are wanted, newest first. */
  async openBroadcastsOf(workspaceId: string, after: PageStart | null, limit: number): Promise<BroadcastRow[]> {
    return (
      db
        .selectFrom('broadcasts')
        .selectAll()
        .where('user_id', '=', workspaceId)
        // Spelled out: the index of open broadcasts serves.
        .where(sql<boolean>`ended_at is null`)
        .$if(after !== null, (query) =>
          query.where(sql<boolean>`(created_at, id) < (${after?.createdAt ?? 0}, ${after?.id ?? ''})`),
        )
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
    )
  },
  async broadcastById(workspaceId: string, id: string): Promise<BroadcastRow | null> {
    const row = await db
      .selectFrom('broadcasts')
      .selectAll()
      .where('id', '=', id)
      .where('user_id', '=', workspaceId)
      .executeTakeFirst()
    return row ?? null
  },
  /** All that are wanted and the last of those that are over, oldest first. */
  async streamsOf(broadcastIds: readonly string[]): Promise<NamedStreamRow[]> {
    if (broadcastIds.length === 0) return []
    const lastEnded = db
      .selectFrom('streams')
      .select(['id', sql<number>`row_number() over (partition by broadcast_id order by ended_at desc, id)`.as('nth')])
      .where('broadcast_id', 'in', broadcastIds)
      .where('phase', '=', 'ended')
      .as('ended')
    const shown = db.selectFrom(lastEnded).select('ended.id').where('nth', '<=', MOST_ENDED_SHOWN)
    const rows = await streamRows(db)
      .where('broadcast_id', 'in', broadcastIds)
      .where((eb) => eb.or([isWanted, eb('streams.id', 'in', shown)]))
      .orderBy('streams.created_at')
      .orderBy('streams.slot')
      .orderBy('streams.id')
      .execute()
    return withNames(db, rows)
  },
  /** Which of these are not over yet. */
  async stillWanted(streamIds: readonly string[]): Promise<string[]> {
    if (streamIds.length === 0) return []
    const rows = await db.selectFrom('streams').select('id').where('id', 'in', streamIds).where(isWanted).execute()
    return rows.map(({ id }) => id)
  },
})
