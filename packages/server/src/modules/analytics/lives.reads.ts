import type { Platform } from '@siarin/contracts/platforms'
import type { SelectQueryBuilder } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Database } from '../../platform/db/schema.ts'
import { createSmallSteps, type SmallSteps } from '../../platform/small-steps.ts'
import { broadcastPages } from './broadcast-pages.ts'
import { spanReads } from './span.reads.ts'
import { type ListedStream, PAGE, type Place, type ToldStream, toldStream } from './told-lives.ts'
import { wantedAt } from './wanted-at.ts'

export type LivesReads = ReturnType<typeof createLivesReads>

/** So many streams in one answer that shows each of them. */
const SLICE = 200
/** What one answer is made of. A workspace that has more sees the newest. */
const MOST_STREAMS = 50_000

const LISTED = [
  ...(['id as no', 'broadcast_id as broadcastId', 'platform', 'asked_at as askedAt'] as const),
  ...(['known_from as knownFrom', 'ended_at as endedAt', 'on_air_ms as onAirMs'] as const),
] as const

/** Every question is asked by workspace; spans by the streams that were found so. Each page is a step, and the workspaces take turns. */
export function createLivesReads(db: Db, steps: SmallSteps = createSmallSteps()) {
  return { ...streamPages(db, steps), ...broadcastPages(db, steps), ...oneStream(db, steps), ...spanReads(db, steps) }
}

const ofWorkspace = (db: Db, workspaceId: string) => db.selectFrom('stat_streams').where('user_id', '=', workspaceId)

/** The streams of some time in pages, newest first. */
function streamPages(db: Db, steps: SmallSteps) {
  type Streams = ReturnType<typeof ofWorkspace>
  async function* pagesOf<Row extends { asked_at: number; id: number }>(
    workspaceId: string,
    { fromMs, toMs }: { fromMs: number; toMs: number },
    select: (streams: Streams) => SelectQueryBuilder<Database, 'stat_streams', Row>,
  ): AsyncGenerator<Row[]> {
    const step = steps.of(workspaceId)
    let after: Place = { at: toMs, id: 0 }
    for (let count = 0; count < MOST_STREAMS; count += PAGE) {
      await step()
      const rows = await select(ofWorkspace(db, workspaceId))
        .where('asked_at', '>=', fromMs)
        .where(({ eb, or, and }) =>
          or([eb('asked_at', '<', after.at), and([eb('asked_at', '=', after.at), eb('id', '<', after.id)])]),
        )
        .where('asked_at', '<=', after.at)
        .orderBy('asked_at', 'desc')
        .orderBy('id', 'desc')
        .limit(PAGE)
        .execute()
      yield rows
      const last = rows.at(-1)
      if (!last || rows.length < PAGE) break
      after = { at: last.asked_at, id: last.id }
    }
    // Those that were asked for before: as many as a workspace has at one time.
    const before = () => select(ofWorkspace(db, workspaceId)).where('asked_at', '<', fromMs).limit(PAGE)
    yield await before().where('ended_at', 'is', null).execute()
    yield await before().where('id', 'in', wantedAt(workspaceId, fromMs)).execute()
  }

  return {
    async *listed(workspaceId: string, range: { fromMs: number; toMs: number }): AsyncGenerator<ListedStream[]> {
      for await (const rows of pagesOf(workspaceId, range, (streams) =>
        streams.select([...LISTED, 'stat_streams.asked_at', 'stat_streams.id']),
      ))
        yield rows.map(({ asked_at, id, ...row }) => ({
          ...row,
          platform: row.platform as Platform,
          onAirMs: Number(row.onAirMs),
        }))
    },
    async *whole(workspaceId: string, range: { fromMs: number; toMs: number }): AsyncGenerator<ToldStream[]> {
      for await (const rows of pagesOf(workspaceId, range, (streams) => streams.selectAll())) yield rows.map(toldStream)
    },
  }
}

function oneStream(db: Db, steps: SmallSteps) {
  const all = (workspaceId: string) => ofWorkspace(db, workspaceId).selectAll()
  return {
    async wanted(workspaceId: string): Promise<ToldStream[]> {
      const rows = await all(workspaceId).where('ended_at', 'is', null).orderBy('id').limit(SLICE).execute()
      return rows.map(toldStream)
    },
    async stream(workspaceId: string, streamId: string): Promise<ToldStream | null> {
      const row = await all(workspaceId).where('stream_id', '=', streamId).executeTakeFirst()
      return row ? toldStream(row) : null
    },
    /** By their numbers. */
    async numbered(workspaceId: string, numbers: Iterable<number>): Promise<Map<number, ToldStream>> {
      const ids = [...new Set(numbers)]
      if (ids.length === 0) return new Map()
      const rows = await all(workspaceId).where('id', 'in', ids).execute()
      return new Map(rows.map((row) => [row.id, toldStream(row)]))
    },
    /** All streams of a broadcast, by its id or by that of one of them, in the order in which they were asked for. */
    async broadcast(workspaceId: string, id: string): Promise<ToldStream[]> {
      const one = await all(workspaceId)
        .where(({ eb, or }) => or([eb('broadcast_id', '=', id), eb('stream_id', '=', id)]))
        .limit(1)
        .executeTakeFirst()
      if (!one) return []
      const rows = await all(workspaceId)
        .where('broadcast_id', '=', one.broadcast_id)
        .orderBy('id')
        .limit(SLICE)
        .execute()
      return rows.map(toldStream)
    },
    /** All streams of these broadcasts, those of each in the order in which they were asked for, in pages. */
    async *ofBroadcasts(workspaceId: string, ids: readonly string[]): AsyncGenerator<ToldStream[]> {
      if (ids.length === 0) return
      const step = steps.of(workspaceId)
      await step()
      const few = await all(workspaceId)
        .where('broadcast_id', 'in', ids)
        .limit(PAGE + 1)
        .execute()
      if (few.length <= PAGE) {
        yield few.sort((one, other) => one.id - other.id).map(toldStream)
        return
      }
      for (const id of ids) {
        for (let after = 0; ; ) {
          await step()
          const rows = await all(workspaceId)
            .where('broadcast_id', '=', id)
            .where('id', '>', after)
            .orderBy('id')
            .limit(PAGE)
            .execute()
          yield rows.map(toldStream)
          if (rows.length < PAGE) break
          after = rows.at(-1)?.id ?? after
        }
      }
    },
  }
}
