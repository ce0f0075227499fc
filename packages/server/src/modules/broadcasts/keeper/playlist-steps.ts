import { type PassedOver, storedPassedOver } from '@siarin/contracts/stream-event-texts'
import type { StreamReasonCode } from '@siarin/contracts/stream-reason-texts'
import { loopPosition } from '@siarin/media/slot-list'
import type { StreamEvent } from '@siarin/media/stream-state'
import { isSamePlace, type Place } from '../../playlists/next-item.ts'
import type { Following } from '../sequence/clip-sequence.ts'
import type { Clip } from '../sequence/clips.ts'
import { isSameEntry } from '../sequence/slots.ts'
import { advance, type Decision, SAVE, still } from './advance.ts'
import type { FailureReason } from './failure-reasons.ts'
import type { BegunSession, Effect, KeeperState, ListEntry, Poll, Surroundings } from './keeper-state.ts'

/** A join is seen within a second or two. Further apart, somebody else than the list has decided when the clip began. */
const JOIN_SEEN_WITHIN_MS = 5_000

/**
 * What follows is found out when an item begins, and its file may be damaged or gone by the time at which a long one ends: a moment before that it
 * is asked once more.
 */
const LONG_ITEM_MS = 15_000
const LOOK_AGAIN_MS = 5_000
const ALL_UNPLAYABLE: FailureReason = 'playlist-unplayable'
const UNPLAYABLE: ReadonlySet<string> = new Set<FailureReason>(['source-missing', 'source-unreadable'])

/** Where in its clip a broadcast is. A list goes on at the end of an item, a loop begins anew. */
export function positionMs({ place, position: { fromMs } }: KeeperState, { outTimeMs, clipMs }: Poll): number {
  if (place === null) return loopPosition({ fromMs, outTimeMs, clipMs })
  return Math.min(Math.max(0, fromMs + outTimeMs), clipMs > 0 ? clipMs : Number.MAX_SAFE_INTEGER)
}

/** Asks what follows the item that plays: it has just begun, or the list was changed. */
export function judgeNext(state: KeeperState, told: Clip | null = null): Decision {
  const { place, clip, session } = state
  if (!place || !clip || !session || state.isJudgingSwap) return still(state)
  return {
    state: { ...state, isJudgingSwap: true },
    effects: [{ type: 'judge-next', place, clip, ...(told && { told }) }],
  }
}

/** What follows in the same session is put where ffmpeg finds it. For the rest ffmpeg ends with the item that plays. */
export function nextJudged(before: KeeperState, after: Place, next: Following | null): Decision {
  const state = { ...before, isJudgingSwap: false }
  if (!state.session) return still(state)
  if (!isSamePlace(after, state.place)) return judgeNext(state)
  // Nothing has changed, or it is asked again before long.
  if (next === null) return still(state)
  const formerNexts = candidatesOf(state)
  if (typeof next === 'string') {
    if (state.nextPlace === next) return still(state)
    return { state: { ...state, nextPlace: next, nextClip: null, formerNexts }, effects: [pointTo(null)] }
  }
  const { clip, place, follows } = next
  // It plays already, once more. With the same behind both slots, no join would ever be seen again: what follows it is asked for instead.
  if (isSameEntry({ clip, place }, state.reads)) return judgeNext({ ...state, place })
  const isKnown = isSamePlace(placeIn(state), place)
  if (isKnown && state.nextClip?.path === clip.path) return still(state)
  return {
    state: { ...state, nextPlace: place, nextClip: clip, formerNexts },
    effects: [pointTo(follows ? { clip, place } : null)],
  }
}

const placeIn = ({ nextPlace }: Pick<KeeperState, 'nextPlace'>): Place | null =>
  typeof nextPlace === 'string' ? null : nextPlace

const pointTo = (next: ListEntry | null): Effect => ({ type: 'play-next', next })

/** ffmpeg comes to a former one only in the moment in which it is replaced. */
const MOST_FORMER = 8

/** What was said after it may have been put where ffmpeg comes next; what was said before is over. */
const newerThan = (begun: ListEntry, candidates: readonly ListEntry[]): readonly ListEntry[] =>
  candidates.slice(candidates.findIndex((each) => isSameEntry(each, begun)) + 1)

/** All that ffmpeg may come to next, the newest last. */
export function candidatesOf({ nextClip, formerNexts, ...state }: KeeperState): readonly ListEntry[] {
  if (!nextClip) return formerNexts
  const next = { clip: nextClip, place: placeIn(state) }
  return [...formerNexts.filter((former) => !isSameEntry(former, next)), next].slice(-MOST_FORMER)
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
    ...(typeof next === 'string' ? { nextPlace: next } : next && { nextPlace: next.place, nextClip: next.clip }),
    readBefore: null,
    place,
    videoId: clip.videoId,
    position: { item: 0, ms: Math.max(0, fromMs), fromMs },
  }
  const save: Effect = clip.videoId === before.videoId ? SAVE : { type: 'save', news: [], swappedTo: clip }
  const asked = begun.nextPlace === null ? judgeNext(begun) : still(begun)
  return { state: asked.state, effects: [save, ...asked.effects] }
}

/** Nobody has said yet what follows. */
const NOTHING_KNOWN = {
  nextPlace: null,
  hasLookedAgain: false,
  nextClip: null,
  formerNexts: [],
  isJudgingSwap: false,
} as const

/** Whether ffmpeg has come to another item since the last look, and what follows from that. */
export function playlistPolled(state: KeeperState, poll: Poll): Decision & { readonly hasJoined: boolean } {
  const begun = begunItem(state, poll)
  if (!begun) {
    // The question may have failed, or a join may have come before its answer.
    if (state.nextPlace === null) return { ...judgeNext(state), hasJoined: false }
    return { ...(isAboutToEnd(state, poll) ? lookAgain(state) : still(state)), hasJoined: false }
  }
  const { clip } = begun
  // What it plays once more though nobody said so is no new item: the list goes on behind the one that it was at.
  const wasSaid = candidatesOf(state).some((each) => isSameEntry(each, begun))
  const place = wasSaid ? begun.place : state.place
  const exactMs = state.position.fromMs - poll.clipMs
  const isExact = poll.clipMs > 0 && Math.abs(exactMs + poll.outTimeMs) < JOIN_SEEN_WITHIN_MS
  const fromMs = isExact ? exactMs : -poll.outTimeMs
  const joined: KeeperState = {
    ...state,
    ...NOTHING_KNOWN,
    // What is being asked now is about an item that is over: its answer asks again.
    isJudgingSwap: state.isJudgingSwap,
    formerNexts: newerThan(begun, candidatesOf(state)),
    reads: begun,
    readBefore: state.reads,
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

const isAboutToEnd = (state: KeeperState, poll: Poll): boolean =>
  poll.clipMs >= LONG_ITEM_MS && poll.clipMs - positionMs(state, poll) <= LOOK_AGAIN_MS

function lookAgain(state: KeeperState): Decision {
  if (state.hasLookedAgain || state.isJudgingSwap) return still(state)
  return judgeNext({ ...state, hasLookedAgain: true }, state.nextClip)
}

/** What ffmpeg has come to since the last look; null: it reads what it read, or something that nobody knows. */
export function begunItem(state: KeeperState, { reads }: Poll): ListEntry | null {
  if (!reads || isSameEntry(reads, state.reads)) return null
  const known = [...candidatesOf(state), ...(state.readBefore ? [state.readBefore] : [])]
  return known.find((each) => isSameEntry(each, reads)) ?? null
}

/** It is news for its owner only: the others of the list play. */
export function passedOver(state: KeeperState, passed: PassedOver, { nowMs }: Surroundings): Decision {
  const news = { at: nowMs, kind: 'passed-over', reason: storedPassedOver(passed), offAirMs: null } as const
  return { state, effects: [{ type: 'save', news: [news] }] }
}

/** An item that could not even be begun is passed over: the others of its list can be played. */
export const isItemOver = ({ stream }: KeeperState, reason: string): boolean =>
  reason === 'source-ended' || (stream.at !== 'live' && UNPLAYABLE.has(reason))

/** ffmpeg came to the end of what it was told to play, and something follows that it cannot play: off air for a moment, on purpose. */
export function itemEnded(state: KeeperState, exit: { readonly reason: string }, now: Surroundings): Decision {
  const { nextPlace, clip, position } = state
  const goesTo = placeIn(state)
  const next: KeeperState = {
    ...state,
    ...NOTHING_KNOWN,
    place: goesTo ?? state.place,
    position: { ...position, ms: goesTo ? 0 : (clip?.durationMs ?? position.ms), fromMs: 0 },
  }
  // Off air until one can be played: it is tried again and again, ever less often.
  if (nextPlace === 'nothing') return advance(next, { type: 'exited', reason: ALL_UNPLAYABLE, sourceEnded: false }, now)
  const exited = { type: 'exited', reason: exit.reason, sourceEnded: false } as const
  // One that never came on air waits before it is tried again.
  if (state.stream.at !== 'live') return advance(next, exited, now)
  return restartEnded(next, exited, now)
}

/** Why the time line of a recording has a gap where a new session begins with an unlike video. */
export const VIDEO_CHANGED: StreamReasonCode = 'video-changed'

/** A session has ended as it should, and the next one begins at once, with another video. */
export function restartEnded(
  state: KeeperState,
  exited: Extract<StreamEvent, { type: 'exited' }>,
  now: Surroundings,
): Decision {
  const asked = advance({ ...state, lastReason: VIDEO_CHANGED }, { type: 'restart-asked' }, now)
  const begun = advance(asked.state, exited, now)
  const effects = asked.effects.filter(({ type }) => type !== 'stop')
  return { state: begun.state, effects: [...effects, ...begun.effects] }
}
