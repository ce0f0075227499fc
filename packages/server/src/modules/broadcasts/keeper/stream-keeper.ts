import { watchForSteps } from '../../../platform/clock.ts'
import { everySpread } from '../../../platform/every-spread.ts'
import type { JobOutcome } from '../../../platform/queue/queue.ts'
import { createEffects } from './effects.ts'
import { clipsOf, holdClips, neededClips } from './held-clips.ts'
import type { KeeperDeps } from './keeper-deps.ts'
import { type KeeperEvent, type KeeperState, keeperStateOf, type Surroundings } from './keeper-state.ts'
import { createMailbox } from './mailbox.ts'
import { nextState } from './next-state.ts'
import { createSession } from './session.ts'
import { createStateSaver } from './state-saver.ts'

const SHORT_ITEM_MS = 10_000

/**
 * Keeps one broadcast on air until it ends. Everything that happens comes into the mailbox as an event, `nextState` decides, and
 * the effects are carried out: one event at a time, and each new state is written down before it is acted on.
 */
export async function keepStream(deps: KeeperDeps): Promise<JobOutcome> {
  const { row, log, signal } = deps
  const claim = { id: row.id, epoch: row.epoch }
  const { post, take, close } = createMailbox<KeeperEvent>()
  const saver = createStateSaver({
    streamId: row.id,
    log,
    write: (change, events) => deps.repo.change(claim, change, events),
  })
  const session = createSession({ ...deps, post })
  const surroundings = surroundingsOf(deps)
  let state = keeperStateOf(row)
  let hasLeft = false
  const effects = createEffects({
    ...deps,
    claim,
    session,
    saver,
    post,
    state: () => state,
    leave() {
      hasLeft = true
    },
  })

  const held = holdClips(deps.releaseClip)

  async function handle(event: KeeperEvent): Promise<void> {
    if (event.type === 'polled') session.pollWasRead()
    const decision = nextState(state, event, surroundings())
    state = decision.state
    deps.meter.phase(row.id, state.stream.at)
    held.keep(clipsOf(event), neededClips(state))
    const passed = deps.passedOver()
    if (passed) post({ type: 'passed-over', passed })
    for (const effect of decision.effects) {
      if (saver.isFenced()) return
      await effects.carryOut(effect)
    }
  }

  /** Null: it goes on. */
  async function outcome(): Promise<JobOutcome | null> {
    if (saver.isFenced()) {
      log.warn({ streamId: row.id }, 'another worker has this stream now')
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
    if (state.stream.at !== 'live' || !isSecondPoll || isShort(state)) void session.poll(state.clip)
  })
  try {
    if (deps.adopted) log.info({ streamId: row.id, ffmpegPid: deps.adopted.process.pid }, 'took over a running ffmpeg')
    const left = deps.adopted && session.adopt(1, deps.adopted)
    const { leftOutTimeMs: outTimeMs, leftHasEnded: hasEnded } = deps
    await handle({ type: 'taken-over', session: left, outTimeMs, hasEnded })
    if (row.desired === 'stopped') post({ type: 'stop-asked', cause: row.end_cause })
    post({ type: 'claimed' })
    if (signal.aborted) post({ type: 'halt' })
    for (;;) {
      const result = await outcome()
      if (result !== null) return result
      await handle(await take())
    }
  } finally {
    stopListening()
    effects.stop()
    deps.samples.drop(claim)
    deps.meter.drop(row.id)
    held.keep([], [])
    // A video that was asked for may come from a store minutes later: its copy is not kept for a broadcast that is over.
    close((event) => held.keep(clipsOf(event), []))
    if (state.stream.at === 'ended') log.info({ streamId: row.id, state: state.stream }, 'stream ended')
  }
}

/** A playlist with short items is polled often: we see soon enough that the next one has begun, to say in time what follows it. */
const isShort = ({ place, clip }: KeeperState): boolean => place !== null && (clip?.durationMs ?? 0) < SHORT_ITEM_MS

function surroundingsOf({ row, clock, relay, sessionLimitMs, keepOnExit, ...deps }: KeeperDeps): () => Surroundings {
  const steady = deps.steady ?? (() => performance.now())
  const clockStep = watchForSteps(clock, steady)
  return () => ({
    nowMs: clock.now(),
    steadyMs: steady(),
    clockStepMs: clockStep(),
    clockErrorMs: deps.clockErrorMs(),
    random: Math.random(),
    // What is live has no end to be sent once to: whatever ends it, it comes back.
    looping: row.looping === 1 || (relay !== null && row.source_finite !== 1),
    isRelay: relay !== null,
    isRecorded: row.record === 1 && relay === null,
    sessionLimitMs,
    keepsOnExit: keepOnExit,
  })
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
    deps.pollLoop.join(poll),
    relay ? everySpread(deps.returningSourceMs, () => post({ type: 'source-check-due', check: 'return' })) : () => {},
    relay ? everySpread(deps.growingSourceMs, () => post({ type: 'source-check-due', check: 'growth' })) : () => {},
  ]
  return () => {
    for (const leave of leaves) leave()
  }
}
