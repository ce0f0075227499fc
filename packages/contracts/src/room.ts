import type { PlanId } from './plans.ts'
import type { VideoReason } from './video-reasons.ts'
import type { StorageUse } from './videos.ts'

/** What a file that does not fit is refused with, by the page before it is sent and by the server. `plan`: null where none is at fault. */
export const noRoomReason = ({ used, limit }: StorageUse, neededBytes: number, plan: PlanId | null): VideoReason =>
  neededBytes > limit
    ? { code: 'over-room', roomBytes: limit, neededBytes, plan }
    : { code: 'no-room', leftBytes: Math.max(0, limit - used), neededBytes, plan }
