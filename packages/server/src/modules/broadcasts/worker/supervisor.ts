import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Platform } from '@siarin/contracts/platforms'
import type { Secret } from '@siarin/media/secret'
import type { Clock } from '../../../platform/clock.ts'
import type { Events } from '../../../platform/events/events.ts'
import type { Log } from '../../../platform/log.ts'
import { processBirth, sendSignal } from '../../../platform/process/detached.ts'
import type { MachineShortage } from '../../../platform/process/machine-load.ts'
import { createSendQueues } from '../../../platform/process/send-queues.ts'
import type { JobHandler, JobOutcome, Queue } from '../../../platform/queue/queue.ts'
import { createRefill } from '../../../platform/queue/refill.ts'
import type { Sealer } from '../../../platform/secrets/seal.ts'
import type { Timings } from '../../../platform/timings.ts'
import type { LibraryService } from '../../library/library.service.ts'
import type { PlansService } from '../../plans/index.ts'
import type { OnlineSources } from '../../platforms/index.ts'
import {
  adoptBroadcast,
  type BroadcastProcess,
  type Run,
  runningBroadcasts,
  startBroadcast,
  startRelay,
} from '../keeper/broadcast-process.ts'
import type { StartedBroadcast } from '../keeper/keeper-deps.ts'
import { createRounds } from '../keeper/rounds.ts'
import { createSampleWriter } from '../keeper/sample-writer.ts'
import { keepStream } from '../keeper/stream-keeper.ts'
import { createEncoders } from '../relay/encoders.ts'
import { createRelay, onlineClip, type Relay } from '../relay/relay.ts'
import type { RelaySource } from '../relay/relay-source.ts'
import { clipSequenceOf, type SequencePosition } from '../sequence/clip-sequence.ts'
import { type Clip, createClips } from '../sequence/clips.ts'
import { onlineRefOf } from '../spec/online-ref.ts'
import type { StreamRow, StreamsRepo } from '../store/streams.repo.ts'
import type { WorkersRepo } from '../store/workers.repo.ts'
import { createAskedStops } from './asked-stops.ts'
import { unattendedStreams } from './unattended-streams.ts'

interface SupervisorDeps {
  repo: StreamsRepo
  workers: WorkersRepo
  library: Pick<LibraryService, 'findById' | 'playable'>
  sources: Pick<OnlineSources, 'locate'>
  relaySource: RelaySource
  /** Through which ffmpeg reads online sources. */
  proxyUrl: () => Promise<string>
  maxRelayEncodes: number
  plans: Pick<PlansService, 'libraryLimitsOf' | 'isStopped'>
  queue: Queue
  sealer: Sealer
  clock: Clock
  events: Events
  log: Log
  timings: Pick<Timings, 'wishesMs' | 'refillMs' | 'returningSourceMs' | 'growingSourceMs'>
  ffmpegPath: string
  ffprobePath: string
  keepOnExit: boolean
  dataDir: string
  runDir: string
  /** How many streams this worker takes on. */
  maxStreams: number
  /** True: there is no other worker. */
  soleWorker: boolean
  /** Why the machine itself cannot bear one more; null: it can. */
  machineShortage: () => MachineShortage | null
  sessionLimits: Readonly<Record<Platform, number | null>>
  /** Where ffmpeg is to connect to; null: by the name of the target. */
  addressOf: (target: Secret) => Promise<string | null>
}

export interface Supervisor {
  /** Ends what should not run, then takes streams from the queue. */
  start(): Promise<void>
  stop(): Promise<void>
}

const BEAT_MS = 2_000
const LOOK_EVERY_MS = 500
const BETWEEN_LAG_ENDS_MS = 20_000

/** Runs in the worker role: one job of the queue is one broadcast, for as long as it lasts. */
export function createSupervisor(deps: SupervisorDeps): Supervisor {
  const { repo, library, queue, sealer, clock, events, log, ffmpegPath, runDir, timings } = deps
  // The machine's name, not the process: a restarted program must find its own processes again.
  const worker = hostname()
  const beatName = `${worker}/${process.pid}`
  const timers: NodeJS.Timeout[] = []
  /** Found at the start, by stream. */
  const leftRunning = new Map<string, number>()
  const kept = new Set<string>()
  let endedForLagAt = Number.NEGATIVE_INFINITY
  let stopListening = () => {}

  const rounds = createRounds(LOOK_EVERY_MS)
  const samples = createSampleWriter({ log, write: (figures) => repo.writeFigures(figures) })
  const clips = createClips(library, deps.ffprobePath)
  const encoders = createEncoders(deps.maxRelayEncodes)
  const sendQueues = createSendQueues()
  const directoryOf = (streamId: string) => join(runDir, streamId)
  const askedStops = createAskedStops({
    ...deps,
    isKept: (streamId) => kept.has(streamId),
    leftOf: (row) => adopt(row, { directory: directoryOf(row.id), target: sealer.open(row.target_sealed) }),
  })

  /** What runs is kept, even if its file was taken away behind our back. */
  const clipOf = async (row: StreamRow): Promise<Clip> =>
    clips
      .find(row.on_fallback === 1 ? row.fallback_video_id : row.video_id)
      .catch(() => ({ ...onlineClip(row), videoId: row.video_id ?? '' }))

  const runOf = async (row: StreamRow, target: Secret): Promise<Run> => ({
    directory: directoryOf(row.id),
    dataDir: deps.dataDir,
    ffmpegPath,
    target,
    address: await deps.addressOf(target),
  })

  const sendClip = (run: Run, clip: Clip, { looping, fromSeconds }: { looping: boolean; fromSeconds: number }) => {
    const clipSeconds = clip.durationMs / 1000
    const bitrateKbps = clipSeconds > 0 ? (clip.bytes * 8) / 1000 / clipSeconds : 0
    return startBroadcast({ ...run, sourcePath: clip.path, looping, fromSeconds, clipSeconds, bitrateKbps })
  }

  function relayOf(row: StreamRow, target: Secret): Relay | null {
    const ref = onlineRefOf(row, sealer)
    if (!ref) return null
    const run = () => runOf(row, target)
    return createRelay({
      row,
      ref,
      sources: deps.sources,
      source: deps.relaySource,
      encoders,
      log,
      limits: () => deps.plans.libraryLimitsOf(row.user_id),
      findClip: clips.find,
      sendSource: async (source, plan) => startRelay({ ...(await run()), source, plan, proxy: await deps.proxyUrl() }),
      sendLoop: async (clip) => sendClip(await run(), clip, { looping: true, fromSeconds: 0 }),
    })
  }

  async function startVideo(row: StreamRow, target: Secret, position: SequencePosition): Promise<StartedBroadcast> {
    const sequence = clipSequenceOf({ row, repo, clips })
    const { clip, item, fromSeconds } = await sequence.begin(position)
    const process = await sendClip(await runOf(row, target), clip, { looping: sequence.goesOn, fromSeconds })
    return { process, clip, item, fromMs: fromSeconds * 1000, onFallback: false, note: null }
  }

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
      encoders.give(streamId)
    }
  }

  async function keep(streamId: string, signal: AbortSignal): Promise<JobOutcome> {
    const row = await repo.claim(streamId, worker)
    if (!row) return 'done'
    const target = sealer.open(row.target_sealed)
    const adopted = adopt(row, { directory: directoryOf(streamId), target })
    const relay = relayOf(row, target)
    const fromMs = row.position_from_ms
    const onFallback = row.on_fallback === 1
    // Also where its ffmpeg is gone: what was on air comes before what is started now.
    if (row.note !== null) encoders.take(streamId)
    const clip = adopted && (await clipOf(row))
    return keepStream({
      // From here on it hears of a Stop itself.
      row: askedStops.has(streamId) ? { ...row, desired: 'stopped' } : row,
      repo,
      events,
      clock,
      log,
      signal,
      keepOnExit: deps.keepOnExit,
      returningSourceMs: timings.returningSourceMs,
      growingSourceMs: timings.growingSourceMs,
      sessionLimitMs: deps.sessionLimits[row.platform as Platform] ?? null,
      samples,
      rounds,
      durationOf: clips.durationOf,
      adopted: adopted &&
        clip && { process: adopted, clip, item: row.position_item, fromMs, onFallback, note: row.note },
      relay,
      async endCause() {
        const now = await repo.byId(streamId)
        if (now?.desired !== 'ending') return null
        // Renewed a moment ago: the row still has the old wish.
        return (await deps.plans.isStopped(row.user_id)) ? (now.end_cause ?? 'plan-ended') : null
      },
      mayEndForLag,
      unsentOf: sendQueues.of,
      startProcess: (position) => (relay ? relay.start() : startVideo(row, target, position)),
      changeOfClip: clipSequenceOf({ row, repo, clips }).change,
    })
  }

  /**
   * A crash between the start of an ffmpeg and the writing of its pid, or a disk too full to write it, leaves one that its row does
   * not know: it is on air, so it is taken over. What no stream wants, or a second one of the same stream, is ended.
   */
  async function takeStock(): Promise<void> {
    for (const { pid, streamId } of await runningBroadcasts(runDir)) {
      const row = await repo.byId(streamId)
      const known = row?.pid && row.pid_birth === processBirth(row.pid) ? row.pid : (leftRunning.get(streamId) ?? pid)
      if (row && row.phase !== 'ended' && known === pid) {
        leftRunning.set(streamId, pid)
        continue
      }
      log.warn({ ffmpegPid: pid, streamId }, 'ending an ffmpeg that belongs to no stream')
      sendSignal(pid, 'SIGKILL')
    }
  }

  /** What an earlier run of the program left on air. The birth names the boot of a machine, so a pid of another one is never ours. */
  function adopt(row: StreamRow, run: { directory: string; target: Secret }): BroadcastProcess | null {
    const found = leftRunning.get(row.id)
    leftRunning.delete(row.id)
    const source = row.source_kind === 'video' || row.on_fallback === 1 ? 'video' : 'online'
    const own = row.pid === null ? null : adoptBroadcast(row.pid, row.pid_birth ?? '', run, source)
    return own ?? (found === undefined ? null : adoptBroadcast(found, processBirth(found) ?? '', run, source))
  }

  /** A wish may be said on another machine or by the operator's command: the row has it, no event reaches us. */
  async function pollWishes(): Promise<void> {
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
      await takeStock()
      stopListening = askedStops.listen()
      rounds.start()
      samples.start()
      // Of a sole worker admission has refused what does not fit; whatever is on air already must find its keeper.
      queue.work('stream', deps.soleWorker ? Number.MAX_SAFE_INTEGER : deps.maxStreams, handle)
      every(timings.wishesMs, 'could not look for wishes', pollWishes)
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
      rounds.stop()
      samples.stop()
      if (!deps.soleWorker) await deps.workers.forget(beatName).catch(() => {})
    },
  }
}
