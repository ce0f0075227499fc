import type { StreamReason as FailureReason } from '@siarin/media/parse/exit-reason'
import type { StreamState } from '@siarin/media/stream-state'
import { EgressRefused } from '../../../platform/egress/egress.ts'
import { EncodersFullError, SourceAwayError, SourceMissingError } from '../relay/source-errors.ts'

export type { FailureReason }

/** Why a stream is not on air, as a code; null while all is well. */
export function reasonOf(state: StreamState): string | null {
  if (state.at === 'waiting') return state.reason
  return state.at === 'ended' && state.cause ? state.cause : null
}

/** Why an ffmpeg could not even be started. */
export function startFailure(error: unknown): FailureReason {
  if (error instanceof SourceMissingError) return 'source-missing'
  if (error instanceof EgressRefused) return error.why === 'unknown-host' ? 'name-not-found' : 'target-forbidden'
  if (error instanceof SourceAwayError) return 'source-away'
  if (error instanceof EncodersFullError) return 'out-of-capacity'
  return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 'out-of-capacity' : 'unknown'
}
