import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { StatSpanTable } from '../../platform/db/tables/analytics.ts'
import { foldFlaps } from './fold-flaps.ts'
import { type EndedSpan, isLong, lengthOf, QUARTER_MS, SPAN_COUNTED } from './span-sums.ts'
import type { Life, Span } from './spans.ts'
import { gatherSums } from './sums.repo.ts'

export interface NumberedLife extends Life {
  readonly streamNo: number
  readonly userId: string
  readonly platform: string
  readonly seenAt: number | null
}

export type SpanRow = Selectable<StatSpanTable>
type Sums = ReturnType<typeof gatherSums>

/** A statement takes a bounded number of values, and one of SQLite keeps all other writers waiting. */
const ROWS_AT_ONCE = 100

export const spanOf = (row: SpanRow): Span => ({
  id: row.id,
  kind: row.kind as Span['kind'],
  beganAt: row.began_at,
  endedAt: row.ended_at,
  reason: row.reason,
  planned: row.planned === 1,
  outcome: row.outcome as Span['outcome'],
  counted: row.counted,
  times: row.times,
  offAirMs: row.off_air_ms === null ? null : Number(row.off_air_ms),
})

export const spanRow = (streamNo: number, userId: string, span: Span): Insertable<StatSpanTable> => ({
  stream_no: streamNo,
  kind: span.kind,
  began_at: span.beganAt,
  ended_at: span.endedAt,
  reason: span.reason,
  planned: span.planned ? 1 : 0,
  outcome: span.outcome,
  counted: span.counted,
  times: span.times,
  off_air_ms: span.offAirMs,
  user_id: span.kind === 'incident' ? userId : null,
})

export async function addSpans(inside: Db, rows: readonly Insertable<StatSpanTable>[]): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    await inside
      .insertInto('stat_spans')
      .values(rows.slice(at, at + ROWS_AT_ONCE))
      .execute()
  }
}

export const isEnded = (span: Span): span is Span & EndedSpan => span.endedAt !== null

/** Where what an ended span comes to is to stand. */
export const countedAs = (span: EndedSpan): number => (isLong(span) ? SPAN_COUNTED.asItIs : SPAN_COUNTED.inSums)

/** All in one: those that go on air together are many when a crowd starts. */
export async function saveLives(inside: Db, changed: readonly { before: NumberedLife; after: Life }[]): Promise<void> {
  const sums = gatherSums()
  const added: Insertable<StatSpanTable>[] = []
  for (const { before, after } of changed) {
    const totals = createTotals()
    const spans = after.spans.map((span) => count(before, span, sums, totals))
    await saveStream(inside, before.streamNo, after, totals)
    const tail = spans.length > 1 ? await tailOf(inside, before.streamNo, spans) : []
    const known = new Map([...tail, ...before.spans].map((span) => [span.id, span]))
    const kept = foldFlaps([...tail, ...spans])
    for (const span of kept) {
      if (span.id === null) added.push(spanRow(before.streamNo, before.userId, span))
      else if (known.get(span.id) !== span)
        await saveSpan(inside, span.id, spanRow(before.streamNo, before.userId, span))
      known.delete(span.id)
    }
    const gone = [...known.keys()].filter((id) => id !== null)
    if (gone.length > 0) await inside.deleteFrom('stat_spans').where('id', 'in', gone).execute()
  }
  await addSpans(inside, added)
  await sums.write(inside)
}

/** What a stream comes to, with what has changed. */
function createTotals() {
  const totals = { onAirMs: 0, incidents: 0, longestMs: 0 }
  return {
    totals,
    add(span: EndedSpan, sign: 1 | -1): void {
      if (span.kind !== 'run') totals.incidents += sign * span.times
      const offAirMs = span.kind === 'run' ? 0 : (span.offAirMs ?? lengthOf(span))
      totals.onAirMs += sign * Math.max(0, lengthOf(span) - offAirMs)
      if (sign > 0 && span.kind === 'run') totals.longestMs = Math.max(totals.longestMs, lengthOf(span))
    },
  }
}

/** What ended spans come to. */
export function totalsOf(spans: readonly EndedSpan[]) {
  const { totals, add } = createTotals()
  for (const span of spans) add(span, 1)
  return totals
}

/** The span as it is to be written: one that has ended is counted with that. */
function count(
  { spans, streamNo, userId, platform }: NumberedLife,
  span: Span,
  sums: Sums,
  totals: ReturnType<typeof createTotals>,
): Span {
  const was = span.id === null ? undefined : spans.find(({ id }) => id === span.id)
  if (was === span) return span
  const owned = { userId, platform, streamNo }
  if (was && isEnded(was) && was.counted !== SPAN_COUNTED.no) {
    totals.add(was, -1)
    if (was.counted === SPAN_COUNTED.inSums) sums.withdraw({ ...owned, span: was })
  }
  if (!isEnded(span)) return { ...span, counted: SPAN_COUNTED.no }
  const counted = countedAs(span)
  totals.add(span, 1)
  if (counted === SPAN_COUNTED.inSums) sums.add({ ...owned, span })
  return { ...span, counted }
}

/** What came before these in the same quarter of an hour: not many, since what flaps is folded. */
async function tailOf(inside: Db, streamNo: number, spans: readonly Span[]): Promise<Span[]> {
  const from = Math.min(...spans.map(({ beganAt }) => beganAt))
  const ids = spans.flatMap(({ id }) => id ?? [])
  const rows = await inside
    .selectFrom('stat_spans')
    .selectAll()
    .where('stream_no', '=', streamNo)
    .where('began_at', '>=', Math.floor(from / QUARTER_MS) * QUARTER_MS)
    .$if(ids.length > 0, (query) => query.where('id', 'not in', ids))
    .orderBy('began_at')
    .orderBy('id')
    .execute()
  return rows.map(spanOf)
}

async function saveStream(
  inside: Db,
  streamNo: number,
  after: Life,
  { totals }: ReturnType<typeof createTotals>,
): Promise<void> {
  await inside
    .updateTable('stat_streams')
    .set({
      first_live_at: after.firstLiveAt,
      ended_at: after.endedAt,
      end_reason: after.endReason,
      end_cause: after.endCause,
      ...addedTotals(totals),
    })
    .where('id', '=', streamNo)
    .execute()
}

/** Besides what stands there already. */
export const addedTotals = ({
  onAirMs,
  incidents,
  longestMs,
}: {
  onAirMs: number
  incidents: number
  longestMs: number
}) => ({
  on_air_ms: sql<number>`on_air_ms + ${onAirMs}`,
  incidents: sql<number>`incidents + ${incidents}`,
  longest_run_ms: sql<number>`case when longest_run_ms < ${longestMs} then ${longestMs} else longest_run_ms end`,
})

async function saveSpan(inside: Db, id: number, row: Insertable<StatSpanTable>): Promise<void> {
  const { stream_no, kind, ...changed } = row
  await inside.updateTable('stat_spans').set(changed).where('id', '=', id).execute()
}
