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

/** A statement takes 32,766 values at most. */
const MOST_FIGURES_AT_ONCE = 2_000

/** Many in one statement; answers whose were written. */
export async function writeFigures(db: Db, figures: readonly StreamFigures[]): Promise<Set<string>> {
  if (figures.length > MOST_FIGURES_AT_ONCE) {
    const [first, rest] = [figures.slice(0, MOST_FIGURES_AT_ONCE), figures.slice(MOST_FIGURES_AT_ONCE)]
    return new Set([...(await writeFigures(db, first)), ...(await writeFigures(db, rest))])
  }
  const given = isPostgres(db) ? arraysOf(figures) : valuesOf(figures)
  const { rows } = await sql<{ id: string }>`
    update streams
    set position_ms = figures.column3, position_from_ms = figures.column4,
      bitrate_kbps = figures.column5, speed = figures.column6, frames = figures.column7,
      position_item = figures.column8, sent_ms = figures.column9
    from (${given}) as figures
    where streams.id = figures.column1 and streams.epoch = figures.column2
    returning streams.id`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** The statement is the same for any number of them: it is read and planned in a moment. */
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

function valuesOf(figures: readonly StreamFigures[]) {
  const values = figures.map(
    ({ claim, sample, position, sentMs }) => sql`(
      cast(${claim.id} as text), cast(${claim.epoch} as bigint),
      cast(${Math.round(position.ms)} as bigint), cast(${Math.round(position.fromMs)} as bigint),
      cast(${sample.bitrateKbps} as double precision), cast(${sample.speed} as double precision),
      cast(${sample.frames} as bigint), cast(${position.item} as integer), cast(${sentMs} as double precision)
    )`,
  )
  return sql`values ${sql.join(values)}`
}
