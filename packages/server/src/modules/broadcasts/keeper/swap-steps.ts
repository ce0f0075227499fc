import type { Clip } from '../sequence/clips.ts'
import type { RecordedEvent } from '../store/streams.repo.ts'
import { advance, type Decision, still } from './advance.ts'
import type { BegunSession, Effect, KeeperEvent, KeeperState, Poll, Surroundings } from './keeper-state.ts'
import { begunItem, candidatesOf, VIDEO_CHANGED } from './playlist-steps.ts'

/** The end of a pass is known to a moment once it is this near. */
const NEAR_END_MS = 3_000

/** The clip that was asked for plays now: from here on it is the broadcast's own. `told`: what else there is to tell. */
export const changeClip = (
  state: KeeperState,
  clip: BegunSession['clip'],
  fromMs: number,
  now: Surroundings,
  told: readonly RecordedEvent[] = [],
): Decision => ({
  state: {
    ...state,
    clip,
    videoId: clip.videoId,
    reads: { clip, place: null },
    readBefore: null,
    formerNexts: [],
    // Yet another one may have been asked for meanwhile.
    nextClip: state.nextClip?.videoId === clip.videoId ? null : state.nextClip,
    position: { item: state.position.item, ms: 0, fromMs },
  },
  effects: [
    {
      type: 'save',
      news: [...told, { at: now.nowMs, kind: 'swapped', reason: clip.filename, offAirMs: null }],
      swappedTo: clip,
    },
  ],
})

/** The video that was asked for may be on air by now. */
export function swapPolled(
  before: KeeperState,
  state: KeeperState,
  { poll, now }: { poll: Poll; now: Surroundings },
): Decision & { readonly hasJoined: boolean } {
  const begun = begunItem(state, poll)
  if (begun) return { ...changeClip(state, begun.clip, -joinedMs(state, poll), now), hasJoined: false }
  // The clip that plays was asked for, and has begun once more.
  const isWithdrawn = isPlaying(state, state.nextClip) && state.position.ms < before.position.ms
  return { ...(isWithdrawn ? settleOn(state) : still(state)), hasJoined: false }
}

/**
 * Where the pass before ended, in ffmpeg's output time; where that is not known, when it was seen. What ffmpeg has open is known to the moment,
 * and it opens a file before it has sent the one before; how far it came, it said up to a second ago. So the end of a pass that is nearest
 * counts, which may be still to come.
 */
function joinedMs({ position: { fromMs } }: KeeperState, { outTimeMs, saidAgoMs, clipMs }: Poll): number {
  const passes = clipMs > 0 ? Math.round((fromMs + outTimeMs + saidAgoMs) / clipMs) : 0
  return passes > 0 ? passes * clipMs - fromMs : outTimeMs
}

const isPlaying = ({ clip }: KeeperState, other: Clip | null): boolean =>
  clip !== null && clip.videoId === other?.videoId

/** Nothing else can come any more, and the row asks for nothing. */
const settleOn = (state: KeeperState): Decision => ({
  state: { ...state, nextClip: null, formerNexts: [], needsNewSession: false },
  effects: state.clip ? [{ type: 'save', news: [], swappedTo: state.clip }] : [],
})

/** What is to come in a loop that was taken over: what was asked for, or the same again. */
export function playOn({ clip, nextClip }: KeeperState): Effect[] {
  const next = nextClip ?? clip
  // A file that was taken away behind our back plays for as long as ffmpeg holds it.
  return next?.path ? [{ type: 'play-next', next: { clip: next, place: null } }] : []
}

/** An unlike video was asked for: the pass that plays comes to its end, then a new session begins with that one. */
export function passEnds(
  state: KeeperState,
  { poll, atBoundary }: { poll: Poll; atBoundary: boolean },
  now: Surroundings,
): Decision {
  const { session } = state
  // What is played once ends by itself.
  if (!state.needsNewSession || !session || !now.looping || state.stream.at !== 'live') return still(state)
  if (atBoundary || !(poll.clipMs > 0)) return restartForSwap(state, now)
  const ms = Math.max(0, poll.clipMs - state.position.ms - poll.saidAgoMs)
  return ms > NEAR_END_MS
    ? still(state)
    : { state, effects: [{ type: 'await-pass', session: session.number, ms: Math.round(ms) }] }
}

export const restartForSwap = (state: KeeperState, now: Surroundings): Decision =>
  advance({ ...state, lastReason: VIDEO_CHANGED }, { type: 'restart-asked' }, now)

/** Asks which video the row wants next. */
export function judgeSwap(state: KeeperState): Decision {
  if (state.isJudgingSwap) return still(state)
  const { clip, nextClip } = state
  return { state: { ...state, isJudgingSwap: true }, effects: [{ type: 'judge-swap', clip, nextClip }] }
}

/** It comes when the clip that plays has come to its end: alike, in the same session, otherwise in a new one. */
export function swapJudged(
  state: KeeperState,
  { after, wanted }: Extract<KeeperEvent, { type: 'swap-judged' }>,
  now: Surroundings,
): Decision {
  // The wish is said more than once.
  if (!wanted || wanted.clip.videoId === state.nextClip?.videoId) return still(state)
  // The next session begins with it, and asks the row what to begin with.
  if (!state.session) return still(state)
  // Another clip has begun meanwhile, or another file of the same video: it may be the one, or unlike the one.
  if (state.clip?.path !== after?.path) return judgeSwap(state)
  const { clip, follows } = wanted
  const formerNexts = candidatesOf(state)
  if (isPlaying(state, clip) && (!now.looping || formerNexts.length === 0)) return settleOn(state)
  const next = { ...state, nextClip: clip, formerNexts, needsNewSession: !follows }
  if (follows) return { state: next, effects: [{ type: 'play-next', next: { clip, place: null } }] }
  if (state.stream.at !== 'live') return restartForSwap(next, now)
  // Another one may have been put there before, which is not wanted any more.
  return { state: next, effects: state.nextClip ? playOn({ ...next, nextClip: null }) : [] }
}
