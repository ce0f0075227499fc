import { StandingAnswer } from '@siarin/contracts/standing'
import { PLAN_TEXTS } from '@siarin/contracts/texts'
import type { App } from '../../http/types.ts'
import { callerOf } from '../identity/caller.ts'
import type { CallerHooks } from '../identity/caller-hooks.ts'
import type { PlansService } from './plans.service.ts'

/** Under /auth: also who is let into nothing else must be able to see why. */
export const plansRoutes = ({ service, hooks }: { service: PlansService; hooks: CallerHooks }) =>
  async function routes(app: App): Promise<void> {
    app.get(
      '/auth/plan',
      {
        schema: { summary: 'Own plan, and until when', tags: ['auth'], response: { 200: StandingAnswer } },
        preHandler: hooks.requireSession,
      },
      async (request) => ({
        success: true,
        message: PLAN_TEXTS.standing,
        data: await service.standing(callerOf(request)),
      }),
    )
  }
