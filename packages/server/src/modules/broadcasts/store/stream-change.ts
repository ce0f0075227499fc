import type { StreamState } from '@siarin/media/stream-state'
import type { Db } from '../../../platform/db/database.ts'
import type { Place } from '../../playlists/next-item.ts'
import type { Claim, StreamSample } from './stream-figures.ts'

export interface StreamChange {
  readonly state: StreamState
  readonly onAirMs?: number
  readonly position?: { readonly item: number; readonly ms: number; readonly fromMs: number }
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
export async function writeChange(db: Db, claim: Claim, change: StreamChange) {
  const row = await db
    .updateTable('streams')
    .set({
      phase: change.state.at,
      state: JSON.stringify(change.state),
      reason: change.reason,
      ...(change.restarts === undefined ? {} : { restarts: change.restarts }),
      ...(change.liveSince === undefined ? {} : { live_since: change.liveSince }),
      ...(change.onAirMs === undefined ? {} : { on_air_ms: change.onAirMs }),
      ...(change.endedAt === undefined ? {} : { ended_at: change.endedAt }),
      ...(change.onFallback === undefined ? {} : { on_fallback: change.onFallback ? 1 : 0 }),
      ...(change.notice === undefined ? {} : { note: change.notice }),
      ...(change.process === undefined
        ? {}
        : { pid: change.process?.pid ?? null, pid_birth: change.process?.birth ?? null }),
      ...(change.position && {
        position_item: change.position.item,
        position_ms: Math.round(change.position.ms),
        position_from_ms: Math.round(change.position.fromMs),
      }),
      ...(change.place && { position_item_id: change.place.itemId, position_round: change.place.round }),
      ...(change.recipe === undefined ? {} : { position_recipe: change.recipe }),
      ...(change.sample && {
        bitrate_kbps: change.sample.bitrateKbps,
        speed: change.sample.speed,
        frames: change.sample.frames,
      }),
    })
    .where('id', '=', claim.id)
    .where('epoch', '=', claim.epoch)
    .returning('broadcast_id')
    .executeTakeFirst()
  return row ?? null
}
