import type { Broadcast, BroadcastStream } from '@siarin/contracts/broadcasts'
import type { StreamPhase } from '@siarin/contracts/streams'
import type { VideoPreparation } from '@siarin/contracts/videos'
import { readState } from '@siarin/media/stream-state'
import type { BroadcastRow, NamedStreamRow } from '../store/streams.repo.ts'
import { describeStream, isoOf, reasonText, uptimeOf } from './stream-views.ts'

/** The further on, the earlier. */
const FURTHEST_FIRST: readonly StreamPhase[] = ['live', 'starting', 'waiting', 'queued', 'stopping', 'ended']

export const stateOfAll = (phases: readonly string[]): StreamPhase =>
  FURTHEST_FIRST.find((phase) => phases.includes(phase)) ?? 'ended'

interface BroadcastParts {
  readonly streams: readonly NamedStreamRow[]
  readonly source: string
  readonly now: number
  /** The preparation of the video that it waits for. */
  readonly preparation: VideoPreparation | null
}

export const toBroadcast = (row: BroadcastRow, { streams, source, now, preparation }: BroadcastParts): Broadcast => ({
  broadcastId: row.id,
  title: row.title,
  source,
  sourceName: row.source,
  online: row.source_kind !== 'video',
  accountId: row.source_account_id,
  looping: row.looping === 1,
  startedAt: isoOf(row.created_at),
  endedAt: row.ended_at === null ? null : isoOf(row.ended_at),
  state: stateOfAll(streams.map(({ phase }) => phase)),
  preparation,
  streams: streams.map((stream) => toBroadcastStream(stream, now, preparation !== null)),
})

function toBroadcastStream(row: NamedStreamRow, now: number, awaitsVideo: boolean): BroadcastStream {
  const { broadcastId, source, online, accountId, fallback, title, preparation, ...described } = describeStream(row)
  const state = readState(row.state)
  return {
    ...described,
    reason: awaitsVideo && row.phase !== 'ended' ? reasonText('video-preparing') : described.reason,
    uptime: uptimeOf(row, now),
    endedAt: row.ended_at === null ? null : isoOf(row.ended_at),
    ended: state.at === 'ended' ? state.reason : null,
  }
}
