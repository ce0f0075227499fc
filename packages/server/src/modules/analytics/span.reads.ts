import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { NextStep, SmallSteps } from '../../platform/small-steps.ts'
import { LONG_MS, SPAN_COUNTED } from './span-sums.ts'
import { PAGE, type Place, type ToldSpan, toldSpan } from './told-lives.ts'

interface Wanted {
  readonly counted: readonly number[]
  readonly fromMs: number
  readonly toMs: number
}

/** The spans of streams that were found by their workspace. */
export function spanReads(db: Db, steps: SmallSteps) {
  return { ...rawPages(db, steps), ...countedToo(db, steps) }
}

function rawPages(db: Db, steps: SmallSteps) {
  /** The words of the index stand here as they stand there: else the index of all spans would be used. */
  const within = ({ fromMs }: Wanted) =>
    db
      .selectFrom('stat_spans')
      .selectAll()
      .where(sql<boolean>`counted <> 1`)
      .where(({ eb, or }) => or([eb('ended_at', 'is', null), eb('ended_at', '>=', fromMs)]))

  async function* ofStream(streamNo: number, wanted: Wanted, step: NextStep): AsyncGenerator<ToldSpan[]> {
    for (const counted of wanted.counted) {
      for (let after = { at: 0, id: 0 }; ; ) {
        await step()
        const rows = await within(wanted)
          .where('counted', '=', counted)
          .where('stream_no', '=', streamNo)
          .where(sql<boolean>`(began_at, id) > (${after.at}, ${after.id})`)
          // Not for the index: a search that ends there would begin with the first span at each page.
          .where(sql<boolean>`began_at + 0 < ${wanted.toMs}`)
          .orderBy('began_at')
          .orderBy('id')
          .limit(PAGE)
          .execute()
        yield rows.map(toldSpan)
        const last = rows.at(-1)
        if (!last || rows.length < PAGE) break
        after = { at: last.began_at, id: last.id }
      }
    }
  }

  /** In pages, stream by stream where they are many. */
  async function* pagesOf(
    workspaceId: string,
    streamNos: readonly number[],
    wanted: Wanted,
  ): AsyncGenerator<ToldSpan[]> {
    if (streamNos.length === 0) return
    const step = steps.of(workspaceId)
    await step()
    const few = await within(wanted)
      .where('counted', 'in', wanted.counted)
      .where('stream_no', 'in', streamNos)
      .where('began_at', '<', wanted.toMs)
      .limit(PAGE + 1)
      .execute()
    if (few.length <= PAGE) yield few.map(toldSpan)
    else for (const streamNo of streamNos) yield* ofStream(streamNo, wanted, step)
  }

  return {
    /** Those that are in no sum: what lasts, what is very long, and what is from before there were sums. */
    raw: (workspaceId: string, streamNos: readonly number[], range: { fromMs: number; toMs: number }) =>
      pagesOf(workspaceId, streamNos, { ...range, counted: [SPAN_COUNTED.no, SPAN_COUNTED.asItIs] }),
    /** Those that are not in the totals of their streams either. */
    uncounted: (workspaceId: string, streamNos: readonly number[], now: number) =>
      pagesOf(workspaceId, streamNos, { fromMs: 0, toMs: now + 1, counted: [SPAN_COUNTED.no] }),
  }
}

function countedToo(db: Db, steps: SmallSteps) {
  return {
    /** The newest of a stream, oldest first. */
    async newest(workspaceId: string, streamNo: number, fromMs: number, most: number): Promise<ToldSpan[]> {
      await steps.of(workspaceId)()
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
      const place = after ?? { at: toMs, id: 0 }
      await steps.of(workspaceId)()
      const rows = await db
        .selectFrom('stat_spans')
        .selectAll()
        .where('user_id', '=', workspaceId)
        .where('counted', '=', SPAN_COUNTED.inSums)
        // None of them is longer.
        .where('began_at', '>=', fromMs - LONG_MS)
        // One upper bound: SQLite begins at the first that it finds, and would read all pages before this one again.
        .where(sql<boolean>`(began_at, id) < (${place.at}, ${place.id})`)
        .where('ended_at', '>=', fromMs)
        .orderBy('began_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(toldSpan)
    },
  }
}
