import { stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Secret } from '@siarin/media/secret'
import type { Clock } from '../../platform/clock.ts'
import type { Events } from '../../platform/events/events.ts'
import type { Log } from '../../platform/log.ts'
import { processBirth, sendSignal } from '../../platform/process/detached.ts'
import type { JobHandler, Queue } from '../../platform/queue/queue.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import type { LibraryService } from '../library/library.service.ts'
import { adoptBroadcast, runningBroadcasts, SourceMissingError, startBroadcast } from './broadcast-process.ts'
import { keepStream } from './stream-keeper.ts'
import type { StreamRow, StreamsRepo } from './streams.repo.ts'

interface SupervisorDeps {
  repo: StreamsRepo
  library: Pick<LibraryService, 'findById' | 'playable'>
  queue: Queue
  sealer: Sealer
  clock: Clock
  events: Events
  log: Log
  ffmpegPath: string
  runDir: string
  concurrency: number
  /** A name may lead elsewhere by now: it is asked before each start, as ffmpeg asks it. */
  mayReach: (host: string) => Promise<boolean>
}

export interface Supervisor {
  /** Ends what should not run, then takes streams from the queue. */
  start(): Promise<void>
  stop(): void
}

const STOP_POLL_MS = 1_000

/** Runs in the worker role: one job of the queue is one broadcast, for as long as it lasts. */
export function createSupervisor(deps: SupervisorDeps): Supervisor {
  const { repo, library, queue, sealer, clock, events, log, ffmpegPath, runDir } = deps
  // The machine's name, not the process: a restarted program must find its own processes again.
  const worker = hostname()
  let stopPoll: NodeJS.Timeout | undefined

  const directoryOf = (streamId: string) => join(runDir, streamId)

  async function startProcess(row: StreamRow, target: Secret) {
    if (!(await deps.mayReach(row.target_host))) throw new Error('the target leads into a private network')
    const video = row.video_id ? await library.findById(row.video_id) : null
    if (!video) throw new SourceMissingError('the video of this stream was deleted')
    const { path: sourcePath } = await library.playable(video)
    await stat(sourcePath).catch((cause) => {
      throw new SourceMissingError('the file of this video is gone', { cause })
    })
    const looping = row.looping === 1
    return startBroadcast({ directory: directoryOf(row.id), ffmpegPath, sourcePath, looping, target })
  }

  const handle: JobHandler = async (streamId, { signal }) => {
    const row = await repo.claim(streamId, worker)
    if (!row) return 'done'
    const target = sealer.open(row.target_sealed)
    // The birth names the boot of a machine, so a pid of another machine is never taken for one of ours.
    const directory = directoryOf(streamId)
    const adopted = row.pid === null ? null : await adoptBroadcast(row.pid, row.pid_birth ?? '', { directory, target })
    return keepStream({
      row,
      repo,
      events,
      clock,
      log,
      signal,
      adopted,
      startProcess: () => startProcess(row, target),
    })
  }

  /** A crash between the start of an ffmpeg and the writing of its pid leaves one that no row knows. */
  async function endOrphans(): Promise<void> {
    for (const { pid, streamId } of await runningBroadcasts(runDir)) {
      const row = await repo.byId(streamId)
      const known = row && row.phase !== 'ended' && row.pid === pid && row.pid_birth === (await processBirth(pid))
      if (known) continue
      log.warn({ ffmpegPid: pid, streamId }, 'ending an ffmpeg that belongs to no stream')
      sendSignal(pid, 'SIGKILL')
    }
  }

  /** A stop may be asked on another machine or by the operator's command: the row has it, no event reaches us. */
  async function pollStops(): Promise<void> {
    for (const streamId of await repo.stopAskedOf(worker)) events.emit('stream.stop-asked', { streamId })
  }

  return {
    async start() {
      await endOrphans()
      queue.work('stream', deps.concurrency, handle)
      stopPoll = setInterval(() => {
        pollStops().catch((error) => log.warn({ err: error }, 'could not look for stops'))
      }, STOP_POLL_MS)
    },
    stop: () => clearInterval(stopPoll),
  }
}
