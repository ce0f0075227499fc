import { setImmediate as anotherTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { LONG_MS, SPAN_COUNTED } from './span-sums.ts'
import { PAGE, type Place, type ToldSpan, toldSpan } from './told-lives.ts'

/** The spans of streams that were found by their workspace. */
export function spanReads(db: Db) {
  /** The words of the index stand here as they stand there: else the index of all spans would be used. */
  const within = (fromMs: number, toMs: number) =>
    db
      .selectFrom('stat_spans')
      .selectAll()
      .where(sql<boolean>`counted <> 1`)
      .where('counted', 'in', [SPAN_COUNTED.no, SPAN_COUNTED.asItIs])
      .where('began_at', '<', toMs)
      .where(({ eb, or }) => or([eb('ended_at', 'is', null), eb('ended_at', '>=', fromMs)]))

  async function* ofStream(streamNo: number, fromMs: number, toMs: number): AsyncGenerator<ToldSpan[]> {
    for (let after = { counted: -1, at: 0, id: 0 }; ; ) {
      const rows = await within(fromMs, toMs)
        .where('stream_no', '=', streamNo)
        .where(sql<boolean>`(counted, began_at, id) > (${after.counted}, ${after.at}, ${after.id})`)
        .orderBy('counted')
        .orderBy('began_at')
        .orderBy('id')
        .limit(PAGE)
        .execute()
      yield rows.map(toldSpan)
      const last = rows.at(-1)
      if (!last || rows.length < PAGE) return
      after = { counted: last.counted, at: last.began_at, id: last.id }
      await anotherTurn()
    }
  }

  return {
    /**
     * Those that are in no sum: what lasts, what is very long, and what is from before there were sums. In pages, stream by
     * stream where they are many.
     */
    async *raw(streamNos: readonly number[], fromMs: number, toMs: number): AsyncGenerator<ToldSpan[]> {
      if (streamNos.length === 0) return
      const few = await within(fromMs, toMs)
        .where('stream_no', 'in', streamNos)
        .limit(PAGE + 1)
        .execute()
      if (few.length <= PAGE) {
        yield few.map(toldSpan)
        return
      }
      for (const streamNo of streamNos) {
        yield* ofStream(streamNo, fromMs, toMs)
        await anotherTurn()
      }
    },
    /** The newest of a stream, oldest first. */
    async newest(streamNo: number, fromMs: number, most: number): Promise<ToldSpan[]> {
      const rows = await db
        .selectFrom('stat_spans')
        .selectAll()
        .where('stream_no', '=', streamNo)
        .orderBy('began_at', 'desc')
        .orderBy('id', 'desc')
        .limit(most)
        .execute()
      return rows
        .reverse()
        .map(toldSpan)
        .filter(({ endedAt }) => endedAt === null || endedAt > fromMs)
    },
    /** The incidents of a workspace that touch this time and are in the sums, newest first. The others are among the raw spans. */
    async incidents(
      workspaceId: string,
      { fromMs, toMs }: { fromMs: number; toMs: number },
      after: Place | null,
      limit: number,
    ): Promise<ToldSpan[]> {
      const upTo = after?.at ?? toMs
      const rows = await db
        .selectFrom('stat_spans')
        .selectAll()
        .where('user_id', '=', workspaceId)
        .where('counted', '=', SPAN_COUNTED.inSums)
        // None of them is longer.
        .where('began_at', '>=', fromMs - LONG_MS)
        .where('began_at', '<', toMs)
        .where('began_at', '<=', upTo)
        .where(({ eb, or }) => or([eb('began_at', '<', upTo), eb('id', '<', after?.id ?? 0)]))
        .where('ended_at', '>=', fromMs)
        .orderBy('began_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(toldSpan)
    },
  }
}
