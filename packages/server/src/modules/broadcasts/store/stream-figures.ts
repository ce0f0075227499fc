import { sql } from 'kysely'
import type { Db } from '../../../platform/db/database.ts'

/** Of which claim a write is part: a worker whose claim is old writes nothing. */
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
  const values = figures.map(
    ({ claim, sample, position, sentMs }) => sql`(
      cast(${claim.id} as text), cast(${claim.epoch} as bigint),
      cast(${Math.round(position.ms)} as bigint), cast(${Math.round(position.fromMs)} as bigint),
      cast(${sample.bitrateKbps} as double precision), cast(${sample.speed} as double precision),
      cast(${sample.frames} as bigint), cast(${position.item} as integer), cast(${sentMs} as double precision)
    )`,
  )
  const { rows } = await sql<{ id: string }>`
    update streams
    set position_ms = figures.column3, position_from_ms = figures.column4,
      bitrate_kbps = figures.column5, speed = figures.column6, frames = figures.column7,
      position_item = figures.column8, sent_ms = figures.column9
    from (values ${sql.join(values)}) as figures
    where streams.id = figures.column1 and streams.epoch = figures.column2
    returning streams.id`.execute(db)
  return new Set(rows.map(({ id }) => id))
}
