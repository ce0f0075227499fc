import { type Selectable, sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'
import type { BroadcastTable } from '../../../platform/db/tables/broadcasts.ts'
import { type NamedStreamRow, streamRows } from './stream-rows.ts'
import { withNames } from './stream-videos.ts'
import { isWanted, lastEnded } from './wanted-streams.ts'

export type BroadcastRow = Selectable<BroadcastTable>

/** Where a page of a list goes on. */
export interface PageStart {
  readonly createdAt: number
  readonly id: string
}

/** A broadcast shows so many of those that are over. */
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
    const wanted = db.selectFrom('streams').select('id').where('broadcast_id', 'in', broadcastIds).where(isWanted)
    // Each broadcast by itself: ranked among all that have ended, every one of them would be read.
    const ended = (id: string) => lastEnded(db, id, MOST_ENDED_SHOWN).select('id').as('ended')
    const shown = broadcastIds.reduce((all, id) => all.unionAll(db.selectFrom(ended(id)).select('ended.id')), wanted)
    const rows = await streamRows(db)
      .where('streams.id', 'in', shown)
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
