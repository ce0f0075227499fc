import type { StreamReason as FailureReason } from '@siarin/media/parse/exit-reason'
import { StoreAwayError } from '../../../errors.ts'
import { EgressRefused } from '../../../platform/egress/egress.ts'
import { CacheFullError } from '../../../platform/storage/cache-full-error.ts'
import {
  EncodersFullError,
  PlaylistUnplayableError,
  SourceAwayError,
  SourceMissingError,
} from '../sequence/source-errors.ts'

export type { FailureReason }

/** Why an ffmpeg could not even be started. */
export function startFailure(error: unknown): FailureReason {
  if (error instanceof SourceMissingError) return 'source-missing'
  if (error instanceof PlaylistUnplayableError) return 'playlist-unplayable'
  if (error instanceof EgressRefused) return error.why === 'unknown-host' ? 'name-not-found' : 'target-forbidden'
  if (error instanceof SourceAwayError) return 'source-away'
  if (error instanceof StoreAwayError) return 'store-away'
  if (error instanceof EncodersFullError || error instanceof CacheFullError) return 'out-of-capacity'
  return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 'out-of-capacity' : 'unknown'
}
