import type { PlaylistNow } from '@siarin/contracts/playlists'
import type { ActiveStream } from '@siarin/contracts/streams'
import type { VideoPreparation } from '@siarin/contracts/videos'
import type { Clock } from '../../../platform/clock.ts'
import type { Changes } from '../../../platform/db/changes.ts'
import { createMemory } from '../../../platform/memory.ts'
import type { Awaitable } from '../../../platform/when-known.ts'
import type { LibraryService } from '../../library/library.service.ts'
import type { NamedStreamRow, StreamsRepo } from '../store/streams.repo.ts'
import { describeStream, type SourceOf, toActiveStream, uptimeHoldsUntil } from './stream-views.ts'

interface ActiveStreamsDeps {
  repo: Pick<StreamsRepo, 'activeOf'>
  sourceOf: SourceOf
  clock: Clock
  library: Pick<LibraryService, 'preparations'>
  changes: Pick<Changes, 'of' | 'seesOthers'>
  /** What each plays of its list, by stream. */
  playlistsNow: (rows: readonly NamedStreamRow[]) => Promise<ReadonlyMap<string, PlaylistNow>>
}

interface Described {
  readonly row: NamedStreamRow
  readonly stream: ActiveStream
}

/** What was answered last, and while it would be answered again. */
interface Answered {
  readonly streams: readonly ActiveStream[]
  readonly fromMs: number
  readonly untilMs: number
}

const MOST_WORKSPACES = 1_000
const LIFE_MS = 1_000

/**
 * The wanted streams of a workspace. Pages, feeds and scripts ask for them far more often than they change: where the database tells of every
 * change, also of those that a worker elsewhere makes, the rows are read once for each, and the answer is the same object as long as nothing in
 * it passes. What is sealed is opened for each answer anew, and not kept.
 */
export function createActiveStreams({ repo, sourceOf, clock, changes, library, playlistsNow }: ActiveStreamsDeps) {
  const { version } = changes.of(['streams', 'broadcasts', 'videos', 'users', 'playlists', 'playlist_items'])
  const memory = createMemory<readonly Described[]>({ version, lifeMs: LIFE_MS, most: MOST_WORKSPACES })

  async function read(workspaceId: string): Promise<readonly Described[]> {
    const rows = await repo.activeOf(workspaceId)
    const lists = await playlistsNow(rows)
    return rows.map((row) => ({ row, stream: describeStream(row, lists.get(row.id) ?? null) }))
  }

  const recall = (workspaceId: string): Awaitable<readonly Described[] | null> =>
    changes.seesOthers ? memory.recall(workspaceId, () => read(workspaceId)) : read(workspaceId)

  const answered = new WeakMap<readonly Described[], Answered>()

  return async (workspaceId: string): Promise<readonly ActiveStream[]> => {
    const described = (await recall(workspaceId)) ?? []
    const known = answered.get(described)
    const now = clock.now()
    if (known && now >= known.fromMs && now < known.untilMs) return known.streams
    const rows = described.map(({ row }) => row)
    // They change with every moment of a preparation.
    const preparations = await preparationsOf(library, rows)
    const streams = described.map(({ row, stream }) =>
      toActiveStream(row, now, sourceOf, stream, preparations.get(row.id) ?? null),
    )
    const isKept = rows.every((row) => row.source_sealed === null && !preparations.has(row.id))
    if (isKept) answered.set(described, { streams, fromMs: now, untilMs: Math.min(...rows.map(uptimeHoldsUntil(now))) })
    return streams
  }
}

/** The preparations of those that wait for their video, by stream: no worker has taken them yet. */
export async function preparationsOf(
  library: ActiveStreamsDeps['library'],
  rows: readonly NamedStreamRow[],
): Promise<ReadonlyMap<string, VideoPreparation>> {
  const awaited = rows.flatMap(({ id, worker, source_kind, video_id, next_video_id }) => {
    const videoId = next_video_id ?? video_id
    return worker === null && source_kind === 'video' && videoId !== null ? [{ id, videoId }] : []
  })
  if (awaited.length === 0) return new Map()
  const found = await library.preparations(awaited.map(({ videoId }) => videoId))
  return new Map(
    awaited.flatMap(({ id, videoId }) => {
      const preparation = found.get(videoId)
      return preparation ? [[id, preparation]] : []
    }),
  )
}
