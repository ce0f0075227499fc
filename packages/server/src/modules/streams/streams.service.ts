import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type {
  ActiveStream,
  EndedStream,
  StartStreamBody,
  StopStreamBody,
  StreamIncident,
  SwapStreamBody,
} from '@siarin/contracts/streams'
import { STREAM_TEXTS, VIDEO_TEXTS } from '@siarin/contracts/texts'
import { initialState } from '@siarin/media/stream-state'
import { DomainError } from '../../errors.ts'
import type { Caller } from '../../http/caller.ts'
import type { Clock } from '../../platform/clock.ts'
import { uniqueViolation } from '../../platform/db/database.ts'
import type { Events } from '../../platform/events/events.ts'
import type { Queue } from '../../platform/queue/queue.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { LibraryService } from '../library/library.service.ts'
import type { Target } from './resolve-target.ts'
import { sourceFilename } from './source-filename.ts'
import { toActiveStream, toEndedStream, toIncident } from './stream-views.ts'
import type { StreamsRepo } from './streams.repo.ts'

export interface StreamsService {
  start(caller: Caller, body: StartStreamBody): Promise<string>
  /** 'stopping': it was asked to, and is not off air yet. */
  stop(caller: Caller, body: StopStreamBody): Promise<'stopped' | 'stopping'>
  /** Another video comes when the one that plays has come to its end. */
  swap(caller: Caller, body: SwapStreamBody): Promise<void>
  active(caller: Caller): Promise<ActiveStream[]>
  /** What has ended, newest first. */
  history(caller: Caller): Promise<EndedStream[]>
  /** What happened to one stream, newest first. */
  incidents(caller: Caller, streamId: string): Promise<StreamIncident[]>
  isVideoInUse(videoId: string): Promise<boolean>
  /** Puts every stream that should be on air back into the queue: after a crash the queue of one machine is empty, the rows are not. */
  resume(): Promise<number>
}

interface StreamsServiceDeps {
  repo: StreamsRepo
  queue: Queue
  library: Pick<LibraryService, 'find'>
  sealer: Sealer
  clock: Clock
  events: Events
  hasRoom: () => Promise<boolean>
  resolveTarget: (platform: StartStreamBody['platform'], typed: string) => Promise<Target>
}

/** A stop is answered once the broadcast is off air, or after this long: the row has the wish, the worker carries it out. */
const STOP_ANSWER_MS = 5_000
const STOP_LOOK_MS = 50
const HISTORY_LIMIT = 100
const INCIDENTS_LIMIT = 500

export function createStreamsService(deps: StreamsServiceDeps): StreamsService {
  const { repo, queue, library, sealer, clock, events, hasRoom, resolveTarget } = deps

  async function findSource(caller: Caller, source: string) {
    const filename = sourceFilename(source)
    if (filename === null) throw new DomainError('source_invalid', STREAM_TEXTS.sourceInvalid)
    const video = await library.find(caller, filename).catch((error) => {
      if (error instanceof DomainError) throw new DomainError('source_invalid', STREAM_TEXTS.sourceInvalid)
      throw error
    })
    if (video.status === 'failed') throw new DomainError('video_not_ready', VIDEO_TEXTS.failedEarlier)
    if (video.status !== 'ready') throw new DomainError('video_not_ready', VIDEO_TEXTS.notReady)
    return video
  }

  /** A double click, or the same key in two tabs: the database lets one of them through. */
  async function insertUnlessInUse(stream: Parameters<StreamsRepo['insert']>[0]): Promise<void> {
    try {
      await repo.insert(stream)
    } catch (error) {
      if (!uniqueViolation(error)?.includes('target')) throw error
      throw new DomainError('target_in_use', STREAM_TEXTS.sameTarget)
    }
  }

  return {
    async start(caller, body) {
      const video = await findSource(caller, body.source)
      const target = await resolveTarget(body.platform, body.rtmpStream)
      if (!(await hasRoom())) throw new DomainError('server_full', STREAM_TEXTS.serverFull)
      const id = randomUUID()
      await insertUnlessInUse({
        id,
        user_id: caller.userId,
        video_id: video.id,
        source: video.filename,
        source_sealed: null,
        source_account_id: null,
        fallback_video_id: null,
        note: null,
        platform: body.platform,
        title: body.title || null,
        target_sealed: sealer.seal(target.url),
        target_host: target.host,
        target_mark: sealer.mark(target.url),
        looping: body.looping ? 1 : 0,
        desired: 'live',
        phase: initialState.at,
        state: JSON.stringify(initialState),
        reason: null,
        worker: null,
        pid: null,
        pid_birth: null,
        created_at: clock.now(),
        live_since: null,
        ended_at: null,
      })
      await repo.note(id, { at: clock.now(), kind: 'asked', reason: null, offAirMs: null })
      await queue.add('stream', id)
      return id
    },

    async stop(caller, { streamId }) {
      const stream = await repo.byId(streamId)
      if (!stream || stream.user_id !== caller.userId || stream.phase === 'ended') {
        throw new DomainError('stream_not_found', STREAM_TEXTS.streamNotFound)
      }
      try {
        await repo.askStop(streamId)
        const state = { at: 'ended', reason: 'stopped', cause: null } as const
        if (await repo.endIfUnclaimed(streamId, { state, reason: null, endedAt: clock.now() })) return 'stopped'
      } finally {
        // Also when the wish could not be written down, on a full disk: whoever keeps the stream here can still end it.
        events.emit('stream.stop-asked', { streamId })
      }
      for (const until = Date.now() + STOP_ANSWER_MS; Date.now() < until; await sleep(STOP_LOOK_MS)) {
        if ((await repo.byId(streamId))?.phase === 'ended') return 'stopped'
      }
      return 'stopping'
    },

    async swap(caller, { streamId, source }) {
      const stream = await repo.byId(streamId)
      if (!stream || stream.user_id !== caller.userId || stream.phase === 'ended') {
        throw new DomainError('stream_not_found', STREAM_TEXTS.streamNotFound)
      }
      const video = await findSource(caller, source)
      await repo.askSwap(streamId, video.id)
      events.emit('stream.swap-asked', { streamId })
    },

    async active(caller) {
      return (await repo.activeOf(caller.userId)).map((row) => toActiveStream(row, clock.now()))
    },

    async history(caller) {
      return (await repo.endedOf(caller.userId, HISTORY_LIMIT)).map(toEndedStream)
    },

    async incidents(caller, streamId) {
      const stream = await repo.byId(streamId)
      if (stream?.user_id !== caller.userId) throw new DomainError('stream_not_found', STREAM_TEXTS.streamNotFound)
      return (await repo.eventsOf(streamId, INCIDENTS_LIMIT)).map(toIncident)
    },

    isVideoInUse: (videoId) => repo.isVideoInUse(videoId),

    async resume() {
      const ids = await repo.activeIds()
      for (const id of ids) await queue.add('stream', id)
      return ids.length
    },
  }
}
