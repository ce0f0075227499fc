import { createClockError } from '../../../platform/clock-error.ts'
import type { Queue } from '../../../platform/queue/queue.ts'
import { createRefill } from '../../../platform/queue/refill.ts'
import { inStep } from '../../../platform/repeat.ts'
import type { Timings } from '../../../platform/timings.ts'
import { createPollLoop } from '../keeper/poll-loop.ts'
import { createSampleWriter } from '../keeper/sample-writer.ts'
import type { Fleet } from '../lease/fleet.ts'
import type { StreamsRepo } from '../store/streams.repo.ts'
import { beatNameOf, type WorkersRepo } from '../store/workers.repo.ts'
import { type AwaitedVideosDeps, createAwaitedVideos } from './awaited-videos.ts'
import { type BroadcastJobDeps, createBroadcastJob } from './broadcast-job.ts'
import { createFleetWorker } from './fleet-worker.ts'
import { createLeftProcesses } from './left-processes.ts'
import { createMemoryGuard } from './memory-guard.ts'
import { unattendedStreams } from './unattended-streams.ts'

interface SupervisorDeps extends Omit<BroadcastJobDeps, 'pollLoop' | 'samples' | 'left' | 'awaited' | 'clockErrorMs'> {
  repo: StreamsRepo
  library: AwaitedVideosDeps['library'] & BroadcastJobDeps['library']
  workers: WorkersRepo
  queue: Queue
  /** Null: no other machine keeps streams of this database. */
  fleet: Fleet | null
  isMemoryLow: () => boolean
  machineLoad: () => { cpu: number; memory: number }
  timings: Pick<Timings, 'desiredStateMs' | 'refillMs' | 'returningSourceMs' | 'growingSourceMs' | 'schedules'>
}

export interface Supervisor {
  /** Ends what should not run, then takes streams from the queue. */
  start(): Promise<void>
  stop(): Promise<void>
  /** Moves its streams to other workers, where there are any. */
  drain(signal: AbortSignal): Promise<void>
  /** A stream that this very program launched: its video need not be looked at before it is claimed. */
  knowReady(streamId: string): void
  /** How many streams are kept here, and how many more would be. */
  workload(): { streams: number; room: number }
}

const BEAT_MS = 2_000
const POLL_EVERY_MS = 500
/** Where this worker keeps nothing, hardly ever is anything wanted of it: only every so many times is the database asked. */
const POLLS_AT_REST = 5

/** Runs in the worker role: takes broadcasts from the queue, and tells their keepers what is wanted of them. */
export function createSupervisor(deps: SupervisorDeps): Supervisor {
  const { repo, queue, clock, events, log, timings, worker } = deps
  const beatName = beatNameOf(worker, deps.soleWorker)
  const isSeen = !deps.soleWorker || deps.workers.isShared
  const ends: (() => void)[] = []
  let stopListening = () => {}
  let pollsAtRest = 0

  const awaited = createAwaitedVideos(deps)
  const pollLoop = createPollLoop(POLL_EVERY_MS)
  const samples = createSampleWriter({ log, write: (figures) => repo.writeFigures(figures) })
  const isOurs = (row: { worker: string | null }): boolean => deps.fleet === null || row.worker === worker
  const left = createLeftProcesses({ ...deps, isOurs })
  const clockErrorMs = createClockError(clock, timings.schedules.settleMs)
  const guardMemory = createMemoryGuard(deps)
  const job = createBroadcastJob({ ...deps, pollLoop, samples, left, awaited, clockErrorMs })

  const { prepare, handle, unheld } = job
  const inFleet =
    deps.fleet &&
    createFleetWorker({ ...deps, fleet: deps.fleet, handle, prepare, unheld, isWaiting: awaited.isWaiting })

  const room = inFleet?.room ?? job.room

  /** Something may be wanted on another machine or by the operator's command: the row has it, no event reaches us. */
  async function pollDesiredState(): Promise<void> {
    pollsAtRest = job.keepsAny() ? 0 : pollsAtRest + 1
    if (pollsAtRest % POLLS_AT_REST !== 0) return
    for (const { id: streamId, desired, end_cause: cause } of await repo.endAskedOf(worker)) {
      if (desired === 'stopped') events.emit('stream.stop-asked', { streamId, cause })
      else events.emit('stream.end-asked', { streamId })
    }
    for (const streamId of await repo.swapAskedOf(worker)) events.emit('stream.swap-asked', { streamId })
  }

  function every(ms: number, complaint: string, work: () => Promise<void>): void {
    ends.push(inStep(ms, () => void work().catch((error) => log.warn({ err: error }, complaint))))
  }

  function takeJobs(): void {
    // Where there is one worker, `launch` has refused what does not fit, and everything that is on air must find its keeper.
    queue.work('stream', deps.soleWorker ? Number.MAX_SAFE_INTEGER : deps.maxStreams, job.handle)
    const refill = createRefill({ queue, kind: 'stream', log })
    every(timings.refillMs, 'could not look for streams without a job', async () =>
      refill(await unattendedStreams({ ...deps, isKeptHere: job.isKept, isWaiting: awaited.isWaiting })),
    )
  }

  return {
    knowReady: awaited.knowReady,
    workload: () => ({ streams: job.count(), room: room() }),
    async start() {
      await inFleet?.hold()
      await left.takeStock()
      const leaves = [job.listen(), awaited.listen()]
      stopListening = () => {
        for (const leave of leaves) leave()
      }
      pollLoop.start()
      samples.start()
      every(timings.desiredStateMs, 'could not read what is wanted of the streams', pollDesiredState)
      every(timings.desiredStateMs, 'could not look for broadcasts that wait for their video', awaited.poll)
      if (inFleet) inFleet.start()
      else takeJobs()
      every(BEAT_MS, 'could not look at the memory of broadcasts', async () => {
        if (job.keepsAny()) await guardMemory()
      })
      if (!isSeen) return
      const beat = () => deps.workers.beat(beatName, { room: room(), shortOf: deps.machineShortage() }, clock.now())
      await beat()
      await deps.workers.forgetOld(clock.now())
      every(BEAT_MS, 'could not tell how much room there is', beat)
    },
    drain: async (signal) => inFleet?.drain(signal),
    async stop() {
      for (const end of ends) end()
      stopListening()
      await inFleet?.stop()
      pollLoop.stop()
      samples.stop()
      if (isSeen) await deps.workers.forget(beatName).catch(() => {})
    },
  }
}
