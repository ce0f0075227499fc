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

/** The machine, or this program, may have no more processes, memory or open files. */
const USED_UP_CODES = new Set(['EAGAIN', 'ENOMEM', 'EMFILE', 'ENFILE'])

/**
 * Why an ffmpeg could not even be started. What nobody foresaw is trouble of ours, such as a database that restarts or a warden that is being
 * replaced: no target has said no, so a broadcast must not be given up within seconds for it.
 */
export function startFailure(error: unknown): FailureReason {
  if (error instanceof SourceMissingError) return 'source-missing'
  if (error instanceof PlaylistUnplayableError) return 'playlist-unplayable'
  if (error instanceof EgressRefused) return error.why === 'unknown-host' ? 'name-not-found' : 'target-forbidden'
  if (error instanceof SourceAwayError) return 'source-away'
  if (error instanceof StoreAwayError) return 'store-away'
  if (error instanceof EncodersFullError || error instanceof CacheFullError) return 'out-of-capacity'
  return USED_UP_CODES.has((error as NodeJS.ErrnoException | undefined)?.code ?? '')
    ? 'out-of-capacity'
    : 'server-trouble'
}
