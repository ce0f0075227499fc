import type { StreamReasonCode } from '@siarin/contracts/stream-reason-texts'
import { shouldRenewSession } from '@siarin/media/session-limit'
import { nextPhase, type StreamEvent, type StreamState } from '@siarin/media/stream-state'
import type { RecordedEvent } from '../store/streams.repo.ts'
import { advance, type Decision, SAVE, still, withSession } from './advance.ts'
import { eventsOfTransition } from './events-of-transition.ts'
import type { BegunSession, Effect, KeeperEvent, KeeperState, Poll, Session, Surroundings } from './keeper-state.ts'
import {
  isItemOver,
  itemEnded,
  judgeNext,
  nextJudged,
  passedOver,
  playlistPolled,
  playlistStarted,
  positionMs,
  restartEnded,
} from './playlist-steps.ts'
import { withPieces } from './sent-pieces.ts'
import { sourceCheckDue, sourceChecked } from './source-checks.ts'
import { changeClip, judgeSwap, passEnds, playOn, restartForSwap, swapJudged, swapPolled } from './swap-steps.ts'

/** A broadcast that is to end with its pass is not sent for longer than this. */
export const LONGEST_LAST_PASS_MS = 10 * 60_000
/** ffmpeg's first figures count what it sends ahead at the start. */
const SETTLED_MS = 4_000
/** Why the timeline has a new session. */
const RENEWED: StreamReasonCode = 'session-renewed'
const HALTED: StreamReasonCode = 'halted'

/** Decides about one broadcast: the only place that does. */
export function nextState(before: KeeperState, event: KeeperEvent, now: Surroundings): Decision {
  return withPieces(before, decided(before, event, now), event, now)
}

function decided(before: KeeperState, event: KeeperEvent, now: Surroundings): Decision {
  if (now.clockStepMs === 0) return decide(before, event, now)
  const stream = nextPhase(before.stream, { type: 'clock-stepped', byMs: now.clockStepMs }, now)
  const { state, effects } = decide({ ...before, stream }, event, now)
  // Its times are in the row too.
  return { state, effects: effects.some(({ type }) => type === 'save') ? effects : [SAVE, ...effects] }
}

function decide(state: KeeperState, event: KeeperEvent, now: Surroundings): Decision {
  switch (event.type) {
    case 'taken-over':
      return takenOver(state, event, now)
    case 'started':
      return started(state, event.session, now)
    case 'start-failed':
      return startFailed(state, event.reason, now)
    case 'start-given-up':
      return advance({ ...state, isLeaving: false }, { type: 'process-missing' }, now)
    case 'exited':
      return ofSession(state, event.session, (session) => exited(state, session, event.reason, now))
    case 'polled':
      return ofSession(state, event.session, (session) => polled(state, session, event.poll, now))
    case 'lag-judged':
      return ofSession(state, event.session, (session) =>
        event.endsIt && session.killedFor === null ? kill(state, session, 'lagging') : still(state),
      )
    case 'end-asked':
      return endAsked(state, now)
    case 'end-judged':
      return event.cause === null ? still(state) : advance(state, { type: 'stop-asked', cause: event.cause }, now)
    case 'swap-asked':
      return state.place ? judgeNext(state) : judgeSwap(state)
    case 'swap-judged':
      return swapJudged({ ...state, isJudgingSwap: false }, event, now)
    case 'pass-over':
      return ofSession(state, event.session, () =>
        state.needsNewSession && state.stream.at === 'live' ? restartForSwap(state, now) : still(state),
      )
    case 'next-judged':
      return nextJudged(state, event.after, event.next)
    case 'passed-over':
      return passedOver(state, event.passed, now)
    case 'next-refused':
      // The request for it is heard again.
      return still(state.nextClip === event.clip ? { ...state, nextClip: null, nextPlace: null } : state)
    case 'source-check-due':
      return sourceCheckDue(state, event.check)
    case 'source-checked':
      return ofSession(state, event.session, (session) => sourceChecked(state, session, event.needsNewSession, now))
    case 'halt':
      return halt(state, now)
    default:
      return advance(state, event, now)
  }
}

/** News of a session that has been replaced is no news. */
const ofSession = (state: KeeperState, number: number, decideFor: (session: Session) => Decision): Decision =>
  state.session?.number === number ? decideFor(state.session) : still(state)

const begun = (state: KeeperState, { number, pid, birth, clip, item, fromMs, place }: BegunSession): KeeperState => ({
  ...state,
  session: { number, pid, birth, isRenewing: false, isCheckingSource: false, killedFor: null },
  sessions: Math.max(state.sessions, number),
  clip,
  place,
  reads: { clip, place },
  readBefore: null,
  formerNexts: [],
  needsNewSession: false,
  position: { item, ms: state.position.ms, fromMs },
  sentMs: null,
})

type TakenOver = Extract<KeeperEvent, { type: 'taken-over' }>

/** Takes up what an earlier run left, before anything new happens. */
function takenOver(state: KeeperState, event: TakenOver, now: Surroundings): Decision {
  const { stream: before } = state
  const { session } = event
  const stream = nextPhase(before, whatBecameOf(event, before.at, now), now)
  const taken = { ...(session ? adopted(state, session) : wasHalted(state, event, now)), stream }
  const news = eventsOfTransition(before, stream, { nowMs: now.nowMs })
  const { state: next, effects } = session?.isSwapped
    ? changeClip(taken, session.clip, session.fromMs, now, news)
    : // The row says all about a stream that nobody has begun.
      { state: taken, effects: session === null && stream === before ? [] : [{ type: 'save', news } as const] }
  if (stream.at === 'stopping') return { state: next, effects: [...effects, { type: 'stop' }] }
  // Nobody knows what comes next there: it is said anew.
  if (session && next.place) {
    const asked = judgeNext(next)
    return { state: asked.state, effects: [...effects, ...asked.effects] }
  }
  return { state: next, effects: session && now.looping ? [...effects, ...playOn(next)] : effects }
}

function whatBecameOf({ session, hasEnded }: TakenOver, at: StreamState['at'], { looping }: Surroundings): StreamEvent {
  if (session) return { type: 'process-found' }
  // Else it would be played once more.
  const isOver = hasEnded === true && !looping && at === 'live'
  return isOver ? { type: 'exited', reason: 'source-ended', sourceEnded: true } : { type: 'process-missing' }
}

/** It may come to what its other slot has before anything is said. What follows is said in any case: an earlier run may have been wrong. */
const adopted = (state: KeeperState, session: BegunSession): KeeperState => ({
  ...begun(state, session),
  formerNexts: session.next && typeof session.next === 'object' ? [session.next] : [],
  readBefore: session.before ?? null,
  nextClip: session.asked ?? null,
  sentMs: session.outTimeMs || null,
})

/** It went off air with the program, or some time after that: it was on air for as long as its ffmpeg is known to have sent. */
function wasHalted(state: KeeperState, { outTimeMs }: TakenOver, { nowMs }: Surroundings): KeeperState {
  const { stream, onAirMs, sentMs } = state
  if (stream.at !== 'live') return state
  const ranMs = Math.min(Math.max(0, nowMs - stream.sinceMs), Math.max(sentMs ?? 0, outTimeMs ?? 0))
  return { ...state, lastReason: HALTED, onAirMs: onAirMs + Math.round(ranMs) }
}

function halt(state: KeeperState, now: Surroundings): Decision {
  if (!now.keepsOnExit || state.stream.at === 'stopping') return advance(state, { type: 'halt' }, now)
  // Its pid stands in the row: the next start finds it on air.
  if (state.session) return { state, effects: [SAVE, { type: 'leave' }] }
  if (state.stream.at !== 'starting') return advance(state, { type: 'halt' }, now)
  return { state: { ...state, isLeaving: true }, effects: [{ type: 'give-up-start' }] }
}

function startFailed(before: KeeperState, reason: string, now: Surroundings): Decision {
  const failed = advance(before, { type: 'exited', reason, sourceEnded: false }, now)
  if (!before.isLeaving) return failed
  const { state, effects } = advance({ ...failed.state, isLeaving: false }, { type: 'halt' }, now)
  return { state, effects: [...failed.effects, ...effects] }
}

function started(before: KeeperState, session: BegunSession, now: Surroundings): Decision {
  const { state, effects } = now.isRelay ? sourceStarted(before, session, now) : clipStarted(before, session, now)
  // Its end was asked for while it was being started.
  if (before.stream.at === 'stopping') return { state, effects: [...effects, { type: 'stop' }] }
  return { state, effects: before.isLeaving ? [...effects, { type: 'leave' }] : effects }
}

/** The source may have gone away, and a video stands in for it; or it came back. */
function sourceStarted(before: KeeperState, session: BegunSession, { nowMs }: Surroundings): Decision {
  const { onFallback, note, clip } = session
  const kind = onFallback ? 'fallback' : 'source-back'
  const news: RecordedEvent[] =
    onFallback === before.onFallback ? [] : [{ at: nowMs, kind, reason: clip.filename, offAirMs: null }]
  return { state: { ...begun(before, session), onFallback, note }, effects: [{ type: 'save', news }] }
}

function clipStarted(before: KeeperState, session: BegunSession, now: Surroundings): Decision {
  // What was to come in the session before was said to that one alone. What is still asked for is judged for this one.
  const state = { ...begun(before, session), nextClip: null }
  if (session.place) return playlistStarted(before, state, session)
  return session.clip.videoId === before.videoId ? { state, effects: [SAVE] } : changeClip(state, session.clip, 0, now)
}

function exited(
  state: KeeperState,
  { killedFor }: Session,
  reason: NonNullable<Session['killedFor']>,
  now: Surroundings,
): Decision {
  if (state.place && killedFor === null && state.nextPlace !== 'end' && isItemOver(state, reason))
    return itemEnded({ ...state, session: null }, { reason }, now)
  // What is played once came to its end, and an unlike video was asked for meanwhile.
  if (state.needsNewSession && killedFor === null && state.stream.at === 'live' && reason === 'source-ended')
    return restartEnded({ ...state, session: null }, { type: 'exited', reason, sourceEnded: false }, now)
  // A live source that ends is away; whether it is over for good nobody knows. What stood in for one says nothing about it.
  const goesOn = now.isRelay && (now.looping || state.onFallback)
  const why = killedFor ?? (goesOn && reason === 'source-ended' ? 'source-away' : reason)
  const brokeOff = now.isRelay && !state.onFallback && killedFor === null && why === 'source-away'
  const event = { type: 'exited', reason: why, sourceEnded: why === 'source-ended' } as const
  const next = advance({ ...state, session: null }, event, now)
  return brokeOff ? { state: next.state, effects: [{ type: 'tell-relay', what: 'broke-off' }, ...next.effects] } : next
}

const kill = (state: KeeperState, session: Session, killedFor: NonNullable<Session['killedFor']>): Decision => ({
  state: withSession(state, session, { killedFor }),
  effects: [{ type: 'kill' }],
})

/** Live is what moves: ffmpeg's output time has to advance, and what it sends has to leave the machine. */
function polled(state: KeeperState, session: Session, poll: Poll, now: Surroundings): Decision {
  if (session.killedFor !== null) return still(state)
  // A short item needs its successor before ffmpeg speaks again.
  if (poll.verdict === 'quiet') return state.place ? playlistPolled(state, poll) : still(state)
  const sendsSource = now.isRelay && !state.onFallback
  if (poll.verdict === 'stalled') {
    if (!sendsSource || poll.unsentBytes > 0) return kill(state, session, 'stalled')
    const dry = kill(state, session, 'source-away')
    return { state: dry.state, effects: [{ type: 'tell-relay', what: 'went-dry' }, ...dry.effects] }
  }
  const moved = advance(state, { type: 'moving' }, now)
  const noted = note(moved.state, poll, now)
  // An online source comes at a pace of its own.
  const lag: Effect[] =
    poll.verdict === 'lagging' && !sendsSource ? [{ type: 'judge-lag', session: session.number }] : []
  return { state: noted.state, effects: [...moved.effects, ...noted.effects, ...lag] }
}

/** Figures for the screen, where in its clip it is, and what follows from that. */
function note(before: KeeperState, poll: Poll, now: Surroundings): Decision {
  const { bitrateKbps, speed, frames, outTimeMs, clipMs } = poll
  const sample = { bitrateKbps: outTimeMs < SETTLED_MS ? null : bitrateKbps, speed, frames }
  const { item, fromMs } = before.position
  const ms = positionMs(before, poll)
  const noted = { ...before, sample, position: { item, ms, fromMs }, sentMs: outTimeMs }
  const changed = before.place ? playlistPolled(noted, poll) : swapPolled(before, noted, { poll, now })
  const atBoundary = changed.hasJoined || changed.state.position.ms < before.position.ms
  const renewed = renewIfDue(changed.state, { ranMs: outTimeMs, atBoundary, clipMs }, now)
  const isLastPassOver = before.endByMs !== null && (atBoundary || now.steadyMs >= before.endByMs)
  const ended = isLastPassOver ? judgeEnd(renewed.state) : still(renewed.state)
  const swapped = passEnds(ended.state, { poll, atBoundary }, now)
  const figures: Effect[] = swapped.state.stream.at === 'live' ? [{ type: 'write-figures' }] : []
  return {
    state: swapped.state,
    effects: [...changed.effects, ...renewed.effects, ...ended.effects, ...swapped.effects, ...figures],
  }
}

const judgeEnd = (state: KeeperState): Decision => ({
  state: { ...state, endByMs: null },
  effects: [{ type: 'judge-end' }],
})

/** Off air for a moment now rather than thrown off air later. */
function renewIfDue(
  state: KeeperState,
  pass: { ranMs: number; atBoundary: boolean; clipMs: number },
  now: Surroundings,
): Decision {
  const { session } = state
  const isDue = now.looping && shouldRenewSession({ ...pass, limitMs: now.sessionLimitMs })
  if (!isDue || !session || session.isRenewing || state.stream.at !== 'live') return still(state)
  const renewal: RecordedEvent = { at: now.nowMs, kind: 'renewed', reason: RENEWED, offAirMs: null }
  const renewing = withSession({ ...state, lastReason: RENEWED }, session, { isRenewing: true })
  return advance(renewing, { type: 'restart-asked' }, now, [renewal])
}

function endAsked(state: KeeperState, now: Surroundings): Decision {
  // Between passes, and with a source that has none, there is nothing to wait for.
  if (state.stream.at !== 'live' || now.isRelay) return judgeEnd(state)
  return still({ ...state, endByMs: state.endByMs ?? now.steadyMs + LONGEST_LAST_PASS_MS })
}
