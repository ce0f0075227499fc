import { randomUUID } from 'node:crypto'
import { BROADCAST_TEXTS } from '@siarin/contracts/broadcast-texts'
import { MOST_TARGETS } from '@siarin/contracts/broadcasts'
import { STREAM_TEXTS } from '@siarin/contracts/texts'
import { initialState } from '@siarin/media/stream-state'
import { DomainError } from '../../../errors.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Queue } from '../../../platform/queue/queue.ts'
import type { BroadcastRow, NewStream, StreamRow, StreamsRepo } from '../store/streams.repo.ts'
import { createPlaces, type PlacesDeps } from './places.ts'
import type { BroadcastSpec } from './specify.ts'
import type { TargetSpec } from './specify-targets.ts'

interface LaunchDeps extends PlacesDeps {
  repo: Pick<StreamsRepo, 'insert' | 'extend' | 'activePlaces'>
  queue: Pick<Queue, 'add'>
  /** What was begun at a platform for this target ends with this stream. */
  linkBroadcast: (link: { userId: string; targetMark: string; streamId: string }) => Promise<void>
  /** Its video was looked at just now, and can be sent. */
  knowReady: (streamId: string) => void
  clock: Clock
}

/** Puts a specified broadcast on air. Answers its id, which its first stream has too. */
export function createLaunch(deps: LaunchDeps) {
  const take = createPlaces(deps)
  const begin = createBegin(deps)
  return async function launch(spec: BroadcastSpec): Promise<string> {
    const { id } = spec
    const asked = askedFor(spec.workspaceId, spec.targets, spec.source.fallback_video_id)
    const common = commonColumns(spec)
    let streams: readonly NewStream[] = []
    await take(asked, async (places) => {
      const [first, ...others] = newStreams(spec.targets, places, common, deps.clock.now())
      if (!first) throw new DomainError('target_invalid', BROADCAST_TEXTS.targetsRequired)
      streams = [{ ...first, id }, ...others]
      await deps.repo.insert({ ...first, id }, others)
    })
    if (!spec.awaitsVideo) for (const stream of streams) deps.knowReady(stream.id)
    await begin(streams)
    return id
  }
}

/** Sends a broadcast that is wanted to further targets, from where its other streams are. Answers the ids of the new streams. */
export function createExtend(deps: LaunchDeps) {
  const take = createPlaces(deps)
  const begin = createBegin(deps)
  return async function extend(broadcast: BroadcastRow, targets: readonly TargetSpec[]): Promise<string[]> {
    let streams: readonly NewStream[] = []
    await take(askedFor(broadcast.user_id, targets, broadcast.fallback_video_id), async (places) => {
      const isOpen = await deps.repo.extend(broadcast.id, (like, count) => {
        if (count + targets.length > MOST_TARGETS) {
          throw new DomainError('invalid_input', BROADCAST_TEXTS.targetsTooMany(MOST_TARGETS))
        }
        streams = newStreams(targets, places, likeStream(like), deps.clock.now())
        return streams
      })
      if (!isOpen) throw new DomainError('stream_not_found', STREAM_TEXTS.streamNotFound)
    })
    await begin(streams)
    return streams.map(({ id }) => id)
  }
}

const askedFor = (userId: string, targets: readonly TargetSpec[], fallback: string | null) => ({
  userId,
  targetMarks: targets.map(({ mark }) => mark),
  hasFallback: fallback !== null,
})

/** Their rows are written. */
const createBegin =
  ({ queue, linkBroadcast }: LaunchDeps) =>
  async (streams: readonly NewStream[]): Promise<void> => {
    for (const { id, user_id: userId, target_mark: targetMark } of streams) {
      await linkBroadcast({ userId, targetMark, streamId: id })
      await queue.add('stream', id)
    }
  }

type OwnColumns = 'id' | 'slot' | 'created_at' | 'platform' | 'target_sealed' | 'target_host' | 'target_mark'
/** What the streams of a broadcast have in common when they begin. */
type CommonColumns = Omit<NewStream, OwnColumns | 'target_id' | 'target_name' | 'recipe'>

const newStreams = (
  targets: readonly TargetSpec[],
  places: readonly number[],
  common: CommonColumns,
  now: number,
): NewStream[] =>
  targets.map(({ platform, sealed, host, mark, id, name, recipe }, index) => ({
    ...common,
    id: randomUUID(),
    slot: places[index] ?? 0,
    created_at: now,
    platform,
    target_sealed: sealed,
    target_host: host,
    target_mark: mark,
    target_id: id,
    target_name: name,
    recipe,
  }))

const NOT_BEGUN = {
  desired: 'live',
  note: null,
  phase: initialState.at,
  state: JSON.stringify(initialState),
  reason: null,
  worker: null,
  pid: null,
  pid_birth: null,
  live_since: null,
  ended_at: null,
  end_cause: null,
} as const

const commonColumns = ({ workspaceId, source, title, looping, record }: BroadcastSpec): CommonColumns => ({
  ...NOT_BEGUN,
  ...source,
  user_id: workspaceId,
  title,
  looping: looping ? 1 : 0,
  record: record ? 1 : 0,
})

/** Where that is in what it plays. */
const likeStream = (row: StreamRow): CommonColumns => ({
  ...NOT_BEGUN,
  user_id: row.user_id,
  title: row.title,
  looping: row.looping,
  record: row.record,
  source: row.source,
  source_kind: row.source_kind,
  source_sealed: row.source_sealed,
  source_finite: row.source_finite,
  source_account_id: row.source_account_id,
  fallback_video_id: row.fallback_video_id,
  video_id: row.video_id,
  next_video_id: row.next_video_id,
  playlist_id: row.playlist_id,
  playlist_start_item: row.playlist_start_item,
  playlist_skip: row.playlist_skip,
  position_item_id: row.position_item_id,
  position_round: row.position_round,
  position_item: row.position_item,
  position_ms: row.position_ms,
  position_from_ms: 0,
})
