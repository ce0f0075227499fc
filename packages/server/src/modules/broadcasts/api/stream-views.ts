import type { PlaylistNow } from '@siarin/contracts/playlists'
import { streamEventReason } from '@siarin/contracts/stream-event-texts'
import { streamNoteText, streamReasonText } from '@siarin/contracts/stream-reason-texts'
import type { ActiveStream, EndedStream, StreamIncident } from '@siarin/contracts/streams'
import type { VideoPreparation } from '@siarin/contracts/videos'
import { readState } from '@siarin/media/stream-state'
import type { NamedStreamRow, StreamsRepo } from '../store/streams.repo.ts'

export const isoOf = (ms: number): string => new Date(ms).toISOString()

export const reasonText = (stored: string | null): string | null => (stored === null ? null : streamReasonText(stored))

/** What a start call would have to name to begin it again. */
export type SourceOf = (row: NamedStreamRow) => string

/**
 * A wanted stream as its owner sees it, but for three: the source may be sealed and is opened for each answer; `uptime` and the preparation of
 * its video pass.
 */
export function describeStream(row: NamedStreamRow, playlist: PlaylistNow | null = null): ActiveStream {
  const state = readState(row.state)
  return {
    streamId: row.id,
    broadcastId: row.broadcast_id,
    targetId: row.target_id,
    targetName: row.target_name,
    platform: row.platform as ActiveStream['platform'],
    source: '',
    sourceName: row.source,
    online: row.source_kind !== 'video',
    accountId: row.source_account_id,
    fallback: row.fallback_source,
    onFallback: row.on_fallback === 1,
    note: row.note === null ? null : streamNoteText(row.note),
    nextSource: row.next_source,
    playlist,
    startedAt: isoOf(row.created_at),
    title: row.title,
    state: row.phase as ActiveStream['state'],
    preparation: null,
    reason: reasonText(row.reason),
    since: row.live_since === null ? null : isoOf(row.live_since),
    firstLiveAt: state.at === 'ended' || state.firstLiveMs === null ? null : isoOf(state.firstLiveMs),
    nextTryAt: state.at === 'waiting' ? isoOf(state.untilMs) : null,
    bitrate: row.bitrate_kbps,
    speed: row.speed,
    frames: row.frames,
    restarts: row.restarts,
    reconnects: state.at === 'ended' ? 0 : state.reconnects,
    uptime: 0,
  }
}

type OnAir = Pick<NamedStreamRow, 'live_since' | 'on_air_ms'>

const onAirMs = ({ live_since, on_air_ms }: OnAir, now: number): number =>
  on_air_ms + (live_since === null ? 0 : Math.max(0, now - live_since))

/** In seconds. */
export const uptimeOf = (row: OnAir, now: number): number => Math.round(onAirMs(row, now) / 1000)

/** When `uptime` is another than it is now. */
export const uptimeHoldsUntil =
  (now: number) =>
  (row: OnAir): number =>
    row.live_since === null ? Number.POSITIVE_INFINITY : now + 1000 - ((onAirMs(row, now) + 500) % 1000)

/** A stream as its owner sees it while it is wanted. */
export const toActiveStream = (
  row: NamedStreamRow,
  now: number,
  sourceOf: SourceOf,
  described: ActiveStream = describeStream(row),
  preparation: VideoPreparation | null = null,
): ActiveStream => ({
  ...described,
  source: sourceOf(row),
  uptime: uptimeOf(row, now),
  preparation,
  reason: preparation ? reasonText('video-preparing') : described.reason,
})

/** With what the answer leaves out. */
export interface PastStream extends EndedStream {
  readonly reasonCode: string | null
}

export function toEndedStream(row: NamedStreamRow, sourceOf: SourceOf): PastStream {
  const state = readState(row.state)
  const endedAt = row.ended_at ?? row.created_at
  // What it waited for before it was first on air, such as its video, is no outage.
  const firstLiveMs = state.at === 'ended' ? state.firstLiveMs : undefined
  const wholeMs = Math.max(1, endedAt - (firstLiveMs ?? row.created_at))
  return {
    streamId: row.id,
    broadcastId: row.broadcast_id,
    targetId: row.target_id,
    targetName: row.target_name,
    platform: row.platform as EndedStream['platform'],
    source: sourceOf(row),
    sourceName: row.source,
    accountId: row.source_account_id,
    fallback: row.fallback_source,
    title: row.title,
    startedAt: isoOf(row.created_at),
    endedAt: isoOf(endedAt),
    ended: state.at === 'ended' ? state.reason : 'stopped',
    reason: reasonText(row.reason),
    reasonCode: row.reason,
    restored: row.end_cause === 'restored',
    restarts: row.restarts,
    onAirSeconds: Math.round(row.on_air_ms / 1000),
    onAirPercent: Math.min(100, Math.round((row.on_air_ms / wholeMs) * 1000) / 10),
  }
}

export const toIncident = (event: Awaited<ReturnType<StreamsRepo['eventsOf']>>[number]): StreamIncident => ({
  at: isoOf(event.at),
  kind: event.kind as StreamIncident['kind'],
  reason: streamEventReason(event.kind, event.reason),
  offAirSeconds: event.off_air_ms === null ? null : Math.round(event.off_air_ms / 100) / 10,
})
