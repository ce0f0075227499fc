import { type Selectable, sql } from 'kysely'
import { compileOnce } from '../../../platform/db/compile-once.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { StreamEventTable } from '../../../platform/db/tables/broadcasts.ts'
import { type NamedStreamRow, type StreamRow, streamRows } from './stream-rows.ts'
import { withNames } from './stream-videos.ts'
import { hasEnded, isWanted } from './wanted-streams.ts'

/** A broadcast is open as long as one of its streams is wanted. Said in the words of the index, which holds none that is over. */
const isOpen = sql<boolean>`broadcasts.ended_at is null`

/** What a workspace asks about its streams. */
export const streamReads = (db: Db) => ({
  ...activeStreams(db),
  ...oneStream(db),
  /** Which of the plan's places are taken, and where to each of them sends. */
  activePlaces: compileOnce(db, (workspaceId: string) =>
    db
      .selectFrom('streams')
      .innerJoin('broadcasts', 'broadcasts.id', 'streams.broadcast_id')
      .select(['streams.slot', 'target_mark'])
      .where('broadcasts.user_id', '=', workspaceId)
      .where(isOpen)
      .where(isWanted),
  ),
  /** By the owner that each stream names itself: a single broadcast may have any number of them. */
  async endedOf(workspaceId: string, limit: number): Promise<NamedStreamRow[]> {
    const rows = await streamRows(db)
      .where('streams.user_id', '=', workspaceId)
      .where(hasEnded)
      .orderBy('streams.ended_at', 'desc')
      .limit(limit)
      .execute()
    return withNames(db, rows)
  },
  async eventsOf(streamId: string, limit: number): Promise<Selectable<StreamEventTable>[]> {
    return db
      .selectFrom('stream_events')
      .selectAll()
      .where('stream_id', '=', streamId)
      .orderBy('at', 'desc')
      .limit(limit)
      .execute()
  },
  async isAccountInUse(accountId: string): Promise<boolean> {
    const row = await db
      .selectFrom('broadcasts')
      .select('id')
      .where('source_account_id', '=', accountId)
      .where('ended_at', 'is', null)
      .executeTakeFirst()
    return row !== undefined
  },
})

function oneStream(db: Db) {
  const find = compileOnce(db, (id: string) => streamRows(db).where('streams.id', '=', id))
  return {
    byId: async (id: string): Promise<StreamRow | null> => (await find(id))[0] ?? null,
    byIds: async (ids: readonly string[]): Promise<StreamRow[]> =>
      ids.length === 0
        ? []
        : streamRows(db)
            .where('streams.id', 'in', [...ids])
            .execute(),
    /** Whether it is the first wanted stream of its broadcast. */
    async isFirst({ id, broadcast_id }: Pick<StreamRow, 'id' | 'broadcast_id'>): Promise<boolean> {
      const first = await db
        .selectFrom('streams')
        .select('id')
        .where('broadcast_id', '=', broadcast_id)
        .where(isWanted)
        .where('desired', '<>', 'stopped')
        .orderBy('created_at')
        .orderBy(sql`case when id = broadcast_id then 0 else 1 end`)
        .orderBy('id')
        .executeTakeFirst()
      return first?.id === id
    },
  }
}

/** What a page asks every few seconds, and a feed every second. */
function activeStreams(db: Db) {
  const wantedOf = compileOnce(db, (workspaceId: string) =>
    streamRows(db)
      .where('broadcasts.user_id', '=', workspaceId)
      .where(isOpen)
      .where(isWanted)
      .orderBy('streams.created_at')
      .orderBy('streams.id'),
  )
  return {
    activeOf: async (workspaceId: string): Promise<NamedStreamRow[]> => withNames(db, await wantedOf(workspaceId)),
  }
}

export interface UnclaimedRow {
  readonly id: string
  readonly user_id: string
  readonly created_at: number
  readonly desired: string
  readonly end_cause: string | null
  readonly video_id: string | null
  readonly next_video_id: string | null
}

/** What workers and the operator ask about all streams that are wanted. */
export const wantedStreams = (db: Db) => ({
  ...countWanted(db),
  async activeIds(): Promise<string[]> {
    const rows = await db.selectFrom('streams').select('id').where(isWanted).orderBy('created_at').execute()
    return rows.map((row) => row.id)
  },
  /** Who claimed each wanted stream last. */
  async keepers(): Promise<{ id: string; worker: string | null }[]> {
    return db.selectFrom('streams').select(['id', 'worker']).where(isWanted).execute()
  },
  /** Those that no worker has ever taken and that play a video: all, or the one that is named. */
  async unclaimed(streamId: string | null): Promise<UnclaimedRow[]> {
    return db
      .selectFrom('streams')
      .innerJoin('broadcasts', 'broadcasts.id', 'streams.broadcast_id')
      .select(['streams.id', 'broadcasts.user_id', 'streams.created_at', 'streams.desired', 'streams.end_cause'])
      .select(['streams.video_id', 'streams.next_video_id'])
      .where(isWanted)
      .where('worker', 'is', null)
      .where('broadcasts.source_kind', '=', 'video')
      .$if(streamId !== null, (query) => query.where('streams.id', '=', streamId ?? ''))
      .execute()
  },
  async countByPhase(): Promise<Record<string, number>> {
    const rows = await db
      .selectFrom('streams')
      .select((eb) => ['phase', eb.fn.countAll<number>().as('count')])
      .where(isWanted)
      .groupBy('phase')
      .execute()
    return Object.fromEntries(rows.map(({ phase, count }) => [phase, Number(count)]))
  },
})

function countWanted(db: Db) {
  const count = compileOnce(db, () =>
    db
      .selectFrom('streams')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where(isWanted),
  )
  return { countActive: async (): Promise<number> => Number((await count())[0]?.count ?? 0) }
}
