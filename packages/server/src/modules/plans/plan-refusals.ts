import { type BrandingLevel, isLevelWithin } from '@siarin/contracts/branding'
import { BRANDING_PLAN_TEXTS } from '@siarin/contracts/branding-texts'
import { nextPlan, PLANS, type Plan, resolutionWords } from '@siarin/contracts/plans'
import { PLAN_TEXTS } from '@siarin/contracts/texts'
import { DomainError } from '../../errors.ts'
import type { Awaitable } from '../../platform/when-known.ts'

/** What a user is told who has come to a limit of the plan, with the plan that has more. */
export const planRefusals = (planFor: (userId: string) => Awaitable<Plan>) => ({
  /** The refusal of one stream more. */
  async streamRefusal(userId: string): Promise<DomainError> {
    const plan = await planFor(userId)
    const next = nextPlan(plan.id)?.name ?? null
    return new DomainError('plan_limit', PLAN_TEXTS.streams(plan.name, plan.limits.concurrentStreams, next))
  },
  async resolutionRefusal(userId: string): Promise<DomainError> {
    const plan = await planFor(userId)
    const next = nextPlan(plan.id)?.name ?? null
    return new DomainError('plan_limit', PLAN_TEXTS.resolution(plan.name, resolutionWords(plan.limits), next))
  },
  /** The refusal of a schedule that needs more than the plan has. */
  async scheduleRefusal(userId: string, needed: 'automatic' | 'advanced'): Promise<DomainError> {
    const { name, limits } = await planFor(userId)
    const enough = PLANS.find(({ limits: { schedule } }) => schedule === needed || schedule === 'advanced')
    const says = limits.schedule === 'none' ? PLAN_TEXTS.noSchedules : PLAN_TEXTS.simpleSchedules
    const options = { reasonCode: 'plan-schedule' }
    return new DomainError('plan_limit', says(name, enough?.name ?? null), options)
  },
  /** The refusal of one webhook more. */
  async webhookRefusal(userId: string): Promise<DomainError> {
    const { id, name, limits } = await planFor(userId)
    const options = { reasonCode: 'plan-webhooks' }
    if (limits.webhooks > 0) {
      const next = nextPlan(id)?.name ?? null
      return new DomainError('plan_limit', PLAN_TEXTS.webhooks(name, limits.webhooks, next), options)
    }
    const enough = PLANS.find(({ limits: { webhooks } }) => webhooks > 0)
    return new DomainError('plan_limit', PLAN_TEXTS.noWebhooks(name, enough?.name ?? null), options)
  },
  /** The refusal of a brand that needs more than the plan has. */
  async brandingRefusal(userId: string, needed: BrandingLevel): Promise<DomainError> {
    const { name, limits } = await planFor(userId)
    const enough = PLANS.find(({ limits: { branding } }) => isLevelWithin(needed, branding))
    const nothing = needed === 'full' ? BRANDING_PLAN_TEXTS.noBrandText : BRANDING_PLAN_TEXTS.noBranding
    const says = limits.branding === 'none' ? nothing : BRANDING_PLAN_TEXTS.onlyLogo
    return new DomainError('plan_limit', says(name, enough?.name ?? null), { reasonCode: 'plan-branding' })
  },
  async rateRefusal(userId: string, retryAfterSeconds: number): Promise<DomainError> {
    const plan = await planFor(userId)
    const { apiRequestsPerMinute } = plan.limits
    const next = nextPlan(plan.id)?.name ?? null
    const message = PLAN_TEXTS.apiRate(plan.name, apiRequestsPerMinute, retryAfterSeconds, next)
    return new DomainError('rate_limited', message, { retryAfterSeconds })
  },
})
