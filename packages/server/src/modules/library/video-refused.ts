import type { ErrorCode } from '@siarin/contracts/error-codes'
import { type VideoReason, videoReasonText } from '@siarin/contracts/video-reasons'
import { DomainError } from '../../errors.ts'

/** A video that is not taken, or cannot be prepared. Whoever writes that down writes the reason, not its sentence. */
export class VideoRefused extends DomainError {
  readonly reason: VideoReason

  constructor(code: ErrorCode, reason: VideoReason, { cause }: { cause?: unknown } = {}) {
    // A larger plan helps against some reasons for a full storage and not against others: the page has to tell them apart.
    super(code, videoReasonText(reason), { cause, ...(code === 'storage_full' && { reasonCode: reason.code }) })
    this.reason = reason
  }
}

export const diskFull = (): VideoRefused => new VideoRefused('storage_full', { code: 'disk-full' })

/** For the row of a video that failed. */
export const reasonOf = (error: DomainError): VideoReason =>
  error instanceof VideoRefused ? error.reason : { code: 'prepare-failed' }
