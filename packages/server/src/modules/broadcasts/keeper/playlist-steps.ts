import { loopPosition } from '@siarin/media/slot-list'
import { isSamePlace, type Place } from '../../playlists/next-item.ts'
import type { Following } from '../sequence/clip-sequence.ts'
import type { Clip } from '../sequence/clips.ts'
import { advance, type Decision, SAVE, still } from './advance.ts'
import type { BegunSession, Effect, KeeperState, Poll, Surroundings } from './keeper-state.ts'

/** A join is seen within a second or two. Further apart, somebody else than the list has decided when the clip began. */
const JOIN_SEEN_WITHIN_MS = 5_000

/** Where in its clip a broadcast is. A list goes on at the end of an item, a loop begins anew. */
export function positionMs({ place, position: { fromMs } }: KeeperState, { outTimeMs, clipMs }: Poll): number {
  if (place === null) return loopPosition({ fromMs, outTimeMs, clipMs })
  return Math.min(Math.max(0, fromMs + outTimeMs), clipMs > 0 ? clipMs : Number.MAX_SAFE_INTEGER)
}

/** Asks what follows the item that plays: it has just begun, or the list was changed. */
export function judgeNext(state: KeeperState): Decision {
  const { place, clip, session } = state
  if (!place || !clip || !session || state.isJudgingSwap) return still(state)
  return { state: { ...state, isJudgingSwap: true }, effects: [{ type: 'judge-next', place, clip }] }
}

/** What follows in the same session is put where ffmpeg finds it. For the rest ffmpeg ends with the item that plays. */
export function nextJudged(before: KeeperState, after: Place, next: Following | null): Decision {
  const state = { ...before, isJudgingSwap: false }
  if (!state.session) return still(state)
  if (!isSamePlace(after, state.place)) return judgeNext(state)
  // It is asked again before long.
  if (next === null) return still(state)
  const formerNext = formerNextOf(state)
  if (next === 'end') {
    if (state.nextPlace === 'end') return still(state)
    return { state: { ...state, nextPlace: 'end', nextClip: null, formerNext }, effects: [pointTo(null)] }
  }
  const { clip, place, follows } = next
  const isKnown = state.nextPlace !== 'end' && isSamePlace(state.nextPlace, place)
  if (isKnown && state.nextClip?.path === clip.path) return still(state)
  return {
    state: { ...state, nextPlace: place, nextClip: clip, formerNext },
    effects: [pointTo(follows ? clip : null)],
  }
}

const pointTo = (clip: Clip | null): Effect => ({ type: 'play-next', clip })

function formerNextOf({ nextClip, nextPlace, formerNext }: KeeperState): KeeperState['formerNext'] {
  return nextClip && nextPlace && nextPlace !== 'end' ? { clip: nextClip, place: nextPlace } : formerNext
}

/** A session that begins: `place` says with what. */
export function playlistStarted(
  before: KeeperState,
  state: KeeperState,
  { clip, place, fromMs, next = null }: BegunSession,
): Decision {
  const begun: KeeperState = {
    ...state,
    ...NOTHING_KNOWN,
    ...(next === 'end' ? { nextPlace: 'end' } : next && { nextPlace: next.place, nextClip: next.clip }),
    playedBefore: null,
    place,
    videoId: clip.videoId,
    position: { item: 0, ms: Math.max(0, fromMs), fromMs },
  }
  const save: Effect = clip.videoId === before.videoId ? SAVE : { type: 'save', news: [], swappedTo: clip }
  const asked = begun.nextPlace === null ? judgeNext(begun) : still(begun)
  return { state: asked.state, effects: [save, ...asked.effects] }
}

/** Nobody has said yet what follows. */
const NOTHING_KNOWN = { nextPlace: null, nextClip: null, formerNext: null, isJudgingSwap: false } as const

/** Whether ffmpeg has come to another item since the last look, and what follows from that. */
export function playlistPolled(state: KeeperState, poll: Poll): Decision & { readonly hasJoined: boolean } {
  const begun = begunItem(state, poll)
  if (!begun) {
    // The question may have failed, or a join may have come before its answer.
    return { ...(state.nextPlace === null ? judgeNext(state) : still(state)), hasJoined: false }
  }
  const { clip, place } = begun
  const exactMs = state.position.fromMs - poll.clipMs
  const isExact = poll.clipMs > 0 && Math.abs(exactMs + poll.outTimeMs) < JOIN_SEEN_WITHIN_MS
  const fromMs = isExact ? exactMs : -poll.outTimeMs
  const joined: KeeperState = {
    ...state,
    ...NOTHING_KNOWN,
    // What is being asked now is about an item that is over: its answer asks anew.
    isJudgingSwap: state.isJudgingSwap,
    playedBefore: state.clip,
    clip,
    place,
    videoId: clip.videoId,
    position: { item: 0, ms: Math.max(0, fromMs + poll.outTimeMs), fromMs },
  }
  const asked = judgeNext(joined)
  return {
    state: asked.state,
    // No news: a list that plays for weeks would fill the timeline with its joins.
    effects: [{ type: 'save', news: [], swappedTo: clip }, ...asked.effects],
    hasJoined: true,
  }
}

/** The item that ffmpeg has come to; null: it reads what it read. */
function begunItem(
  { clip, place, nextClip, nextPlace, formerNext, playedBefore }: KeeperState,
  { inSlot, hasGoneOn }: Poll,
): { clip: Clip; place: Place } | null {
  if (nextClip && nextPlace && nextPlace !== 'end' && inSlot === nextClip) return { clip: nextClip, place: nextPlace }
  if (formerNext && inSlot === formerNext.clip) return formerNext
  if (!hasGoneOn || !place) return null
  // Nothing else was there in time, so it plays the same once more, or what was in that slot before. The list goes on behind it.
  const again = [clip, playedBefore].find((known) => known !== null && known === inSlot)
  return again ? { clip: again, place } : null
}

/** ffmpeg came to the end of what it was told to play, and something follows that it cannot play: off air for a moment, on purpose. */
export function itemEnded(state: KeeperState, exit: { readonly reason: string }, now: Surroundings): Decision {
  const { nextPlace, clip, position } = state
  const goesTo = nextPlace && nextPlace !== 'end' ? nextPlace : null
  const next: KeeperState = {
    ...state,
    ...NOTHING_KNOWN,
    place: goesTo ?? state.place,
    position: { ...position, ms: goesTo ? 0 : (clip?.durationMs ?? position.ms), fromMs: 0 },
  }
  const exited = { type: 'exited', reason: exit.reason, sourceEnded: false } as const
  // One that never came on air waits before it is tried again.
  if (state.stream.at !== 'live') return advance(next, exited, now)
  const asked = advance(next, { type: 'restart-asked' }, now)
  const begun = advance(asked.state, exited, now)
  const effects = asked.effects.filter(({ type }) => type !== 'stop')
  return { state: begun.state, effects: [...effects, ...begun.effects] }
}
