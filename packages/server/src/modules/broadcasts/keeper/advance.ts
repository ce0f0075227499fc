import { nextPhase, type StreamEvent, type StreamState } from '@siarin/media/stream-state'
import type { RecordedEvent } from '../store/streams.repo.ts'
import { eventsOfTransition } from './events-of-transition.ts'
import { type Effect, type KeeperState, NO_SAMPLE, type Session, type Surroundings } from './keeper-state.ts'

export interface Decision {
  readonly state: KeeperState
  readonly effects: readonly Effect[]
}

export const SAVE: Effect = { type: 'save', news: [] }
export const still = (state: KeeperState): Decision => ({ state, effects: [] })
export const withSession = (state: KeeperState, session: Session, change: Partial<Session>): KeeperState => ({
  ...state,
  session: { ...session, ...change },
})

/** Lets the broadcast's own life go on, and says what the new state asks for. `told`: what else there is to tell. */
export function advance(
  state: KeeperState,
  event: StreamEvent,
  now: Surroundings,
  told: readonly RecordedEvent[] = [],
): Decision {
  const { stream: before } = state
  const stream = nextPhase(before, event, now)
  if (stream === before) return told.length === 0 ? still(state) : { state, effects: [{ type: 'save', news: told }] }
  const hasEntered = stream.at !== before.at
  const news = [...told, ...eventsOfTransition(before, stream, { nowMs: now.nowMs, knownReason: state.lastReason })]
  const next: KeeperState = {
    ...state,
    stream,
    restarts: state.restarts + (before.at === 'waiting' && stream.at === 'starting' ? 1 : 0),
    onAirMs: state.onAirMs + (hasEntered && before.at === 'live' ? Math.max(0, now.nowMs - before.sinceMs) : 0),
    sample: hasEntered && stream.at !== 'live' ? NO_SAMPLE : state.sample,
    lastReason: reasonAfter(stream, state.lastReason),
  }
  // Written down before it is done.
  const save: Effect = { type: 'save', news }
  if (!hasEntered) return { state: next, effects: [save] }
  const { state: entered, effects } = enter(next, now)
  return { state: entered, effects: [save, ...effects] }
}

/** Once it is on air, why it was not is over: the next time has a reason of its own. */
function reasonAfter(stream: StreamState, before: string | null): string | null {
  if (stream.at === 'live') return null
  return stream.at === 'waiting' ? stream.reason : before
}

/** What a state asks for on entering it. */
function enter(state: KeeperState, now: Surroundings): Decision {
  const { stream } = state
  switch (stream.at) {
    case 'queued':
      return { state, effects: [{ type: 'claim' }] }
    case 'starting': {
      const session = state.sessions + 1
      return {
        state: { ...state, sessions: session },
        effects: [{ type: 'start', session, position: { ...state.position, place: state.place } }],
      }
    }
    case 'stopping':
      return { state, effects: [{ type: 'stop' }] }
    case 'waiting':
      return { state, effects: [{ type: 'wait', ms: Math.max(0, stream.untilMs - now.nowMs) }] }
    default:
      return still(state)
  }
}
