import { nobodyAnswered } from './parse/exit-reason.ts'

/**
 * The life of one broadcast. Every event goes through `nextPhase`; it alone decides to try, wait, give up or end.
 * The supervisor carries out what a state says: in `starting` a process is to be started, in `waiting` none runs, and so on.
 */
export type StreamState =
  | ({ readonly at: 'queued' } & Tries)
  | ({ readonly at: 'starting' } & Tries)
  | ({ readonly at: 'live'; readonly sinceMs: number } & Tries)
  | ({ readonly at: 'waiting'; readonly untilMs: number; readonly reason: string } & Tries)
  | ({ readonly at: 'stopping'; readonly afterwards: 'ended' | 'queued' | 'starting'; readonly cause?: string } & Tries)
  | {
      readonly at: 'ended'
      readonly reason: EndReason
      readonly cause: string | null
      /** When it was first on air; left out where it never was, and by earlier versions. */
      readonly firstLiveMs?: number
    }

interface Tries {
  /** Tries that failed since the broadcast was last healthy for a minute. */
  readonly failures: number
  /** The target has taken our bytes at least once: from then on we never give it up. */
  readonly accepted: boolean
  /** Since when it has been off air without a break; null while it is on air or has not been tried yet. */
  readonly offAirSinceMs: number | null
  /** When it was first on air; null: not yet. */
  readonly firstLiveMs: number | null
  /** How often it was on air again after that. */
  readonly reconnects: number
}

export type EndReason = 'stopped' | 'finished' | 'failed'

export type StreamEvent =
  /** A worker took the broadcast over, and the process that an earlier one started still runs. */
  | { readonly type: 'process-found' }
  /** A worker took the broadcast over, and no process of it runs (any more). */
  | { readonly type: 'process-missing' }
  /** A worker that has the broadcast is ready to put it on air. */
  | { readonly type: 'claimed' }
  /** The output of the process advances. */
  | { readonly type: 'moving' }
  /** The process is gone. */
  | { readonly type: 'exited'; readonly reason: string; readonly sourceEnded: boolean }
  | { readonly type: 'wait-over' }
  /** `cause`: where it is not its owner who wants it. */
  | { readonly type: 'stop-asked'; readonly cause?: string | null }
  /** Another video, or a limit of the platform, needs a new session: off air for a moment, on purpose. */
  | { readonly type: 'restart-asked' }
  /** The program ends, the broadcast shall not: its next start goes on with it. */
  | { readonly type: 'halt' }
  /** Somebody set the machine's clock: what was written down in its time moves with it, so that durations stay true. */
  | { readonly type: 'clock-stepped'; readonly byMs: number }

export interface Circumstances {
  readonly nowMs: number
  /** From 0 to 1: spreads retries so that a thousand broadcasts do not knock at once. */
  readonly random: number
  readonly looping: boolean
}

export const HEALTHY_AFTER_MS = 60_000
export const MAX_FIRST_TRIES = 5
const FIRST_WAIT_MS = 1_000
const AFTER_LIVE_FIRST_WAIT_MS = 300
const AFTER_LIVE_MAX_WAIT_MS = 1_500
/** While an outage is young. With the time that a new session takes, a broadcast is back within 6 s of its target. */
const EARLY_MAX_WAIT_MS = 4_000
const MAX_WAIT_MS = 60_000
/** The four waits before the five tries are used up make some two minutes: long enough for a short outage, theirs or ours. */
const UNANSWERED_FIRST_WAIT_MS = 10_000
const UNANSWERED_MAX_WAIT_MS = 80_000
/** A target that has been away for long may be asked seldom: it costs no more than this part of the time that it was away. */
const PART_OF_OUTAGE = 1 / 30

export const initialState: StreamState = {
  at: 'queued',
  failures: 0,
  accepted: false,
  offAirSinceMs: null,
  firstLiveMs: null,
  reconnects: 0,
}

/** From its row, which a version may have written that did not know yet since when it is on air. */
export function readState(text: string): StreamState {
  const state = JSON.parse(text)
  return state.at === 'ended' ? state : { firstLiveMs: state.sinceMs ?? null, reconnects: 0, ...state }
}

export function nextPhase(state: StreamState, event: StreamEvent, now: Circumstances): StreamState {
  if (state.at === 'ended') return state
  const next = follow(state, event, now)
  return next.at === 'ended' && state.firstLiveMs !== null ? { ...next, firstLiveMs: state.firstLiveMs } : next
}

function follow(state: Exclude<StreamState, { at: 'ended' }>, event: StreamEvent, now: Circumstances): StreamState {
  switch (event.type) {
    case 'process-found':
      // Only a stop that the user asked for outlives the worker that had begun it; whatever else was written is overtaken.
      if (state.at === 'live' || (state.at === 'stopping' && state.afterwards === 'ended')) return state
      return { at: 'starting', ...triesOf(state) }
    case 'process-missing': {
      // Whatever an earlier worker was about to do died with it, but for a stop that was under way.
      if (state.at === 'stopping' && state.afterwards === 'ended') return stopped(state.cause)
      const tries = offAirFrom(state, now)
      return state.at === 'queued' && tries.offAirSinceMs === state.offAirSinceMs ? state : { at: 'queued', ...tries }
    }
    case 'claimed':
      return state.at === 'queued' ? { at: 'starting', ...triesOf(state) } : state
    case 'moving':
      return moving(state, now)
    case 'exited':
      return exited(state, event, now)
    case 'wait-over':
      return state.at === 'waiting' ? { at: 'starting', ...triesOf(state) } : state
    case 'stop-asked':
      if (state.at === 'stopping' && state.afterwards === 'ended') return state
      return hasProcess(state)
        ? { at: 'stopping', afterwards: 'ended', ...(event.cause ? { cause: event.cause } : {}), ...triesOf(state) }
        : stopped(event.cause)
    case 'restart-asked':
      return state.at === 'starting' || state.at === 'live'
        ? { at: 'stopping', afterwards: 'starting', ...triesOf(state) }
        : state
    case 'halt':
      if (state.at === 'stopping' && state.afterwards !== 'starting') return state
      return hasProcess(state)
        ? { at: 'stopping', afterwards: 'queued', ...triesOf(state) }
        : { at: 'queued', ...triesOf(state) }
    case 'clock-stepped':
      return shifted(state, event.byMs)
  }
}

const stopped = (cause: string | null = null): StreamState => ({ at: 'ended', reason: 'stopped', cause })

function shifted(state: Exclude<StreamState, { at: 'ended' }>, byMs: number): StreamState {
  const moved = (ms: number | null): number | null => (ms === null ? null : ms + byMs)
  const times = { offAirSinceMs: moved(state.offAirSinceMs), firstLiveMs: moved(state.firstLiveMs) }
  if (state.at === 'live') return { ...state, ...times, sinceMs: state.sinceMs + byMs }
  if (state.at === 'waiting') return { ...state, ...times, untilMs: state.untilMs + byMs }
  return { ...state, ...times }
}

/** In these states a process runs or is being started; in all others none does. */
export const hasProcess = (state: StreamState): boolean =>
  state.at === 'starting' || state.at === 'live' || state.at === 'stopping'

function moving(state: StreamState, now: Circumstances): StreamState {
  if (state.at === 'starting') {
    return {
      at: 'live',
      sinceMs: now.nowMs,
      failures: state.failures,
      accepted: true,
      offAirSinceMs: null,
      firstLiveMs: state.firstLiveMs ?? now.nowMs,
      reconnects: state.reconnects + (state.accepted ? 1 : 0),
    }
  }
  if (state.at === 'live' && state.failures > 0 && now.nowMs - state.sinceMs >= HEALTHY_AFTER_MS) {
    return { ...state, failures: 0 }
  }
  return state
}

function exited(
  state: StreamState,
  { reason, sourceEnded }: { reason: string; sourceEnded: boolean },
  now: Circumstances,
): StreamState {
  if (state.at === 'stopping') {
    if (state.afterwards === 'ended') return stopped(state.cause)
    return { at: state.afterwards, ...offAirFrom(state, now) }
  }
  if (state.at !== 'starting' && state.at !== 'live') return state
  if (sourceEnded && !now.looping) return { at: 'ended', reason: 'finished', cause: null }

  const failures = state.failures + 1
  if (!state.accepted && failures >= MAX_FIRST_TRIES) return { at: 'ended', reason: 'failed', cause: reason }
  const offAirSinceMs = state.offAirSinceMs ?? now.nowMs
  const waitMs = backOffMs({
    failures,
    wasLive: state.at === 'live',
    unanswered: !state.accepted && nobodyAnswered(reason),
    offAirMs: now.nowMs - offAirSinceMs,
    random: now.random,
  })
  return { ...triesOf(state), at: 'waiting', untilMs: now.nowMs + waitMs, reason, failures, offAirSinceMs }
}

interface Outage {
  readonly failures: number
  readonly wasLive: boolean
  /** The target never took it, and did not say no either. */
  readonly unanswered: boolean
  readonly offAirMs: number
  readonly random: number
}

function backOffMs(outage: Outage): number {
  const [first, longest] = waitBounds(outage)
  const growing = first * 2 ** Math.min(outage.failures - 1, 10)
  const spread = 0.8 + 0.2 * Math.min(1, Math.max(0, outage.random))
  return Math.round(Math.min(growing, longest) * spread)
}

/** A broadcast that was on air comes back at once; a target that stays away is asked less and less often. */
function waitBounds({ wasLive, unanswered, offAirMs }: Outage): [firstMs: number, longestMs: number] {
  if (wasLive) return [AFTER_LIVE_FIRST_WAIT_MS, AFTER_LIVE_MAX_WAIT_MS]
  if (unanswered) return [UNANSWERED_FIRST_WAIT_MS, UNANSWERED_MAX_WAIT_MS]
  return [FIRST_WAIT_MS, Math.min(MAX_WAIT_MS, Math.max(EARLY_MAX_WAIT_MS, offAirMs * PART_OF_OUTAGE))]
}

/** Off air since now at the latest, when it had been on air until then. */
function offAirFrom(state: Exclude<StreamState, { at: 'ended' }>, now: Circumstances): Tries {
  const tries = triesOf(state)
  return tries.accepted ? { ...tries, offAirSinceMs: tries.offAirSinceMs ?? now.nowMs } : tries
}

function triesOf(state: Exclude<StreamState, { at: 'ended' }>): Tries {
  const { failures, accepted, offAirSinceMs, firstLiveMs, reconnects } = state
  return { failures, accepted, offAirSinceMs, firstLiveMs, reconnects }
}
