import type { Progress } from '@siarin/media/parse/progress'
import { shouldRenewSession } from '@siarin/media/session-limit'
import { loopPosition } from '@siarin/media/slot-list'
import { type Circumstances, nextState, readState, type StreamEvent } from '@siarin/media/stream-state'
import { watchForSteps } from '../../../platform/clock.ts'
import { everySpread } from '../../../platform/every-spread.ts'
import type { JobOutcome } from '../../../platform/queue/queue.ts'
import type { Clip } from '../sequence/clips.ts'
import type { StreamHappening, StreamSample } from '../store/streams.repo.ts'
import type { BroadcastProcess } from './broadcast-process.ts'
import { type FailureReason, reasonOf, startFailure } from './failure-reasons.ts'
import { KEEPER, type KeeperDeps, type StartedBroadcast } from './keeper-deps.ts'
import { createMailbox } from './mailbox.ts'
import { createSentBytes } from './sent-bytes.ts'
import { createStateSaver } from './state-saver.ts'
import { tellHappenings } from './tell-happenings.ts'
import { createWatchdog } from './watchdog.ts'

/**
 * Keeps one broadcast on air until it ends. `nextState` decides; this carries its decisions out, one event at a time,
 * and writes each new state down before acting on it.
 */
export async function keepStream(deps: KeeperDeps): Promise<JobOutcome> {
  const { row, events, clock, log, signal, relay } = deps
  const claim = { id: row.id, epoch: row.epoch }
  const mailbox = createMailbox<StreamEvent>()
  const saver = createStateSaver({
    streamId: row.id,
    log,
    write: (change, happenings) => deps.repo.change(claim, change, happenings),
  })
  const watchdog = createWatchdog()
  const sentBytes = createSentBytes(events)
  const clockStep = watchForSteps(clock)
  let state = readState(row.state)
  let restarts = row.restarts
  let onAirMs = row.on_air_ms
  let sample: StreamSample = { bitrateKbps: null, speed: null, frames: null }
  let isSecondLook = false
  let isRenewing = false
  let endBy: number | null = null
  let onFallback = row.on_fallback === 1
  let notice = row.note
  let clip: Clip | null = null
  let nextClip: Clip | null = null
  let position = { ms: row.position_ms, fromMs: row.position_from_ms }
  let process: BroadcastProcess | null = null
  let unsentBytes = async () => 0
  let waitTimer: NodeJS.Timeout | undefined
  let killedFor: FailureReason | null = null
  let triedBecause: string | null = row.reason

  const circumstances = (): Circumstances => ({ nowMs: clock.now(), random: Math.random(), looping: row.looping === 1 })

  /** Why it is not on air is no less true while it is being tried again. */
  const lastReason = (): string | null => (state.at === 'starting' && state.failures > 0 ? triedBecause : null)

  async function save(happenings: readonly StreamHappening[] = [], swappedTo?: Clip): Promise<void> {
    const change = {
      state,
      swappedTo,
      reason: reasonOf(state) ?? lastReason(),
      restarts,
      onAirMs,
      sample,
      position,
      onFallback,
      notice,
      liveSince: state.at === 'live' ? state.sinceMs : null,
      process: process && { pid: process.pid, birth: process.birth },
      ...(state.at === 'ended' ? { endedAt: clock.now() } : {}),
    }
    deps.samples.drop(claim)
    await saver.save(change, happenings)
    const reason = state.at === 'waiting' ? state.reason : null
    if (reason) triedBecause = reason
    events.emit('stream.changed', { streamId: row.id, userId: row.user_id, phase: state.at, reason })
  }

  function attach({ process: started, clip: playing, fromMs }: StartedBroadcast): void {
    process = started
    clip = playing
    position = { ms: position.ms, fromMs }
    isRenewing = false
    sentBytes.begin(started === deps.adopted?.process)
    watchdog.begin()
    unsentBytes = deps.unsentOf(started.pid)
    started.exited.then(({ reason, lines }) => {
      const why = killedFor ?? (relay && row.looping === 1 && reason === 'source-ended' ? 'source-away' : reason)
      if (relay && !onFallback && killedFor === null && why === 'source-away') relay.brokeOff()
      process = null
      killedFor = null
      log.info({ streamId: row.id, ffmpegPid: started.pid, reason: why, lines }, 'ffmpeg ended')
      mailbox.post({ type: 'exited', reason: why, sourceEnded: why === 'source-ended' })
    })
  }

  async function start(): Promise<void> {
    try {
      const before = clip?.videoId ?? row.video_id
      const started = await deps.startProcess(position.ms)
      attach(started)
      const { pid } = started.process
      log.info({ streamId: row.id, ffmpegPid: pid, host: row.target_host, fromMs: started.fromMs }, 'ffmpeg started')
      if (relay) await changeSource(started)
      else if (started.clip.videoId === before) await save()
      else await changeClip(started.clip, 0)
    } catch (error) {
      log.error({ err: error, streamId: row.id }, 'ffmpeg could not be started')
      mailbox.post({ type: 'exited', reason: startFailure(error), sourceEnded: false })
    }
  }

  function endProcess(): void {
    process?.stop().catch((error) => log.error({ err: error, streamId: row.id }, 'ffmpeg could not be ended'))
  }

  /** What a state asks for on entering it. */
  async function enter(): Promise<void> {
    clearTimeout(waitTimer)
    if (state.at === 'starting') await start()
    else if (state.at === 'stopping') endProcess()
    else if (state.at === 'waiting') {
      const delay = Math.max(0, state.untilMs - clock.now())
      waitTimer = setTimeout(() => mailbox.post({ type: 'wait-over' }), delay)
    }
    // The process that was halted by an earlier run of the program is gone now: on with it.
    else if (state.at === 'queued' && !signal.aborted) mailbox.post({ type: 'claimed' })
  }

  /** The source went away and another video stands in for it, or it came back. */
  async function changeSource(started: StartedBroadcast): Promise<void> {
    const changed = onFallback !== started.onFallback
    onFallback = started.onFallback
    notice = started.note
    const kind = onFallback ? 'fallback' : 'source-back'
    await save(changed ? [{ at: clock.now(), kind, reason: started.clip.filename, offAirMs: null }] : [])
  }

  /** Begins anew where there is a reason: the source is back, or has grown past the plan. No second look until then, see attach. */
  async function renewIf(isNeeded: () => Promise<boolean>): Promise<void> {
    const sending = process
    if (state.at !== 'live' || isRenewing) return
    isRenewing = true
    const isDue = await isNeeded().catch(() => false)
    // Another session has begun meanwhile, of which nothing was said.
    if (sending !== process) return
    isRenewing = isDue
    if (isDue) mailbox.post({ type: 'restart-asked' })
  }

  /** The clip that was asked for plays now: from here on it is the stream's own. */
  async function changeClip(playing: Clip, fromMs: number): Promise<void> {
    clip = playing
    nextClip = null
    position = { ms: 0, fromMs }
    await save([{ at: clock.now(), kind: 'swapped', reason: playing.filename, offAirMs: null }], playing)
  }

  /** Alike, it follows when the clip that plays has come to its end; otherwise the session has to begin anew. */
  async function swap(): Promise<void> {
    const wanted = await deps.wantedClip(clip, nextClip)
    // The wish is said more than once, and while it was looked at its video may have come.
    if (!wanted || [clip?.videoId, nextClip?.videoId].includes(wanted.clip.videoId)) return
    nextClip = wanted.clip
    if (process && wanted.follows) await process.playNext(wanted.clip.path)
    else mailbox.post({ type: 'restart-asked' })
  }

  /** Figures for the screen, and where in its video it is. */
  async function note({ bitrateKbps, speed, frame, totalBytes, outTimeMs }: Progress): Promise<void> {
    // ffmpeg's first figures count what it sends ahead at the start.
    sample = { bitrateKbps: (outTimeMs ?? 0) < KEEPER.settledMs ? null : bitrateKbps, speed, frames: frame }
    sentBytes.count(totalBytes)
    const ranMs = outTimeMs ?? 0
    const clipMs = clip ? deps.durationOf(clip) : 0
    const { ms: before, fromMs } = position
    position = { ms: loopPosition({ fromMs, outTimeMs: ranMs, clipMs }), fromMs }
    if (nextClip && (await process?.isPlaying(nextClip.path))) await changeClip(nextClip, -ranMs)
    const atBoundary = position.ms < before
    const isDue = shouldRenewSession({ ranMs, atBoundary, clipMs, limitMs: deps.sessionLimitMs })
    if (isDue && row.looping === 1) await renew()
    if (endBy !== null && (atBoundary || performance.now() >= endBy)) await endAfterPass()
    if (state.at === 'live') deps.samples.put({ claim, sample, position }, saver.fence)
  }

  async function endAfterPass(): Promise<void> {
    endBy = null
    const cause = await deps.endCause().catch(() => null)
    if (cause !== null) mailbox.post({ type: 'stop-asked', cause })
  }

  /** Off air for a moment now rather than thrown off air later. */
  async function renew(): Promise<void> {
    if (isRenewing || state.at !== 'live') return
    isRenewing = true
    await save([{ at: clock.now(), kind: 'renewed', reason: KEEPER.renewed, offAirMs: null }])
    mailbox.post({ type: 'restart-asked' })
  }

  /** Live is what moves: ffmpeg's output time has to advance, and what it sends has to leave the machine. */
  async function look(): Promise<void> {
    // ffmpeg speaks once a second; only the first words of a new one are awaited eagerly.
    isSecondLook = !isSecondLook
    const watched = process
    if (!watched || (state.at === 'live' && isSecondLook)) return
    const progress = watched.progress()
    const unsent = progress ? await unsentBytes() : 0
    const verdict = watchdog.judge(progress, unsent)
    if (watched !== process) return
    // An online source comes at a pace of its own.
    const mayLag = () => (relay !== null && !onFallback) || !deps.mayEndForLag()
    if (verdict === 'moving' || (verdict === 'lagging' && mayLag())) {
      mailbox.post({ type: 'moving' })
      if (progress) await note(progress)
    } else if (verdict !== 'quiet' && killedFor === null) {
      const isDry = relay !== null && !onFallback && unsent === 0
      if (isDry) relay.wentDry()
      killedFor = isDry ? 'source-away' : verdict
      watched.kill()
    }
  }

  /** Takes up what an earlier run left, before anything new happens. */
  async function takeOver(): Promise<void> {
    if (deps.adopted) {
      attach(deps.adopted)
      log.info({ streamId: row.id, ffmpegPid: deps.adopted.process.pid }, 'took over a running ffmpeg')
    }
    const before = state
    state = nextState(before, { type: deps.adopted ? 'process-found' : 'process-missing' }, circumstances())
    await save(tellHappenings(before, state, { nowMs: clock.now() }))
    if (state.at === 'stopping') endProcess()
    if (row.desired === 'stopped') mailbox.post({ type: 'stop-asked', cause: row.end_cause })
    mailbox.post({ type: 'claimed' })
    if (signal.aborted) mailbox.post({ type: 'halt' })
  }

  const leaves = [
    events.on('stream.stop-asked', ({ streamId, cause = null }) => {
      if (streamId === row.id) mailbox.post({ type: 'stop-asked', cause })
    }),
    events.on('stream.end-asked', ({ streamId }) => {
      if (streamId !== row.id) return
      endBy ??= performance.now() + KEEPER.longestLastPassMs
      if (state.at !== 'live' || relay) void endAfterPass()
    }),
    events.on('stream.swap-asked', ({ streamId }) => {
      if (streamId !== row.id) return
      swap().catch((error) => log.warn({ err: error, streamId }, 'the video of a stream could not be changed'))
    }),
    deps.rounds.join(() => {
      look().catch((error) => log.warn({ err: error, streamId: row.id }, 'the progress of a stream could not be read'))
    }),
    relay ? everySpread(deps.returningSourceMs, () => void (onFallback && renewIf(relay.isBack))) : () => {},
    relay ? everySpread(deps.growingSourceMs, () => void (onFallback || renewIf(relay.outgrew))) : () => {},
  ]
  const halt = () => mailbox.post({ type: 'halt' })
  signal.addEventListener('abort', halt, { once: true })

  try {
    await takeOver()
    for (;;) {
      if (saver.isFenced()) {
        log.warn({ streamId: row.id }, 'another worker has this stream now')
        await (process as BroadcastProcess | null)?.stop()
        return 'done'
      }
      // An end that is not written down would be taken for a broadcast to resume.
      if (state.at === 'ended') return (await saver.flush(signal)) ? 'done' : 'again'
      if (state.at === 'queued' && signal.aborted) return 'again'

      const event = await mailbox.take()
      // Its pid stands in the row: whoever starts next finds it on air.
      if (event.type === 'halt' && deps.keepOnExit && process && state.at !== 'stopping') {
        await save()
        return 'again'
      }
      const byMs = clockStep()
      const current = byMs === 0 ? state : nextState(state, { type: 'clock-stepped', byMs }, circumstances())
      const next = nextState(current, event, circumstances())
      if (next === state) continue
      if (state.at === 'waiting' && next.at === 'starting') restarts++
      const entered = next.at !== state.at
      if (entered && current.at === 'live') onAirMs += Math.max(0, clock.now() - current.sinceMs)
      if (entered && next.at !== 'live') sample = { bitrateKbps: null, speed: null, frames: null }
      const happenings = tellHappenings(current, next, { nowMs: clock.now() })
      state = next
      await save(happenings)
      if (entered && !saver.isFenced()) await enter()
    }
  } finally {
    for (const leave of leaves) leave()
    deps.samples.drop(claim)
    clearTimeout(waitTimer)
    signal.removeEventListener('abort', halt)
    if (state.at === 'ended') log.info({ streamId: row.id, state }, 'stream ended')
  }
}
