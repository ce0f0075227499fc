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
import { adoptBroadcast, runningBroadcasts, startBroadcast } from './broadcast-process.ts'
import { type Clip, createClips } from './clips.ts'
import { keepStream, type StartedBroadcast } from './stream-keeper.ts'
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
  ffprobePath: string
  keepOnExit: boolean
  dataDir: string
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

const WISH_POLL_MS = 1_000

/** Runs in the worker role: one job of the queue is one broadcast, for as long as it lasts. */
export function createSupervisor(deps: SupervisorDeps): Supervisor {
  const { repo, library, queue, sealer, clock, events, log, ffmpegPath, runDir } = deps
  // The machine's name, not the process: a restarted program must find its own processes again.
  const worker = hostname()
  let wishPoll: NodeJS.Timeout | undefined

  const clips = createClips(library, deps.ffprobePath)
  const directoryOf = (streamId: string) => join(runDir, streamId)

  /** What runs is kept, even if its file was taken away behind our back. */
  const clipOf = (row: StreamRow): Promise<Clip> =>
    clips
      .find(row.video_id)
      .catch(() => ({ videoId: row.video_id ?? '', filename: row.source, path: '', durationMs: 0 }))

  /** The row is asked each time: another video may have been chosen since. */
  async function startProcess(row: StreamRow, target: Secret, positionMs: number): Promise<StartedBroadcast> {
    if (!(await deps.mayReach(row.target_host))) throw new Error('the target leads into a private network')
    const now = (await repo.byId(row.id).catch(() => null)) ?? row
    const clip = await clips.find(now.next_video_id ?? now.video_id)
    const changed = clip.videoId !== now.video_id
    const looping = row.looping === 1
    const fromSeconds = looping && !changed ? await clips.keyframeBefore(clip, positionMs) : 0
    const directory = directoryOf(row.id)
    const clipSeconds = clip.durationMs / 1000
    const run = {
      directory,
      dataDir: deps.dataDir,
      ffmpegPath,
      sourcePath: clip.path,
      looping,
      fromSeconds,
      clipSeconds,
      target,
    }
    return { process: await startBroadcast(run), clip, fromMs: fromSeconds * 1000 }
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
      keepOnExit: deps.keepOnExit,
      adopted: adopted && { process: adopted, clip: await clipOf(row), fromMs: row.position_from_ms },
      startProcess: (positionMs) => startProcess(row, target, positionMs),
      async wantedClip(current, next) {
        const { next_video_id: wanted } = (await repo.byId(streamId)) ?? row
        if (!wanted || wanted === current?.videoId || wanted === next?.videoId) return null
        const clip = await clips.find(wanted)
        return { clip, follows: current !== null && (await clips.areAlike(current, clip)) }
      },
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

  /** A wish may be said on another machine or by the operator's command: the row has it, no event reaches us. */
  async function pollWishes(): Promise<void> {
    for (const streamId of await repo.stopAskedOf(worker)) events.emit('stream.stop-asked', { streamId })
    for (const streamId of await repo.swapAskedOf(worker)) events.emit('stream.swap-asked', { streamId })
  }

  return {
    async start() {
      await endOrphans()
      queue.work('stream', deps.concurrency, handle)
      wishPoll = setInterval(() => {
        pollWishes().catch((error) => log.warn({ err: error }, 'could not look for wishes'))
      }, WISH_POLL_MS)
    },
    stop: () => clearInterval(wishPoll),
  }
}
