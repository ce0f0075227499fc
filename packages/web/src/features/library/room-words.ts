import { nextPlan, planOf } from '@siarin/contracts/plans'
import type { Standing } from '@siarin/contracts/standing'
import { PLAN_TEXTS } from '@siarin/contracts/texts'
import type { StorageUse } from '@siarin/contracts/videos'

const GIB = 1024 ** 3

/** Which plan's room it is and how to get more, as the server says it; empty where the plan is not what limits. */
export function roomOfPlanWords({ plan, enforced }: Standing, { limit }: StorageUse): string {
  const { name, limits } = planOf(plan)
  if (!enforced || limit < limits.storageGb * GIB) return ''
  return PLAN_TEXTS.storage(name, `${limits.storageGb} GB`, nextPlan(plan)?.name ?? null)
}
