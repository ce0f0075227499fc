import type { Log } from '../../../platform/log.ts'
import type { BroadcastProcess } from '../sender/broadcast-process.ts'
import { createStartAttempt, type StartAttempt } from '../sender/start-attempt.ts'
import type { StartedBroadcast } from '../sender/started-broadcast.ts'
import type { SequencePosition } from '../sequence/clip-sequence.ts'
import type { Clip } from '../sequence/clips.ts'
import type { StreamRow } from '../store/streams.repo.ts'
import { startFailure } from './failure-reasons.ts'
import type { BegunSession, KeeperEvent, ListEntry } from './keeper-state.ts'
import { createProcessWatch, type ProcessWatchDeps } from './process-watch.ts'
import type { StreamMeter } from './stream-meter.ts'

interface SessionDeps extends ProcessWatchDeps {
  row: Pick<StreamRow, 'id' | 'target_host'>
  log: Log
  post: (event: KeeperEvent) => void
  startProcess: (position: SequencePosition, attempt: StartAttempt) => Promise<StartedBroadcast>
  meter: Pick<StreamMeter, 'read'>
}

export type SessionHandle = ReturnType<typeof createSession>

/** Holds the ffmpeg of a broadcast, and tells of it by events. It decides nothing. */
export function createSession(deps: SessionDeps) {
  const { log, post } = deps
  const { id: streamId, target_host: host } = deps.row
  const watch = createProcessWatch({ ...deps, onReading: (reading) => deps.meter.read(streamId, reading) })
  let process: BroadcastProcess | null = null
  let number = 0
  let starting: Promise<void> = Promise.resolve()
  /** The start that is under way. */
  let attempt: ReturnType<typeof createStartAttempt> | null = null
  let isPolled = false

  function attach(session: number, started: StartedBroadcast, isAdopted: boolean): BegunSession {
    const { process: attached, ...begun } = started
    process = attached
    number = session
    watch.begin(attached, isAdopted)
    attached.exited.then(({ reason, lines, outTimeMs }) => {
      process = null
      log.info({ streamId, ffmpegPid: attached.pid, reason, lines }, 'ffmpeg ended')
      post({ type: 'exited', session, reason, outTimeMs })
    })
    const outTimeMs = attached.lastWords()?.progress.outTimeMs ?? 0
    return { number: session, pid: attached.pid, birth: attached.birth, ...begun, ...(isAdopted && { outTimeMs }) }
  }

  async function start(session: number, position: SequencePosition, own: NonNullable<typeof attempt>): Promise<void> {
    try {
      const started = await deps.startProcess(position, own)
      const { pid } = started.process
      log.info({ streamId, ffmpegPid: pid, host, fromMs: started.fromMs }, 'ffmpeg started')
      post({ type: 'started', session: attach(session, started, false) })
    } catch (error) {
      if (own.isGivenUp()) return
      log.error({ err: error, streamId }, 'ffmpeg could not be started')
      post({ type: 'start-failed', reason: startFailure(error) })
    } finally {
      if (attempt === own) attempt = null
    }
  }

  return {
    /** Takes over what an earlier run of the program left on air. */
    adopt: (session: number, left: StartedBroadcast): BegunSession => attach(session, left, true),
    start(session: number, position: SequencePosition): void {
      attempt = createStartAttempt(() => post({ type: 'start-given-up' }))
      starting = Promise.race([start(session, position, attempt), attempt.givenUp])
    },
    /** One at a time: while the last answer waits to be read, a newer one is of no use. */
    async poll(clip: Clip | null): Promise<void> {
      const watched = process
      if (!watched || isPolled) return
      isPolled = true
      const session = number
      try {
        const poll = await watch.read(watched, clip)
        if (watched === process) return post({ type: 'polled', session, poll })
      } catch (error) {
        log.warn({ err: error, streamId }, 'the progress of a stream could not be read')
      }
      isPolled = false
    },
    pollWasRead(): void {
      isPolled = false
    },
    playNext(entry: ListEntry | null): void {
      process?.playNext(entry).catch((error) => {
        log.warn({ err: error, streamId }, 'the video of a stream could not be changed')
        post({ type: 'next-refused', clip: entry?.clip ?? null })
      })
    },
    /** Where its process has not begun: one that has stays. */
    giveUpStart: (): void => attempt?.giveUp(),
    stop(): void {
      attempt?.giveUp()
      process?.stop().catch((error) => log.error({ err: error, streamId }, 'ffmpeg could not be ended'))
    },
    kill: (): void => process?.kill(),
    /** Until there is none, also of one that is just being started. */
    async end(): Promise<void> {
      attempt?.giveUp()
      await starting
      await process?.stop()
    },
  }
}
