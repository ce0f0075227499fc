import { watchForSteps } from '../../../platform/clock.ts'
import { everySpread } from '../../../platform/every-spread.ts'
import type { JobOutcome } from '../../../platform/queue/queue.ts'
import type { Clip } from '../sequence/clips.ts'
import type { StreamHappening } from '../store/streams.repo.ts'
import { textOf } from './failure-reasons.ts'
import type { KeeperDeps } from './keeper-deps.ts'
import { type Effect, type KeeperEvent, keeperStateOf, type Surroundings } from './keeper-state.ts'
import { createMailbox } from './mailbox.ts'
import { nextState } from './next-state.ts'
import { createSession } from './session.ts'
import { shownReason } from './shown-reason.ts'
import { createStateSaver } from './state-saver.ts'

/**
 * Keeps one broadcast on air until it ends. Everything that happens comes into the mailbox as an event; `nextState` decides; this
 * carries its decisions out, one event at a time, and writes each new state down before it acts on it.
 */
export async function keepStream(deps: KeeperDeps): Promise<JobOutcome> {
  const { row, events, clock, log, signal, relay } = deps
  const streamId = row.id
  const claim = { id: row.id, epoch: row.epoch }
  const mailbox = createMailbox<KeeperEvent>()
  const { post } = mailbox
  const saver = createStateSaver({
    streamId,
    log,
    write: (change, happenings) => deps.repo.change(claim, change, happenings),
  })
  const session = createSession({ ...deps, post })
  const clockStep = watchForSteps(clock)
  let state = keeperStateOf(row)
  let hasLeft = false
  let waitTimer: NodeJS.Timeout | undefined

  const surroundings = (): Surroundings => ({
    nowMs: clock.now(),
    steadyMs: performance.now(),
    clockStepMs: clockStep(),
    random: Math.random(),
    looping: row.looping === 1,
    isRelay: relay !== null,
    sessionLimitMs: deps.sessionLimitMs,
    keepsOnExit: deps.keepOnExit,
  })

  async function save(timeline: readonly StreamHappening[], swappedTo?: Clip): Promise<void> {
    const { stream } = state
    const reason = shownReason(state)
    deps.samples.drop(claim)
    const change = {
      state: stream,
      swappedTo,
      reason: reason === null ? null : textOf(reason),
      restarts: state.restarts,
      onAirMs: state.onAirMs,
      sample: state.sample,
      position: state.position,
      onFallback: state.onFallback,
      notice: state.note,
      liveSince: stream.at === 'live' ? stream.sinceMs : null,
      process: state.session && { pid: state.session.pid, birth: state.session.birth },
      ...(stream.at === 'ended' ? { endedAt: clock.now() } : {}),
    }
    await saver.save(change, timeline)
    const waitsFor = stream.at === 'waiting' ? stream.reason : null
    events.emit('stream.changed', { streamId, userId: row.user_id, phase: stream.at, reason: waitsFor })
  }

  /** Answers with an event; what cannot be found out now is asked for again by whoever wants it. */
  function ask<T>(question: Promise<T>, answer: (found: T | null) => KeeperEvent): void {
    question
      .catch((error) => {
        log.warn({ err: error, streamId }, 'a question about a stream was not answered')
        return null
      })
      .then((found) => post(answer(found)))
  }

  function checkSource({ check, session: number }: Extract<Effect, { type: 'check-source' }>): void {
    if (!relay) return
    relay[check === 'return' ? 'isBack' : 'outgrew']()
      // A source that cannot be looked at is no reason to begin anew.
      .catch(() => false)
      .then((needsNewSession) => post({ type: 'source-checked', session: number, needsNewSession }))
  }

  async function carryOut(effect: Effect): Promise<void> {
    switch (effect.type) {
      case 'save':
        return save(effect.timeline, effect.swappedTo)
      case 'claim':
        return signal.aborted ? undefined : post({ type: 'claimed' })
      case 'start':
        return session.start(effect.session, effect.position)
      case 'stop':
        return session.stop()
      case 'kill':
        return session.kill()
      case 'wait':
        clearTimeout(waitTimer)
        waitTimer = setTimeout(() => post({ type: 'wait-over' }), effect.ms)
        return
      case 'judge-lag':
        return post({ type: 'lag-judged', session: effect.session, endsIt: deps.mayEndForLag() })
      case 'judge-end':
        return ask(deps.endCause(), (cause) => ({ type: 'end-judged', cause }))
      case 'judge-swap':
        return ask(deps.changeOfClip(effect.clip, effect.nextClip), (wanted) => ({ type: 'swap-judged', wanted }))
      case 'play-next':
        return session.playNext(effect.clip)
      case 'check-source':
        return checkSource(effect)
      case 'tell-relay':
        return effect.what === 'went-dry' ? relay?.wentDry() : relay?.brokeOff()
      case 'write-figures':
        return deps.samples.put({ claim, sample: state.sample, position: state.position }, saver.fence)
      case 'leave':
        hasLeft = true
    }
  }

  async function handle(event: KeeperEvent): Promise<void> {
    if (event.type === 'polled') session.pollWasRead()
    const decision = nextState(state, event, surroundings())
    state = decision.state
    for (const effect of decision.effects) {
      if (saver.isFenced()) return
      await carryOut(effect)
    }
  }

  /** Null: it goes on. */
  async function outcome(): Promise<JobOutcome | null> {
    if (saver.isFenced()) {
      log.warn({ streamId }, 'another worker has this stream now')
      await session.end()
      return 'done'
    }
    if (hasLeft) return 'again'
    // An end that is not written down would be taken for a broadcast to resume.
    if (state.stream.at === 'ended') return (await saver.flush(signal)) ? 'done' : 'again'
    return state.stream.at === 'queued' && signal.aborted ? 'again' : null
  }

  let isSecondPoll = false
  const stopListening = listen(deps, post, () => {
    // ffmpeg speaks once a second; only the first words of a new one are awaited eagerly.
    isSecondPoll = !isSecondPoll
    if (state.stream.at !== 'live' || !isSecondPoll) void session.poll(state.clip, state.nextClip)
  })
  try {
    if (deps.adopted) log.info({ streamId, ffmpegPid: deps.adopted.process.pid }, 'took over a running ffmpeg')
    await handle({ type: 'taken-over', session: deps.adopted && session.adopt(1, deps.adopted) })
    if (row.desired === 'stopped') post({ type: 'stop-asked', cause: row.end_cause })
    post({ type: 'claimed' })
    if (signal.aborted) post({ type: 'halt' })
    for (;;) {
      const result = await outcome()
      if (result !== null) return result
      await handle(await mailbox.take())
    }
  } finally {
    stopListening()
    deps.samples.drop(claim)
    clearTimeout(waitTimer)
    if (state.stream.at === 'ended') log.info({ streamId, state: state.stream }, 'stream ended')
  }
}

/** Everything that reaches a keeper from outside becomes an event. Answers how to stop listening. */
function listen(
  { row, events, signal, relay, ...deps }: KeeperDeps,
  post: (event: KeeperEvent) => void,
  poll: () => void,
): () => void {
  const halt = () => post({ type: 'halt' })
  signal.addEventListener('abort', halt, { once: true })
  const leaves = [
    () => signal.removeEventListener('abort', halt),
    events.on('stream.stop-asked', ({ streamId, cause = null }) => {
      if (streamId === row.id) post({ type: 'stop-asked', cause })
    }),
    events.on('stream.end-asked', ({ streamId }) => {
      if (streamId === row.id) post({ type: 'end-asked' })
    }),
    events.on('stream.swap-asked', ({ streamId }) => {
      if (streamId === row.id) post({ type: 'swap-asked' })
    }),
    deps.rounds.join(poll),
    relay ? everySpread(deps.returningSourceMs, () => post({ type: 'source-check-due', check: 'return' })) : () => {},
    relay ? everySpread(deps.growingSourceMs, () => post({ type: 'source-check-due', check: 'growth' })) : () => {},
  ]
  return () => {
    for (const leave of leaves) leave()
  }
}
