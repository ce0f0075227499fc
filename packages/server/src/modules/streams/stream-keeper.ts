import { setTimeout as sleep } from 'node:timers/promises'
import { EXIT_REASON_TEXTS } from '@siarin/media/parse/exit-reason'
import { type Circumstances, nextState, type StreamEvent, type StreamState } from '@siarin/media/stream-state'
import type { Clock } from '../../platform/clock.ts'
import type { Events } from '../../platform/events/events.ts'
import type { Log } from '../../platform/log.ts'
import type { JobOutcome } from '../../platform/queue/queue.ts'
import { type BroadcastProcess, SourceMissingError } from './broadcast-process.ts'
import { createMailbox } from './mailbox.ts'
import type { StreamRow, StreamsRepo } from './streams.repo.ts'

type FailureReason = keyof typeof EXIT_REASON_TEXTS

interface KeeperDeps {
  row: StreamRow
  repo: StreamsRepo
  events: Events
  clock: Clock
  log: Log
  signal: AbortSignal
  /** The ffmpeg that an earlier run of the program left on air. */
  adopted: BroadcastProcess | null
  startProcess: () => Promise<BroadcastProcess>
}

const LOOK_EVERY_MS = 500
const STALLED_AFTER_MS = 15_000
const SAVE_RETRY_MS = 1_000

/**
 * Keeps one broadcast on air until it ends. `nextState` decides; this carries its decisions out, one event at a time,
 * and writes each new state down before acting on it.
 */
export async function keepStream(deps: KeeperDeps): Promise<JobOutcome> {
  const { row, repo, events, clock, log, signal } = deps
  const claim = { id: row.id, epoch: row.epoch }
  const mailbox = createMailbox<StreamEvent>()
  let state = JSON.parse(row.state) as StreamState
  let restarts = row.restarts
  let process: BroadcastProcess | null = null
  let waitTimer: NodeJS.Timeout | undefined
  let fenced = false
  let unsaved = false
  let killedFor: FailureReason | null = null
  let lastOutTimeMs: number | null = null
  let advancedAt = performance.now()

  const circumstances = (): Circumstances => ({
    nowMs: clock.now(),
    random: Math.random(),
    looping: row.looping === 1,
  })

  /** A database that cannot be written right now takes nothing off air: the state is written as soon as it can be. */
  async function save(): Promise<void> {
    try {
      const held = await repo.change(claim, {
        state,
        reason: reasonText(state),
        restarts,
        liveSince: state.at === 'live' ? state.sinceMs : null,
        ...(state.at === 'ended' ? { endedAt: clock.now() } : {}),
      })
      unsaved = false
      if (!held) fenced = true
    } catch (error) {
      unsaved = true
      log.warn({ err: error, streamId: row.id }, 'the state of a stream could not be written, trying again')
    }
    events.emit('stream.changed', { streamId: row.id, userId: row.user_id, phase: state.at })
  }

  function attach(started: BroadcastProcess): void {
    process = started
    lastOutTimeMs = null
    advancedAt = performance.now()
    started.exited.then(({ reason, lines }) => {
      const why = killedFor ?? reason
      process = null
      killedFor = null
      log.info({ streamId: row.id, ffmpegPid: started.pid, reason: why, lines }, 'ffmpeg ended')
      mailbox.post({ type: 'exited', reason: why, sourceEnded: reason === 'source-ended' })
    })
  }

  async function start(): Promise<void> {
    try {
      const started = await deps.startProcess()
      attach(started)
      log.info({ streamId: row.id, ffmpegPid: started.pid, host: row.target_host }, 'ffmpeg started')
      const held = await repo.setProcess(claim, started).catch(() => true)
      if (!held) fenced = true
    } catch (error) {
      log.error({ err: error, streamId: row.id }, 'ffmpeg could not be started')
      mailbox.post({ type: 'exited', reason: startFailure(error), sourceEnded: false })
    }
  }

  /** What a state asks for on entering it. */
  async function enter(): Promise<void> {
    clearTimeout(waitTimer)
    if (state.at === 'starting') await start()
    else if (state.at === 'waiting') {
      const delay = Math.max(0, state.untilMs - clock.now())
      waitTimer = setTimeout(() => mailbox.post({ type: 'wait-over' }), delay)
    } else if (state.at === 'stopping') {
      process?.stop().catch((error) => log.error({ err: error, streamId: row.id }, 'ffmpeg could not be ended'))
    }
  }

  /** Live is what moves: ffmpeg's output time has to advance, whatever else it says. */
  async function look(): Promise<void> {
    if (unsaved) await save()
    const watched = process
    const progress = await watched?.progress()
    if (!watched || watched !== process) return
    if (progress?.outTimeMs != null && progress.outTimeMs > (lastOutTimeMs ?? 0)) {
      lastOutTimeMs = progress.outTimeMs
      advancedAt = performance.now()
      mailbox.post({ type: 'moving' })
    } else if (performance.now() - advancedAt > STALLED_AFTER_MS && killedFor === null) {
      killedFor = 'stalled'
      watched.kill()
    }
  }

  const unsubscribe = events.on('stream.stop-asked', ({ streamId }) => {
    if (streamId === row.id) mailbox.post({ type: 'stop-asked' })
  })
  const halt = () => mailbox.post({ type: 'halt' })
  signal.addEventListener('abort', halt, { once: true })
  const looking = setInterval(() => {
    look().catch((error) => log.warn({ err: error, streamId: row.id }, 'the progress of a stream could not be read'))
  }, LOOK_EVERY_MS)

  if (deps.adopted) {
    attach(deps.adopted)
    log.info({ streamId: row.id, ffmpegPid: deps.adopted.pid }, 'took over a running ffmpeg')
  } else mailbox.post({ type: 'process-missing' })
  if (row.desired === 'stopped') mailbox.post({ type: 'stop-asked' })
  mailbox.post({ type: 'claimed' })
  if (signal.aborted) halt()

  try {
    for (;;) {
      const event = await mailbox.take()
      const next = nextState(state, event, circumstances())
      if (next !== state) {
        if (state.at === 'waiting' && next.at === 'starting') restarts++
        const entered = next.at !== state.at
        state = next
        await save()
        if (entered && !fenced) await enter()
      }
      if (fenced) {
        log.warn({ streamId: row.id }, 'another worker has this stream now')
        await (process as BroadcastProcess | null)?.stop()
        return 'done'
      }
      if (state.at === 'ended') return await finish()
      if (state.at === 'queued' && signal.aborted) return 'again'
    }
  } finally {
    clearInterval(looking)
    clearTimeout(waitTimer)
    unsubscribe()
    signal.removeEventListener('abort', halt)
  }

  /** An end that is not written down would be taken for a broadcast to resume. */
  async function finish(): Promise<JobOutcome> {
    while (unsaved && !signal.aborted) {
      await sleep(SAVE_RETRY_MS)
      await save()
    }
    log.info({ streamId: row.id, state }, 'stream ended')
    return unsaved ? 'again' : 'done'
  }
}

const textOf = (reason: string): string => EXIT_REASON_TEXTS[reason as FailureReason] ?? EXIT_REASON_TEXTS.unknown

function reasonText(state: StreamState): string | null {
  if (state.at === 'waiting') return textOf(state.reason)
  return state.at === 'ended' && state.cause ? textOf(state.cause) : null
}

function startFailure(error: unknown): FailureReason {
  if (error instanceof SourceMissingError) return 'source-missing'
  return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 'out-of-capacity' : 'unknown'
}
