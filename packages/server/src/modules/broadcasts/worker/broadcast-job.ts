import type { Platform } from '@siarin/contracts/platforms'
import type { Clock } from '../../../platform/clock.ts'
import type { Events } from '../../../platform/events/events.ts'
import type { MachineShortage } from '../../../platform/process/machine-load.ts'
import { createSendQueues } from '../../../platform/process/send-queues.ts'
import type { JobContext, JobOutcome } from '../../../platform/queue/queue.ts'
import type { Timings } from '../../../platform/timings.ts'
import type { LibraryService } from '../../library/library.service.ts'
import type { PlansService } from '../../plans/index.ts'
import type { PollLoop } from '../keeper/poll-loop.ts'
import type { SampleWriter } from '../keeper/sample-writer.ts'
import { keepStream } from '../keeper/stream-keeper.ts'
import type { StreamMeter } from '../keeper/stream-meter.ts'
import { createEncoders } from '../relay/encoders.ts'
import { takesEncoder } from '../relay/relay.ts'
import type { BroadcastProcess } from '../sender/broadcast-process.ts'
import { type ClipLibrary, createClips } from '../sequence/clips.ts'
import { SCHEDULE_ENDED } from '../store/scheduled-broadcasts.ts'
import type { StreamRow, StreamsRepo } from '../store/streams.repo.ts'
import { createAskedStops } from './asked-stops.ts'
import type { AssignedContext } from './assignments.ts'
import type { AwaitedVideos } from './awaited-videos.ts'
import { cameToEnd } from './came-to-end.ts'
import { createLagEnds } from './lag-ends.ts'
import type { LeftProcesses } from './left-processes.ts'
import { createSessionStarter, type SessionStarterDeps } from './session-starter.ts'
import { createUnheldStreams } from './unheld-streams.ts'

export interface BroadcastJobDeps extends Omit<SessionStarterDeps, 'repo' | 'clips' | 'encoders' | 'plans'> {
  repo: Pick<StreamsRepo, 'byId' | 'claim' | 'change' | 'playlistSeen' | 'isFirst'>
  awaited: Pick<AwaitedVideos, 'mustWait'>
  /** The name under which this machine claims streams. A restarted program has the same one, and so finds its own processes again. */
  worker: string
  pollLoop: PollLoop
  samples: SampleWriter
  meter: StreamMeter
  left: LeftProcesses
  library: ClipLibrary & Pick<LibraryService, 'hasOpenOrders'>
  plans: Pick<PlansService, 'libraryLimitsOf' | 'isOnTrial' | 'mustStop'>
  clock: Clock
  /** How far `clock` is from where it was last believed to be. */
  clockErrorMs: () => number
  events: Events
  timings: Pick<Timings, 'returningSourceMs' | 'growingSourceMs'>
  ffprobePath: string
  maxRelayEncodes: number
  keepOnExit: boolean
  /** How many streams this worker takes on. */
  maxStreams: number
  /** True: there is no other worker. */
  soleWorker: boolean
  /** Why the machine itself cannot bear one more; null: it can. */
  machineShortage: () => MachineShortage | null
  sessionLimits: Readonly<Record<Platform, number | null>>
}

/** One job of the queue is one broadcast, for as long as it lasts. */
export function createBroadcastJob(deps: BroadcastJobDeps) {
  const { repo, worker, left } = deps
  const kept = new Set<string>()
  const clips = createClips(deps.library, deps.ffprobePath)
  const encoders = createEncoders(deps.maxRelayEncodes)
  const sendQueues = createSendQueues()
  const mayEndForLag = createLagEnds()
  const unheld = createUnheldStreams(deps.storage)
  const sourceOf = createSessionStarter({ ...deps, clips, encoders })
  const askedStops = createAskedStops({ ...deps, isKept: (streamId) => kept.has(streamId), leftOf: left.adopt })

  const room = (): number => (deps.machineShortage() ? 0 : Math.max(0, deps.maxStreams - kept.size))

  /** A new stream is left to a machine that can bear it. One that was on air must come back, however tight it is. */
  const mustBeLeft = async (streamId: string): Promise<boolean> =>
    !deps.soleWorker && room() === 0 && (await repo.byId(streamId))?.worker === null

  const handle = async (streamId: string, context: JobContext & Partial<AssignedContext>): Promise<JobOutcome> => {
    if (await deps.awaited.mustWait(streamId)) return 'done'
    if (await mustBeLeft(streamId)) return 'again'
    kept.add(streamId)
    try {
      const outcome = await keep(streamId, context)
      if (outcome === 'done') askedStops.forget(streamId)
      return outcome
    } catch (error) {
      await askedStops.carryOut(streamId)
      throw error
    } finally {
      kept.delete(streamId)
      unheld.forget(streamId)
      encoders.release(streamId)
    }
  }

  async function keep(
    streamId: string,
    { signal, claim = () => repo.claim(streamId, worker) }: JobContext & Partial<AssignedContext>,
  ): Promise<JobOutcome> {
    const row = await claim()
    if (!row) return 'done'
    const process = left.adopt(row)
    const { relay, sequence, start, playingNow } = sourceOf(row)
    // Also where its ffmpeg is gone: what was on air comes before what is started now.
    if (takesEncoder(row.note)) encoders.takeOver({ streamId, owner: row.user_id, isOnTrial: false })
    const hearing = { ...deps, signal, row: askedStops.writtenIn(row) }
    const whileAway = await whatEndedWhileAway(deps, row, process)
    const playing = process && (await whileWanted(hearing, (hurry) => playingNow(process, hurry)))
    const outcome = await keepStream({
      ...deps,
      ...deps.timings,
      // From here on it hears of a Stop itself.
      row: askedStops.writtenIn(row),
      signal,
      sessionLimitMs: deps.sessionLimits[row.platform as Platform] ?? null,
      durationOf: clips.durationOf,
      adopted: playing && { process, ...playing, ...leftIn(row) },
      ...whileAway,
      relay,
      endCause: () => endCauseOf(deps, row),
      mayEndForLag: () => mayEndForLag(row.user_id),
      unsentOf: sendQueues.of,
      startProcess: unheld.noting(streamId, start),
      changeOfClip: sequence.change,
      following: sequence.following,
      passedOver: sequence.passedOver,
      releaseClip: clips.release,
    })
    if (whileAway.leftHasEnded && outcome === 'done') void left.forget(streamId)
    return outcome
  }

  return {
    handle,
    room,
    /** Everything that a start of this stream would wait for. Answers how to let go of it. */
    async prepare(streamId: string): Promise<() => void> {
      const row = await repo.byId(streamId)
      if (!row?.video_id || row.source_kind !== 'video') return () => {}
      const clip = await clips.find(row.video_id, { recipe: row.position_recipe })
      await clips.keyframeBefore(clip, row.position_ms, row.user_id)
      return () => clips.release(clip)
    },
    unheld: unheld.ids,
    isKept: (streamId: string): boolean => kept.has(streamId),
    keepsAny: (): boolean => kept.size > 0,
    count: (): number => kept.size,
    /** Hears of stops that no row may have. Answers how to stop listening. */
    listen: askedStops.listen,
  }
}

async function whatEndedWhileAway(
  { left, library }: Pick<BroadcastJobDeps, 'left' | 'library'>,
  row: StreamRow,
  process: BroadcastProcess | null,
) {
  const words = process ? null : left.lastWords(row.id)
  return { leftOutTimeMs: words?.outTimeMs ?? null, leftHasEnded: await cameToEnd(row, words, library) }
}

const leftIn = (row: StreamRow) => ({ item: row.position_item, onFallback: row.on_fallback === 1, note: row.note })

/** No keeper hears yet that a stream is to end, or to be left: then the work is to come to its end soon. */
async function whileWanted<T>(
  { events, signal, row }: { events: Events; signal: AbortSignal; row: StreamRow },
  work: (hurry: AbortSignal) => Promise<T>,
): Promise<T> {
  const hurry = new AbortController()
  const end = () => hurry.abort()
  const stopListening = events.on('stream.stop-asked', ({ streamId }) => {
    if (streamId === row.id) end()
  })
  signal.addEventListener('abort', end)
  if (signal.aborted || row.desired === 'stopped') end()
  try {
    return await work(hurry.signal)
  } finally {
    stopListening()
    signal.removeEventListener('abort', end)
  }
}

/** Why a stream is to be ended at the end of its pass; null: it may go on after all. */
async function endCauseOf(
  { repo, plans }: Pick<BroadcastJobDeps, 'repo' | 'plans'>,
  { id, user_id }: StreamRow,
): Promise<string | null> {
  const now = await repo.byId(id)
  if (now?.desired !== 'ending') return null
  if (now.end_cause === SCHEDULE_ENDED) return now.end_cause
  // Renewed a moment ago: the row still says otherwise.
  return (await plans.mustStop(user_id)) ? (now.end_cause ?? 'plan-ended') : null
}
