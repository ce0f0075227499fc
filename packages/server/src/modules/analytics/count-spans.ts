import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { lockReader } from '../../platform/outbox/fact-reader.ts'
import type { IsOver } from './roll-up.ts'
import { addedTotals, countedAs, isEnded, type SpanRow, spanOf, totalsOf } from './save-lives.ts'
import { type EndedSpan, SPAN_COUNTED } from './span-sums.ts'
import { gatherSums } from './sums.repo.ts'

/** Few: each batch holds up everything else. What it comes to is bounded too. */
const AT_ONCE = 100
const MOST_SUMS = 300
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
      const count = await countRows(inside, rows)
      place = rows[count - 1]?.stream_no ?? place
      return rows.length === AT_ONCE || count < rows.length
    })
  }

  return {
    async countAll(isOver: IsOver): Promise<void> {
      place = 0
      while (!isOver() && (await nextBatch())) await sleep(BREATH_MS)
    },
  }
}

/** Returns how many of them it took: as many as come to a bounded number of sums. */
async function countRows(inside: Db, rows: readonly OwnedRow[]): Promise<number> {
  const sums = gatherSums()
  const marks = new Map<string, { ids: number[]; counted: number; user_id: string | null }>()
  const byStream = new Map<number, EndedSpan[]>()
  let count = 0
  for (const { owner: userId, platform, ...row } of rows) {
    if (sums.size() > MOST_SUMS) break
    count++
    const span = spanOf(row)
    if (!isEnded(span)) continue
    const counted = countedAs(span)
    if (counted === SPAN_COUNTED.inSums) sums.add({ userId, platform, streamNo: row.stream_no, span })
    const user_id = span.kind === 'incident' ? userId : null
    const mark = marks.get(`${counted} ${user_id}`) ?? { ids: [], counted, user_id }
    mark.ids.push(row.id)
    marks.set(`${counted} ${user_id}`, mark)
    byStream.set(row.stream_no, [...(byStream.get(row.stream_no) ?? []), span])
  }
  for (const [streamNo, spans] of byStream) {
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
  return count
}
