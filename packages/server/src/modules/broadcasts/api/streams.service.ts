import { PLAYLIST_TEXTS } from '@siarin/contracts/playlist-texts'
import { playlistSource } from '@siarin/contracts/playlists'
import type { ActiveStream, StopStreamBody, StreamIncident, SwapStreamBody } from '@siarin/contracts/streams'
import { ONLINE_TEXTS, STREAM_TEXTS } from '@siarin/contracts/texts'
import { DomainError } from '../../../errors.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Changes } from '../../../platform/db/changes.ts'
import { isForeignKeyViolation } from '../../../platform/db/database.ts'
import type { Events } from '../../../platform/events/events.ts'
import type { Queue } from '../../../platform/queue/queue.ts'
import type { Sealer } from '../../../platform/secrets/seal.ts'
import type { Caller } from '../../identity/caller.ts'
import type { LibraryService } from '../../library/library.service.ts'
import type { OnlineSources, PreviewsOf } from '../../platforms/index.ts'
import type { PlaylistsRepo } from '../../playlists/playlists.repo.ts'
import type { ChooseSource } from '../spec/choose-source.ts'
import { onlineRefOf } from '../spec/online-ref.ts'
import type { BroadcastSpec, StartBody } from '../spec/specify.ts'
import type { NamedStreamRow, StreamsRepo } from '../store/streams.repo.ts'
import { createActiveStreams } from './active-streams.ts'
import { createPlaylistsNow } from './playlist-now.ts'
import { createSkipItem } from './skip-item.ts'
import type { createStop, StopOutcome } from './stop-stream.ts'
import { type PastStream, toEndedStream, toIncident } from './stream-views.ts'

interface StartedStream {
  readonly streamId: string
  /** It goes on air once its video is ready. */
  readonly awaitsVideo: boolean
}

export interface StreamsService {
  start(caller: Caller, body: StartBody): Promise<StartedStream>
  stop(caller: Caller, body: StopStreamBody): Promise<StopOutcome>
  /** Another video comes when the one that plays has come to its end. 'goesOn': that one was asked for, and nothing else comes. */
  swap(caller: Caller, body: SwapStreamBody): Promise<'swapping' | 'goesOn'>
  /** The item of its playlist that would come next is left out. */
  skip(caller: Caller, body: StopStreamBody): Promise<void>
  /** The same object as before while nothing has changed. */
  active(caller: Caller): Promise<readonly ActiveStream[]>
  /** What has ended, newest first. */
  history(caller: Caller): Promise<PastStream[]>
  /** What happened to one stream, newest first. */
  incidents(caller: Caller, streamId: string): Promise<StreamIncident[]>
  /** Where a browser can play what an online source sends; null while it sends nothing. */
  preview(caller: Caller, streamId: string): Promise<string | null>
  isAccountInUse(accountId: string): Promise<boolean>
  /** Puts every stream that should be on air back into the queue: after a crash the queue of one machine is empty, the rows are not. */
  resume(): Promise<number>
}

interface StreamsServiceDeps {
  repo: StreamsRepo
  queue: Queue
  specify: (caller: Caller, body: StartBody) => Promise<BroadcastSpec>
  launch: (spec: BroadcastSpec) => Promise<string>
  stop: Pick<ReturnType<typeof createStop>, 'stream'>
  chooseSource: Pick<ChooseSource, 'ownVideo'>
  sources: Pick<OnlineSources, 'locate'>
  library: Pick<LibraryService, 'preparations' | 'outlinesOf'>
  playlists: Pick<PlaylistsRepo, 'contents'>
  previewsOf: PreviewsOf
  sealer: Sealer
  clock: Clock
  events: Events
  changes: Pick<Changes, 'of' | 'seesOthers'>
}

const HISTORY_LIMIT = 100
const INCIDENTS_LIMIT = 500

export function createStreamsService(deps: StreamsServiceDeps): StreamsService {
  const { repo, queue, chooseSource, sealer, events } = deps

  const sourceOf = (row: NamedStreamRow): string => {
    if (row.playlist_id !== null) return playlistSource(row.playlist_id)
    return row.source_sealed === null ? row.source : sealer.open(row.source_sealed).reveal()
  }
  const activeOf = createActiveStreams({ ...deps, sourceOf, playlistsNow: createPlaylistsNow(deps) })

  return {
    async start(caller, body) {
      const spec = await deps.specify(caller, body)
      return { streamId: await deps.launch(spec), awaitsVideo: spec.awaitsVideo }
    },

    stop: deps.stop.stream,
    skip: createSkipItem(deps),

    async swap(caller, { streamId, source }) {
      const stream = await repo.byId(streamId)
      if (!stream || stream.user_id !== caller.workspaceId || stream.phase === 'ended') {
        throw new DomainError('stream_not_found', STREAM_TEXTS.streamNotFound)
      }
      if (stream.source_kind !== 'video') throw new DomainError('swap_impossible', ONLINE_TEXTS.swapImpossible)
      if (stream.playlist_id !== null) throw new DomainError('swap_impossible', PLAYLIST_TEXTS.noSwap)
      const video = await chooseSource.ownVideo(caller, source)
      await repo.askSwap(streamId, video.id).catch((error) => {
        if (isForeignKeyViolation(error)) throw new DomainError('source_invalid', STREAM_TEXTS.sourceInvalid)
        throw error
      })
      // Those of a worker elsewhere read the row.
      const streams = await repo.streamsOf([stream.broadcast_id])
      for (const { id } of streams) events.emit('stream.swap-asked', { streamId: id })
      return streams.every(({ phase, video_id }) => phase === 'ended' || video_id === video.id) ? 'goesOn' : 'swapping'
    },

    active: ({ workspaceId }) => activeOf(workspaceId),

    async history(caller) {
      return (await repo.endedOf(caller.workspaceId, HISTORY_LIMIT)).map((row) => toEndedStream(row, sourceOf))
    },

    async incidents(caller, streamId) {
      const stream = await repo.byId(streamId)
      if (stream?.user_id !== caller.workspaceId) throw new DomainError('stream_not_found', STREAM_TEXTS.streamNotFound)
      return (await repo.eventsOf(streamId, INCIDENTS_LIMIT)).map(toIncident)
    },

    async preview(caller, streamId) {
      const stream = await repo.byId(streamId)
      const ref = stream?.user_id === caller.workspaceId ? onlineRefOf(stream, sealer) : null
      if (!ref) throw new DomainError('stream_not_found', STREAM_TEXTS.streamNotFound)
      const located = await deps.sources.locate(caller.workspaceId, ref)
      return located.state === 'live' ? (await deps.previewsOf(caller.userId))(located.url) : null
    },

    isAccountInUse: (accountId) => repo.isAccountInUse(accountId),

    async resume() {
      const ids = await repo.activeIds()
      for (const id of ids) await queue.add('stream', id)
      return ids.length
    },
  }
}
