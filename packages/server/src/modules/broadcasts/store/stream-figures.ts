import { sql } from 'kysely'
import { type Db, isPostgres } from '../../../platform/db/database.ts'

/** The claim that a write is part of: a worker whose claim is old writes nothing. */
export interface Claim {
  readonly id: string
  readonly epoch: number
}

export interface StreamSample {
  readonly bitrateKbps: number | null
  readonly speed: number | null
  readonly frames: number | null
}

/** What changes all the time while a stream runs. */
export interface StreamFigures {
  readonly claim: Claim
  readonly sample: StreamSample
  readonly position: { readonly item: number; readonly ms: number; readonly fromMs: number }
  /** ffmpeg's output time. */
  readonly sentMs: number
}

/** Many in one statement, which is the same for any number of them: it is read and planned once. Answers whose were written. */
export async function writeFigures(db: Db, figures: readonly StreamFigures[]): Promise<Set<string>> {
  const given = isPostgres(db) ? arraysOf(figures) : listOf(figures)
  // Materialized: by old statistics SQLite would read the whole list again for each row of the table.
  const { rows } = await sql<{ id: string }>`
    with figures as materialized (${given})
    update streams
    set position_ms = figures.column3, position_from_ms = figures.column4,
      bitrate_kbps = figures.column5, speed = figures.column6, frames = figures.column7,
      position_item = figures.column8, sent_ms = figures.column9
    from figures
    where streams.id = figures.column1 and streams.epoch = figures.column2
    returning streams.id`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

function arraysOf(figures: readonly StreamFigures[]) {
  const of = <T>(value: (one: StreamFigures) => T): T[] => figures.map(value)
  return sql`
    select * from unnest(
      ${of(({ claim }) => claim.id)}::text[], ${of(({ claim }) => claim.epoch)}::bigint[],
      ${of(({ position }) => Math.round(position.ms))}::bigint[],
      ${of(({ position }) => Math.round(position.fromMs))}::bigint[],
      ${of(({ sample }) => sample.bitrateKbps)}::double precision[],
      ${of(({ sample }) => sample.speed)}::double precision[], ${of(({ sample }) => sample.frames)}::bigint[],
      ${of(({ position }) => position.item)}::integer[], ${of(({ sentMs }) => sentMs)}::double precision[]
    ) as given (column1, column2, column3, column4, column5, column6, column7, column8, column9)`
}

function listOf(figures: readonly StreamFigures[]) {
  const list = figures.map(({ claim, sample, position, sentMs }) => [
    ...[claim.id, claim.epoch, Math.round(position.ms), Math.round(position.fromMs)],
    ...[sample.bitrateKbps, sample.speed, sample.frames, position.item, sentMs],
  ])
  return sql`
    select value ->> 0 as column1, value ->> 1 as column2, value ->> 2 as column3, value ->> 3 as column4,
      value ->> 4 as column5, value ->> 5 as column6, value ->> 6 as column7, value ->> 7 as column8,
      value ->> 8 as column9
    from json_each(${JSON.stringify(list)})`
}
