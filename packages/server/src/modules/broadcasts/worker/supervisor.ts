import { hostname } from 'node:os'
import type { Platform } from '@siarin/contracts/platforms'
import type { Clock } from '../../../platform/clock.ts'
import type { Events } from '../../../platform/events/events.ts'
import type { MachineShortage } from '../../../platform/process/machine-load.ts'
import { createSendQueues } from '../../../platform/process/send-queues.ts'
import type { JobHandler, JobOutcome, Queue } from '../../../platform/queue/queue.ts'
import { createRefill } from '../../../platform/queue/refill.ts'
import type { Timings } from '../../../platform/timings.ts'
import type { LibraryService } from '../../library/library.service.ts'
import type { PlansService } from '../../plans/index.ts'
import { createPollLoop } from '../keeper/poll-loop.ts'
import { createSampleWriter } from '../keeper/sample-writer.ts'
import { keepStream } from '../keeper/stream-keeper.ts'
import { createEncoders } from '../relay/encoders.ts'
import { createClips } from '../sequence/clips.ts'
import type { StreamsRepo } from '../store/streams.repo.ts'
import type { WorkersRepo } from '../store/workers.repo.ts'
import { createAskedStops } from './asked-stops.ts'
import { createLeftProcesses } from './left-processes.ts'
import { createSessionStarter, type SessionStarterDeps } from './session-starter.ts'
import { unattendedStreams } from './unattended-streams.ts'

interface SupervisorDeps extends Omit<SessionStarterDeps, 'repo' | 'clips' | 'encoders' | 'plans'> {
  repo: StreamsRepo
  workers: WorkersRepo
  library: Pick<LibraryService, 'findById' | 'playable'>
  maxRelayEncodes: number
  plans: Pick<PlansService, 'libraryLimitsOf' | 'isStopped'>
  queue: Queue
  clock: Clock
  events: Events
  timings: Pick<Timings, 'desiredStateMs' | 'refillMs' | 'returningSourceMs' | 'growingSourceMs'>
  ffprobePath: string
  keepOnExit: boolean
  /** How many streams this worker takes on. */
  maxStreams: number
  /** True: there is no other worker. */
  soleWorker: boolean
  /** Why the machine itself cannot bear one more; null: it can. */
  machineShortage: () => MachineShortage | null
  sessionLimits: Readonly<Record<Platform, number | null>>
}

export interface Supervisor {
  /** Ends what should not run, then takes streams from the queue. */
  start(): Promise<void>
  stop(): Promise<void>
}

const BEAT_MS = 2_000
const POLL_EVERY_MS = 500
const BETWEEN_LAG_ENDS_MS = 20_000

/** Runs in the worker role: one job of the queue is one broadcast, for as long as it lasts. */
export function createSupervisor(deps: SupervisorDeps): Supervisor {
  const { repo, queue, clock, events, log, timings } = deps
  // The machine's name, not the process: a restarted program must find its own processes again.
  const worker = hostname()
  const beatName = `${worker}/${process.pid}`
  const timers: NodeJS.Timeout[] = []
  const kept = new Set<string>()
  let endedForLagAt = Number.NEGATIVE_INFINITY
  let stopListening = () => {}

  const pollLoop = createPollLoop(POLL_EVERY_MS)
  const samples = createSampleWriter({ log, write: (figures) => repo.writeFigures(figures) })
  const clips = createClips(deps.library, deps.ffprobePath)
  const encoders = createEncoders(deps.maxRelayEncodes)
  const sendQueues = createSendQueues()
  const left = createLeftProcesses(deps)
  const sourceOf = createSessionStarter({ ...deps, clips, encoders })
  const askedStops = createAskedStops({ ...deps, isKept: (streamId) => kept.has(streamId), leftOf: left.adopt })

  function mayEndForLag(): boolean {
    const isFirst = performance.now() - endedForLagAt > BETWEEN_LAG_ENDS_MS
    if (isFirst) endedForLagAt = performance.now()
    return isFirst
  }

  const room = (): number => (deps.machineShortage() ? 0 : Math.max(0, deps.maxStreams - kept.size))

  /** A new stream is left to a machine that can bear it. One that was on air must come back, however tight it is. */
  const mustBeLeft = async (streamId: string): Promise<boolean> =>
    !deps.soleWorker && room() === 0 && (await repo.byId(streamId))?.worker === null

  const handle: JobHandler = async (streamId, context) => {
    if (await mustBeLeft(streamId)) return 'again'
    kept.add(streamId)
    try {
      const outcome = await keep(streamId, context.signal)
      if (outcome === 'done') askedStops.forget(streamId)
      return outcome
    } catch (error) {
      await askedStops.carryOut(streamId)
      throw error
    } finally {
      kept.delete(streamId)
      encoders.release(streamId)
    }
  }

  async function keep(streamId: string, signal: AbortSignal): Promise<JobOutcome> {
    const row = await repo.claim(streamId, worker)
    if (!row) return 'done'
    const adopted = left.adopt(row)
    const { relay, sequence, start, playingNow } = sourceOf(row)
    // Also where its ffmpeg is gone: what was on air comes before what is started now.
    if (row.note !== null) encoders.acquire(streamId)
    return keepStream({
      ...deps,
      ...deps.timings,
      // From here on it hears of a Stop itself.
      row: askedStops.has(streamId) ? { ...row, desired: 'stopped' } : row,
      signal,
      sessionLimitMs: deps.sessionLimits[row.platform as Platform] ?? null,
      samples,
      pollLoop,
      durationOf: clips.durationOf,
      adopted: adopted && {
        process: adopted,
        clip: await playingNow(),
        item: row.position_item,
        fromMs: row.position_from_ms,
        onFallback: row.on_fallback === 1,
        note: row.note,
      },
      relay,
      async endCause() {
        const now = await repo.byId(streamId)
        if (now?.desired !== 'ending') return null
        // Renewed a moment ago: the row still has the old wish.
        return (await deps.plans.isStopped(row.user_id)) ? (now.end_cause ?? 'plan-ended') : null
      },
      mayEndForLag,
      unsentOf: sendQueues.of,
      startProcess: start,
      changeOfClip: sequence.change,
      releaseClip: clips.release,
    })
  }

  /** A wish may be said on another machine or by the operator's command: the row has it, no event reaches us. */
  async function pollDesiredState(): Promise<void> {
    for (const { id: streamId, desired, end_cause: cause } of await repo.endAskedOf(worker)) {
      if (desired === 'stopped') events.emit('stream.stop-asked', { streamId, cause })
      else events.emit('stream.end-asked', { streamId })
    }
    for (const streamId of await repo.swapAskedOf(worker)) events.emit('stream.swap-asked', { streamId })
  }

  function every(ms: number, complaint: string, work: () => Promise<void>): void {
    timers.push(setInterval(() => void work().catch((error) => log.warn({ err: error }, complaint)), ms))
  }

  return {
    async start() {
      await left.takeStock()
      stopListening = askedStops.listen()
      pollLoop.start()
      samples.start()
      // Of a sole worker admission has refused what does not fit; whatever is on air already must find its keeper.
      queue.work('stream', deps.soleWorker ? Number.MAX_SAFE_INTEGER : deps.maxStreams, handle)
      every(timings.desiredStateMs, 'could not read what is wanted of the streams', pollDesiredState)
      const refill = createRefill({ queue, kind: 'stream', log })
      const isKeptHere = (streamId: string) => kept.has(streamId)
      every(timings.refillMs, 'could not look for streams without a job', async () =>
        refill(await unattendedStreams({ ...deps, worker, isKeptHere })),
      )
      if (deps.soleWorker) return
      const beat = () => deps.workers.beat(beatName, { room: room(), shortOf: deps.machineShortage() }, clock.now())
      await beat()
      every(BEAT_MS, 'could not tell how much room there is', beat)
    },
    async stop() {
      for (const timer of timers) clearInterval(timer)
      stopListening()
      pollLoop.stop()
      samples.stop()
      if (!deps.soleWorker) await deps.workers.forget(beatName).catch(() => {})
    },
  }
}
