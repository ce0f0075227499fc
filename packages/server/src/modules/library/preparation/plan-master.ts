import { type PreparePlan, preparePlan } from '@siarin/media/prepare-plan'
import type { Readiness } from '@siarin/media/readiness'
import { isTooLongToMake, isTooSparse, type Work, workIn } from '@siarin/media/work-bounds'
import type { LibraryLimits } from '../room.ts'
import { unusable } from '../video-refused.ts'
import type { VideoRow } from '../video-row.ts'
import type { JudgedOriginal } from './judge-original.ts'

interface PlannerDeps {
  limitsOf: (userId: string) => Promise<LibraryLimits>
}

/** How a master is to be made. Refuses what would be made of next to nothing, and what takes the lane from others for too long. */
export const createMasterPlanner =
  ({ limitsOf }: PlannerDeps) =>
  async (
    { user_id: userId }: Pick<VideoRow, 'user_id'>,
    { probe, scanned }: Pick<JudgedOriginal, 'probe' | 'scanned'>,
    needed: Readiness & { kind: 'audio-only' | 'full' },
  ): Promise<{ plan: PreparePlan; work: Work }> => {
    const limits = await limitsOf(userId)
    const { keyframes, packets } = scanned
    const plan = preparePlan(probe, needed, limits, keyframes?.spanSeconds)
    if (isTooSparse(plan, packets)) throw unusable('too-sparse')
    const work = workIn(probe, plan, packets)
    if (isTooLongToMake(work, limits.makingHours)) throw unusable('too-long-for-plan')
    return { plan, work }
  }
