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
import { ONLINE_TEXTS, STREAM_TEXTS } from '@siarin/contracts/texts'
import { Secret } from '@siarin/media/secret'
import { initialState } from '@siarin/media/stream-state'
import { DomainError, isDiskFull, OperationalError } from '../../../errors.ts'
import type { Clock } from '../../../platform/clock.ts'
import { isForeignKeyViolation, uniqueViolation } from '../../../platform/db/database.ts'
import type { Events } from '../../../platform/events/events.ts'
import type { Queue } from '../../../platform/queue/queue.ts'
import type { Sealer } from '../../../platform/secrets/seal.ts'
import type { Caller } from '../../identity/caller.ts'
import type { PlansService } from '../../plans/index.ts'
import type { OnlineSources, PreviewsOf } from '../../platforms/index.ts'
import type { ChooseSource } from '../spec/choose-source.ts'
import { onlineRefOf } from '../spec/online-ref.ts'
import type { Target } from '../spec/resolve-target.ts'
import type { NamedStreamRow, StreamsRepo } from '../store/streams.repo.ts'
import type { Shortage } from '../store/workers.repo.ts'
import { toActiveStream, toEndedStream, toIncident } from './stream-views.ts'

export interface StreamsService {
  start(caller: Caller, body: StartStreamBody): Promise<string>
  /** 'stopping': it was asked to, and is not off air yet. 'stoppedUnwritten': it is, and the disk was too full to note it. */
  stop(caller: Caller, body: StopStreamBody): Promise<'stopped' | 'stopping' | 'stoppedUnwritten'>
  /** Another video comes when the one that plays has come to its end. */
  swap(caller: Caller, body: SwapStreamBody): Promise<void>
  active(caller: Caller): Promise<ActiveStream[]>
  /** What has ended, newest first. */
  history(caller: Caller): Promise<EndedStream[]>
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
  chooseSource: ChooseSource
  plans: Pick<PlansService, 'limitsOf' | 'streamRefusal'>
  sources: Pick<OnlineSources, 'locate'>
  previewsOf: PreviewsOf
  /** What was begun at a platform for this target ends with this stream. */
  linkBroadcast: (link: { userId: string; targetMark: string; streamId: string }) => Promise<void>
  sealer: Sealer
  clock: Clock
  events: Events
  /** Why one more stream cannot be taken on; null: it can. */
  shortage: () => Promise<Shortage | null>
  resolveTarget: (platform: StartStreamBody['platform'], typed: Secret) => Promise<Target>
}

/** A stop is answered once the broadcast is off air, or after this long: the row has the wish, the worker carries it out. */
const STOP_ANSWER_MS = 5_000
const STOP_LOOK_MS = 50
/** Longer than an ffmpeg that does not listen is given. */
const STOP_HEARD_MS = 8_000
/** Each lost race means that another stream of this user took the place: nobody starts more than this at once. */
const MOST_PLACE_TRIES = 500
const FULL_TEXTS: Record<Shortage, string> = {
  places: STREAM_TEXTS.serverFull,
  cpu: STREAM_TEXTS.serverBusy,
  memory: STREAM_TEXTS.serverMemoryFull,
}
const sameTarget = (): DomainError => new DomainError('target_in_use', STREAM_TEXTS.sameTarget)

const HISTORY_LIMIT = 100
const INCIDENTS_LIMIT = 500

export function createStreamsService(deps: StreamsServiceDeps): StreamsService {
  const { repo, queue, chooseSource, sealer, clock, events, resolveTarget } = deps

  const sourceOf = (row: NamedStreamRow): string =>
    row.source_sealed === null ? row.source : sealer.open(row.source_sealed).reveal()

  /** What was typed, or what an earlier stream of the same person was sent to. */
  async function wantedTarget({ workspaceId }: Caller, { rtmpStream, targetOf }: StartStreamBody): Promise<Secret> {
    if (rtmpStream || !targetOf) return new Secret(rtmpStream)
    const earlier = await repo.byId(targetOf)
    if (earlier?.user_id !== workspaceId) throw new DomainError('stream_not_found', STREAM_TEXTS.targetNotKept)
    return sealer.open(earlier.target_sealed)
  }

  type NewStream = Parameters<StreamsRepo['insert']>[0]

  /** A double click, or the same key in two tabs: the database lets one of them through. Null: the place was taken meanwhile. */
  async function insertAt(slot: number, stream: NewStream): Promise<number | null> {
    try {
      await repo.insert({ ...stream, slot })
      return slot
    } catch (error) {
      const constraint = uniqueViolation(error)
      if (constraint?.includes('target')) throw sameTarget()
      if (constraint?.includes('slot')) return null
      // Deleted since it was chosen.
      if (isForeignKeyViolation(error)) {
        throw new DomainError(
          'source_invalid',
          stream.fallback_video_id ? ONLINE_TEXTS.fallbackInvalid : STREAM_TEXTS.sourceInvalid,
        )
      }
      throw error
    }
  }

  /**
   * A second press on Go Live is told that the first one runs, and not that nothing is left for it. So this is asked after whatever may
   * be short has been looked at: of two starts at once, one may be what the other finds too many.
   */
  async function takenPlaces(workspaceId: string, targetMark: string): Promise<Set<number>> {
    const places = await repo.activePlaces(workspaceId)
    if (places.some((place) => place.target_mark === targetMark)) throw sameTarget()
    return new Set(places.map(({ slot }) => slot))
  }

  /** Takes one of the places that the plan has. However many ask at once, each place is given once, by the database. */
  async function insertWithinPlan(stream: NewStream): Promise<void> {
    const { concurrentStreams } = await deps.plans.limitsOf(stream.user_id)
    for (let tries = 0; tries < MOST_PLACE_TRIES; tries++) {
      const taken = await takenPlaces(stream.user_id, stream.target_mark)
      if (taken.size >= concurrentStreams) throw await deps.plans.streamRefusal(stream.user_id)
      let free = 0
      while (taken.has(free)) free++
      if ((await insertAt(free, stream)) !== null) return
    }
    throw new OperationalError('no place that looks free can be had')
  }

  /** Whether this program says before long that the stream is off air. */
  function hearEnd(streamId: string): Promise<boolean> {
    return new Promise((resolve) => {
      const answer = (isOver: boolean): void => {
        clearTimeout(timer)
        leave()
        resolve(isOver)
      }
      const timer = setTimeout(answer, STOP_HEARD_MS, false)
      const leave = events.on('stream.changed', (change) => {
        if (change.streamId === streamId && change.phase === 'ended') answer(true)
      })
    })
  }

  return {
    async start(caller, body) {
      const source = await chooseSource.ofStart(caller, body)
      const target = await resolveTarget(body.platform, await wantedTarget(caller, body))
      const targetMark = sealer.mark(target.url)
      const shortage = await deps.shortage()
      if (shortage) {
        await takenPlaces(caller.workspaceId, targetMark)
        throw new DomainError('server_full', FULL_TEXTS[shortage])
      }
      const id = randomUUID()
      await insertWithinPlan({
        id,
        user_id: caller.workspaceId,
        ...source,
        note: null,
        platform: body.platform,
        title: body.title || null,
        target_sealed: sealer.seal(target.url),
        target_host: target.host,
        target_mark: targetMark,
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
        end_cause: null,
      })
      await deps.linkBroadcast({ userId: caller.workspaceId, targetMark, streamId: id })
      await repo.note(id, { at: clock.now(), kind: 'asked', reason: null, offAirMs: null })
      await queue.add('stream', id)
      return id
    },

    async stop(caller, { streamId }) {
      const stream = await repo.byId(streamId)
      if (!stream || stream.user_id !== caller.workspaceId || stream.phase === 'ended') {
        throw new DomainError('stream_not_found', STREAM_TEXTS.streamNotFound)
      }
      const state = { at: 'ended', reason: 'stopped', cause: null } as const
      try {
        await repo.askStop(streamId)
        if (await repo.endIfUnclaimed(streamId, { state, reason: null, endedAt: clock.now() })) return 'stopped'
      } catch (error) {
        // Nobody can write the wish down, but whoever has the stream here can still end it, and then says so.
        const heard = hearEnd(streamId)
        events.emit('stream.stop-asked', { streamId })
        if (isDiskFull(error) && (await heard)) return 'stoppedUnwritten'
        throw error
      }
      events.emit('stream.stop-asked', { streamId })
      for (const until = Date.now() + STOP_ANSWER_MS; Date.now() < until; await sleep(STOP_LOOK_MS)) {
        if ((await repo.byId(streamId))?.phase === 'ended') return 'stopped'
      }
      return 'stopping'
    },

    async swap(caller, { streamId, source }) {
      const stream = await repo.byId(streamId)
      if (!stream || stream.user_id !== caller.workspaceId || stream.phase === 'ended') {
        throw new DomainError('stream_not_found', STREAM_TEXTS.streamNotFound)
      }
      if (stream.source_kind !== 'video') throw new DomainError('swap_impossible', ONLINE_TEXTS.swapImpossible)
      const video = await chooseSource.ownVideo(caller, source)
      await repo.askSwap(streamId, video.id).catch((error) => {
        if (isForeignKeyViolation(error)) throw new DomainError('source_invalid', STREAM_TEXTS.sourceInvalid)
        throw error
      })
      events.emit('stream.swap-asked', { streamId })
    },

    async active(caller) {
      return (await repo.activeOf(caller.workspaceId)).map((row) => toActiveStream(row, clock.now(), sourceOf))
    },

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
