import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { lockReader } from '../../platform/outbox/fact-reader.ts'
import type { IsOver } from './roll-up.ts'
import { addedTotals, countedAs, isEnded, type SpanRow, spanOf, totalsOf } from './save-lives.ts'
import { SPAN_COUNTED } from './span-sums.ts'
import { gatherSums } from './sums.repo.ts'

/** Few: each batch holds up all other writers. */
const AT_ONCE = 200
const BREATH_MS = 20

type OwnedRow = SpanRow & { readonly owner: string; readonly platform: string }

/**
 * Counts the spans that an older version has written: a batch at a time, each with its mark in one transaction, so whatever is killed, the
 * next start goes on. Until then answers read those spans as they are.
 */
export function createSpanCounter({ db, readerName }: { db: Db; readerName: string }) {
  /** Which stream to look at next. */
  let place = 0

  async function nextBatch(): Promise<boolean> {
    return db.transaction().execute(async (inside) => {
      // The reader changes spans too, when the clock was set back.
      await lockReader(inside, readerName)
      const rows: OwnedRow[] = await inside
        .selectFrom('stat_spans')
        .innerJoin('stat_streams', 'stat_streams.id', 'stat_spans.stream_no')
        .selectAll('stat_spans')
        .select(['stat_streams.user_id as owner', 'stat_streams.platform'])
        .where(sql<boolean>`stat_spans.counted <> 1`)
        .where('counted', '=', SPAN_COUNTED.no)
        .where('stat_spans.ended_at', 'is not', null)
        .where('stream_no', '>=', place)
        .orderBy('stream_no')
        .limit(AT_ONCE)
        .execute()
      await countRows(inside, rows)
      place = rows.at(-1)?.stream_no ?? place
      return rows.length === AT_ONCE
    })
  }

  return {
    async countAll(isOver: IsOver): Promise<void> {
      place = 0
      while (!isOver() && (await nextBatch())) await sleep(BREATH_MS)
    },
  }
}

async function countRows(inside: Db, rows: readonly OwnedRow[]): Promise<void> {
  const sums = gatherSums()
  const marks = new Map<string, { ids: number[]; counted: number; user_id: string | null }>()
  for (const [streamNo, own] of Map.groupBy(rows, ({ stream_no }) => stream_no)) {
    const spans = own.map(spanOf).filter(isEnded)
    for (const [index, span] of spans.entries()) {
      const { owner: userId = '', platform = '' } = own[index] ?? {}
      const counted = countedAs(span)
      if (counted === SPAN_COUNTED.inSums) sums.add({ userId, platform, streamNo, span })
      const user_id = span.kind === 'incident' ? userId : null
      const mark = marks.get(`${counted} ${user_id}`) ?? { ids: [], counted, user_id }
      mark.ids.push(span.id ?? 0)
      marks.set(`${counted} ${user_id}`, mark)
    }
    await inside
      .updateTable('stat_streams')
      .set(addedTotals(totalsOf(spans)))
      .where('id', '=', streamNo)
      .execute()
  }
  for (const { ids, ...mark } of marks.values()) {
    await inside.updateTable('stat_spans').set(mark).where('id', 'in', ids).execute()
  }
  await sums.write(inside)
}
