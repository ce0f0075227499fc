import { SPARK_POINTS } from '../../components/spark-points.ts'
import type { StreamRowData } from './api/active-streams.ts'

/** A push can come with every change; a picture of the last minute wants one point per second. */
const SAMPLE_EVERY_MS = 900

export interface Bitrates {
  readonly takenAt: number
  /** Kilobits per second by stream, oldest first; 0 while it was off air. */
  readonly samples: Readonly<Record<string, readonly number[]>>
}

const NONE: Bitrates = { takenAt: 0, samples: {} }

/** Adds what is measured now; what is known of streams that are gone is dropped. */
export function nextBitrates(known: Bitrates = NONE, streams: readonly StreamRowData[], nowMs: number): Bitrates {
  const since = nowMs - known.takenAt
  // A clock that was set back is no reason to stand still.
  if (since >= 0 && since < SAMPLE_EVERY_MS) return known
  const samples = streams.flatMap(({ streamId, state, bitrate }) => {
    if (!streamId) return []
    const before = known.samples[streamId] ?? []
    const now = state === 'live' ? bitrate : 0
    // Nothing is measured yet, or it has not been on air so far.
    if (typeof now !== 'number' || (now === 0 && before.length === 0)) return [[streamId, before] as const]
    return [[streamId, [...before, now].slice(-SPARK_POINTS)] as const]
  })
  return { takenAt: nowMs, samples: Object.fromEntries(samples) }
}
