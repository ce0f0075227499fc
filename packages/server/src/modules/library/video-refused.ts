import type { ErrorCode } from '@siarin/contracts/error-codes'
import { VIDEOS_MAX, WAITING_IMPORTS_MAX } from '@siarin/contracts/limits'
import type { PlanId } from '@siarin/contracts/plans'
import { noRoomReason } from '@siarin/contracts/room'
import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import { type PlainVideoReason, type VideoReason, videoReasonText } from '@siarin/contracts/video-reasons'
import type { StorageUse } from '@siarin/contracts/videos'
import { DomainError } from '../../errors.ts'

/** A video that is not accepted, or cannot be prepared. A row keeps the reason, not its sentence. */
export class VideoRefused extends DomainError {
  readonly reason: VideoReason

  constructor(code: ErrorCode, reason: VideoReason, { cause }: { cause?: unknown } = {}) {
    // A larger plan helps against some reasons for a full storage and not against others: the page has to tell them apart.
    super(code, videoReasonText(reason), { cause, ...(code === 'storage_full' && { reasonCode: reason.code }) })
    this.reason = reason
  }
}

export const diskFull = (): VideoRefused => new VideoRefused('storage_full', { code: 'disk-full' })

/** What can never go on air. */
export const unusable = (code: PlainVideoReason): VideoRefused => new VideoRefused('video_unusable', { code })

export const noRoom = (now: StorageUse, needed: number, plan: PlanId | null): DomainError =>
  new VideoRefused('storage_full', noRoomReason(now, needed, plan))

export const tooManyImports = (): DomainError =>
  new DomainError('upload_limit_reached', VIDEO_TEXTS.tooManyImports(WAITING_IMPORTS_MAX))

export const tooManyVideos = (): DomainError =>
  new DomainError('upload_limit_reached', VIDEO_TEXTS.tooManyVideos(VIDEOS_MAX))

/** For the row of a video that failed. */
export const reasonOf = (error: DomainError): VideoReason =>
  error instanceof VideoRefused ? error.reason : { code: 'prepare-failed' }
