import { createHash } from 'node:crypto'
import { RECORDING_MAX_HOURS } from '@siarin/contracts/recordings'

const MAX_MS = RECORDING_MAX_HOURS * 3_600_000

/** The same for every caller: two programs that begin the same recording begin one. */
export function recordingIdOf(broadcastId: string, number: number): string {
  const hex = createHash('sha256').update(`recording ${broadcastId} ${number}`).digest('hex')
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `5${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)]
  return parts.join('-')
}

/** Which recording of a broadcast a moment belongs to. `fromAt`: of the first; where a clock was put back, what comes before it is its own. */
export const numberAt = (fromAt: number, at: number): number => Math.max(1, Math.floor((at - fromAt) / MAX_MS) + 1)

/** When a recording of a broadcast begins at the earliest. */
export const beginOf = (fromAt: number, number: number): number => fromAt + (number - 1) * MAX_MS
