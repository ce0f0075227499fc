import type { Db } from '../../../platform/db/database.ts'
import { isWanted } from './wanted-streams.ts'

export type OperatorStreamRow = Awaited<ReturnType<ReturnType<typeof createOperatorStreamsRepo>['wanted']>>[number]

/** Streams as the operator sees them. Their targets stay unread, but for the host. */
export function createOperatorStreamsRepo(db: Db) {
  const streams = () =>
    db
      .selectFrom('streams')
      .innerJoin('broadcasts', 'broadcasts.id', 'streams.broadcast_id')
      .select(['streams.id', 'broadcasts.user_id', 'phase', 'streams.desired', 'platform', 'streams.source'])
      .select(['broadcasts.title', 'target_host', 'streams.created_at', 'live_since', 'on_air_ms', 'restarts'])
      .select(['reason', 'streams.ended_at'])

  return {
    /** On air or on their way, oldest first; of all users, or of one. */
    wanted: (userId: string | null) =>
      streams()
        .where(isWanted)
        .$if(userId !== null, (query) => query.where('broadcasts.user_id', '=', userId ?? ''))
        .orderBy('streams.created_at')
        .orderBy('streams.id')
        .execute(),
    byId: (id: string) => streams().where('streams.id', '=', id).executeTakeFirst(),
    async countByUser(userId: string | null = null): Promise<Map<string, number>> {
      const rows = await db
        .selectFrom('streams')
        .innerJoin('broadcasts', 'broadcasts.id', 'streams.broadcast_id')
        .select((eb) => ['broadcasts.user_id', eb.fn.countAll<string | number>().as('count')])
        .where(isWanted)
        .$if(userId !== null, (query) => query.where('broadcasts.user_id', '=', userId ?? ''))
        .groupBy('broadcasts.user_id')
        .execute()
      return new Map(rows.map(({ user_id, count }) => [user_id, Number(count)]))
    },
    /** With those that have ended. */
    async countByPhase(): Promise<Map<string, number>> {
      const rows = await db
        .selectFrom('streams')
        .select((eb) => ['phase', eb.fn.countAll<string | number>().as('count')])
        .groupBy('phase')
        .execute()
      return new Map(rows.map(({ phase, count }) => [phase, Number(count)]))
    },
  }
}
