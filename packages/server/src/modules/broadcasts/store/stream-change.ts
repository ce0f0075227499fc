import type { StreamState } from '@siarin/media/stream-state'
import type { Updateable } from 'kysely'
import { compileByColumns } from '../../../platform/db/compile-once.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { StreamTable } from '../../../platform/db/tables/broadcasts.ts'
import type { Place } from '../../playlists/next-item.ts'
import type { Claim, StreamSample } from './stream-figures.ts'

export interface StreamChange {
  readonly state: StreamState
  readonly onAirMs?: number
  readonly position?: { readonly item: number; readonly ms: number; readonly fromMs: number }
  /** ffmpeg's output time, as last seen. */
  readonly sentMs?: number
  /** Which item of its playlist plays. */
  readonly place?: Place | null
  /** Which rendition of its video plays; null: the video as it is. */
  readonly recipe?: string | null
  readonly sample?: StreamSample
  readonly reason: string | null
  readonly restarts?: number
  readonly liveSince?: number | null
  readonly endedAt?: number
  readonly onFallback?: boolean
  /** Something to know while all is well. */
  readonly notice?: string | null
  /** A video that was asked for and plays now: from here on it is the stream's own. */
  readonly swappedTo?: { readonly videoId: string; readonly filename: string } | undefined
  /** The ffmpeg that carries it, so that a later start of the program finds it. */
  readonly process?: { readonly pid: number; readonly birth: string } | null
}

/** Null: another worker has claimed it since. */
export async function writeChange(db: Db, { id, epoch }: Claim, change: StreamChange) {
  const [row] = await writeColumns(db, columnsOf(change), id, epoch)
  return row ?? null
}

const writeColumns = compileByColumns((db, columns: Updateable<StreamTable>, id: string, epoch: number) =>
  db.updateTable('streams').set(columns).where('id', '=', id).where('epoch', '=', epoch).returning('broadcast_id'),
)

function columnsOf({ position, place, sample, process, onFallback, ...change }: StreamChange): Updateable<StreamTable> {
  return {
    phase: change.state.at,
    state: JSON.stringify(change.state),
    reason: change.reason,
    restarts: change.restarts,
    live_since: change.liveSince,
    on_air_ms: change.onAirMs,
    ended_at: change.endedAt,
    on_fallback: onFallback === undefined ? undefined : Number(onFallback),
    note: change.notice,
    ...(process !== undefined && { pid: process?.pid ?? null, pid_birth: process?.birth ?? null }),
    ...(position && {
      position_item: position.item,
      position_ms: Math.round(position.ms),
      position_from_ms: Math.round(position.fromMs),
    }),
    ...(place && { position_item_id: place.itemId, position_round: place.round }),
    position_recipe: change.recipe,
    sent_ms: change.sentMs,
    ...(sample && { bitrate_kbps: sample.bitrateKbps, speed: sample.speed, frames: sample.frames }),
  }
}
