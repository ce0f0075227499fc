import { EXIT_REASON_TEXTS } from '@siarin/media/parse/exit-reason'
import type { StreamState } from '@siarin/media/stream-state'
import { EgressRefused } from '../../../platform/egress/egress.ts'
import { EncodersFullError, SourceAwayError, SourceMissingError } from '../relay/source-errors.ts'

export type FailureReason = keyof typeof EXIT_REASON_TEXTS

/** What its owner reads. A row may have been written by another version, with a word that this one does not know. */
export const textOf = (reason: string): string =>
  EXIT_REASON_TEXTS[reason as FailureReason] ?? EXIT_REASON_TEXTS.unknown

/** Why a stream is not on air; null while all is well. */
export function reasonText(state: StreamState): string | null {
  if (state.at === 'waiting') return textOf(state.reason)
  return state.at === 'ended' && state.cause ? textOf(state.cause) : null
}

/** Why an ffmpeg could not even be started. */
export function startFailure(error: unknown): FailureReason {
  if (error instanceof SourceMissingError) return 'source-missing'
  if (error instanceof EgressRefused) return error.why === 'unknown-host' ? 'name-not-found' : 'target-forbidden'
  if (error instanceof SourceAwayError) return 'source-away'
  if (error instanceof EncodersFullError) return 'out-of-capacity'
  return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 'out-of-capacity' : 'unknown'
}
