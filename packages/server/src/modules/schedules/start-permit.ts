import { isReasonCode } from '@siarin/contracts/reason-codes'
import type { ScheduleRule } from '@siarin/contracts/schedules/schedule-rule'
import type { ScheduleReason } from '@siarin/contracts/schedules/schedule-texts'
import { ACCESS_TEXTS } from '@siarin/contracts/texts'
import { DomainError } from '../../errors.ts'
import type { PlansService } from '../plans/index.ts'

interface StartPermitDeps {
  plans: Pick<PlansService, 'limitsOf' | 'scheduleRefusal' | 'assertAccess' | 'mayWork'>
}

/** Chosen weekdays and several times a day are for the plan that has everything. */
const neededFor = ({ repeat, windows }: ScheduleRule): 'automatic' | 'advanced' =>
  repeat.kind === 'weekdays' || windows.length > 1 ? 'advanced' : 'automatic'

export const createStartPermit = ({ plans }: StartPermitDeps) => {
  /** Refuses a rule that the plan does not have, with words and the way up. */
  async function assertPlanHas(userId: string, rule: ScheduleRule): Promise<void> {
    const needed = neededFor(rule)
    const { schedule } = await plans.limitsOf(userId)
    if (schedule !== 'advanced' && schedule !== needed) throw await plans.scheduleRefusal(userId, needed)
  }
  return {
    assertPlanHas,
    /** Whether something may be started for somebody who does not ask for it now. */
    async assertMayStart(userId: string, rule: ScheduleRule): Promise<void> {
      if (!(await plans.mayWork(userId))) throw new DomainError('access_stopped', ACCESS_TEXTS.stopped)
      await plans.assertAccess({ userId })
      await assertPlanHas(userId, rule)
    },
  }
}

/** Rows keep codes: that of the refusal, written as a reason. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof DomainError)) return 'internal' satisfies ScheduleReason
  const own = error.reasonCode
  return own && isReasonCode(own) ? own : error.code.replaceAll('_', '-')
}
