import type { KeyframeFacts } from '@siarin/media/parse/keyframes'
import type { Probe } from '@siarin/media/parse/probe'
import type { Readiness } from '@siarin/media/readiness'
import { pixelsToMake } from '@siarin/media/work-bounds'
import type { JobKind } from '../../platform/queue/queue.ts'

/**
 * Scanning a video, copying it, and making the picture of a short one takes a minute at most; the picture of a long one takes hours.
 * Nobody who needs the first waits behind somebody's second.
 */
export type Lane = 'quick' | 'long'

/** For as many users. All of it runs at low priority, so that broadcasts never notice. */
const QUICK_AT_ONCE = 2

export const atOnce = ({ maxLongPreparations }: { maxLongPreparations: number }): Record<Lane, number> => ({
  quick: QUICK_AT_ONCE,
  long: maxLongPreparations,
})

/** Sound alone is made up to a hundred times as fast as it plays: up to here it takes minutes. So does the smallest of pictures. */
const QUICK_SECONDS = 3 * 3600

export const jobOf = (lane: Lane): JobKind => (lane === 'long' ? 'encode-video' : 'prepare-video')

/** A row that nobody has scanned yet is in the quick one. */
export const laneOf = ({ lane }: { lane: string | null }): Lane => (lane === 'long' ? 'long' : 'quick')

interface Scanned {
  readonly probe: Probe
  /** By a scan of its picture. */
  readonly scanned: { readonly packets: number; readonly keyframes: Pick<KeyframeFacts, 'spanSeconds'> | null }
}

/** By what a file says of itself, or by what it holds, whichever is more. `quickPixels`: so much of a picture is made in about a minute. */
export function neededLane({ kind }: Readiness, { probe, scanned }: Scanned, quickPixels: number): Lane {
  if (kind !== 'audio-only' && kind !== 'full') return 'quick'
  const seconds = Math.max(probe.durationSeconds ?? 0, scanned.keyframes?.spanSeconds ?? 0)
  const isLarge = kind === 'full' && pixelsToMake(probe, scanned.packets) > quickPixels
  return isLarge || seconds > QUICK_SECONDS ? 'long' : 'quick'
}
