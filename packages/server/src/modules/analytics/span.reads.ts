import { setImmediate as anotherTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { LONG_MS, SPAN_COUNTED } from './span-sums.ts'
import { PAGE, type Place, type ToldSpan, toldSpan } from './told-lives.ts'

/** The spans of streams that were found by their workspace. */
export function spanReads(db: Db) {
  return {
    /**
     * Those that are in no sum: what lasts, what is very long, and what is from before there were sums. In pages, in order of time for each
     * stream.
     */
    async *raw(streamNos: readonly number[], fromMs: number, toMs: number): AsyncGenerator<ToldSpan[]> {
      let after = { no: -1, at: 0, id: 0 }
      for (let left = streamNos; left.length > 0; ) {
        const rows = await db
          .selectFrom('stat_spans')
          .selectAll()
          .where('stream_no', 'in', left)
          .where(sql<boolean>`counted <> 1`)
          .where('began_at', '<', toMs)
          .where(({ eb, or }) => or([eb('ended_at', 'is', null), eb('ended_at', '>=', fromMs)]))
          .where(({ eb, or, and }) =>
            or([
              eb('stream_no', '>', after.no),
              and([eb('stream_no', '=', after.no), eb('began_at', '>', after.at)]),
              and([eb('stream_no', '=', after.no), eb('began_at', '=', after.at), eb('id', '>', after.id)]),
            ]),
          )
          .orderBy('stream_no')
          .orderBy('began_at')
          .orderBy('id')
          .limit(PAGE)
          .execute()
        yield rows.map(toldSpan)
        const last = rows.at(-1)
        if (!last || rows.length < PAGE) return
        after = { no: last.stream_no, at: last.began_at, id: last.id }
        left = left.filter((no) => no >= after.no)
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
