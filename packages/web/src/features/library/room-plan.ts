import { type PlanId, planOf } from '@siarin/contracts/plans'
import type { Standing } from '@siarin/contracts/standing'
import type { StorageUse } from '@siarin/contracts/videos'

const GIB = 1024 ** 3

/** Which plan's room it is, as the server judges it; null where the plan is not what limits. */
export const roomPlanOf = ({ plan, enforced }: Standing, { limit }: StorageUse): PlanId | null =>
  enforced && limit >= planOf(plan).limits.storageGb * GIB ? plan : null
