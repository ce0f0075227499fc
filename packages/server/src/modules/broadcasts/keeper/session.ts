import type { Log } from '../../../platform/log.ts'
import type { BroadcastProcess } from '../sender/broadcast-process.ts'
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
  startProcess: (position: SequencePosition, beginProcess: BeginProcess) => Promise<StartedBroadcast>
  meter: Pick<StreamMeter, 'read'>
}

/** To be called right before the process begins; throws where nobody wants it any more. */
export type BeginProcess = () => void

export type SessionHandle = ReturnType<typeof createSession>

/** Holds the ffmpeg of a broadcast, and tells of it by events. It decides nothing. */
export function createSession(deps: SessionDeps) {
  const { log, post } = deps
  const { id: streamId, target_host: host } = deps.row
  const watch = createProcessWatch({ ...deps, onReading: (reading) => deps.meter.read(streamId, reading) })
  let process: BroadcastProcess | null = null
  let number = 0
  let starting: Promise<void> = Promise.resolve()
  let attempt: Attempt | null = null
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

  async function start(session: number, position: SequencePosition, { begin, isGivenUp }: Attempt): Promise<void> {
    try {
      const started = await deps.startProcess(position, begin)
      const { pid } = started.process
      log.info({ streamId, ffmpegPid: pid, host, fromMs: started.fromMs }, 'ffmpeg started')
      post({ type: 'started', session: attach(session, started, false) })
    } catch (error) {
      if (isGivenUp()) return
      log.error({ err: error, streamId }, 'ffmpeg could not be started')
      post({ type: 'start-failed', reason: startFailure(error) })
    }
  }

  return {
    /** Takes over what an earlier run of the program left on air. */
    adopt: (session: number, left: StartedBroadcast): BegunSession => attach(session, left, true),
    start(session: number, position: SequencePosition): void {
      attempt = createAttempt()
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
    stop(): void {
      if (attempt?.giveUp()) post({ type: 'start-failed', reason: 'unknown' })
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

type Attempt = ReturnType<typeof createAttempt>

/** What a start needs may take minutes, such as a video that has to come from a store first. Until its process begins, it can be given up at once. */
function createAttempt() {
  const { promise: givenUp, resolve } = Promise.withResolvers<void>()
  let at: 'preparing' | 'begun' | 'given-up' = 'preparing'
  return {
    givenUp,
    isGivenUp: (): boolean => at === 'given-up',
    begin(): void {
      if (at === 'given-up') throw new Error('the start was given up')
      at = 'begun'
    },
    /** False: it cannot be any more. */
    giveUp(): boolean {
      if (at !== 'preparing') return false
      at = 'given-up'
      resolve()
      return true
    },
  }
}
