import type { Probe } from '@siarin/media/parse/probe'
import type { Readiness } from '@siarin/media/readiness'
import type { JobKind } from '../../platform/queue/queue.ts'

/**
 * Looking a video through and copying it takes seconds, making its picture anew takes hours: whoever needs the first never waits behind
 * somebody's second.
 */
export type Lane = 'quick' | 'long'

/** Each takes a core for as long as it lasts, at low priority, so that broadcasts never notice. */
export const AT_ONCE: Record<Lane, number> = { quick: 2, long: 1 }

/** Sound alone is made a hundred times as fast as it plays: up to here it takes two minutes. */
const QUICK_SOUND_SECONDS = 3 * 3600

export const jobOf = (lane: Lane): JobKind => (lane === 'long' ? 'encode-video' : 'prepare-video')

/** What every row is in that nobody has looked through yet. */
export const laneOf = ({ lane }: { lane: string | null }): Lane => (lane === 'long' ? 'long' : 'quick')

export const neededLane = ({ kind }: Readiness, { durationSeconds }: Probe): Lane =>
  kind === 'full' || (kind === 'audio-only' && (durationSeconds ?? 0) > QUICK_SOUND_SECONDS) ? 'long' : 'quick'
