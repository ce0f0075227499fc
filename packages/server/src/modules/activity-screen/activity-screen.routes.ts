import { ACTIVITY_TEXTS, ActivityListAnswer, ReportActivityBody } from '@siarin/contracts/activity'
import { Answer } from '@siarin/contracts/answers'
import type { App } from '../../http/types.ts'
import { visitorOf } from '../../http/visitor.ts'
import { callerOf } from '../identity/caller.ts'
import type { CallerHooks } from '../identity/caller-hooks.ts'
import type { ActivityScreen } from './activity-screen.service.ts'

export const activityScreenRoutes = ({ service, hooks }: { service: ActivityScreen; hooks: CallerHooks }) =>
  async function routes(app: App): Promise<void> {
    const preValidation = hooks.requireKeyOrSession

    app.get(
      '/fitur/activity',
      {
        schema: { summary: 'Own activity, newest first', tags: ['activity'], response: { 200: ActivityListAnswer } },
        preValidation,
      },
      async (request) => {
        const data = await service.recent(callerOf(request))
        return { success: true, message: ACTIVITY_TEXTS.list(data.length), data }
      },
    )

    app.post(
      '/fitur/activity',
      {
        schema: {
          summary: 'Note what only the page can know',
          tags: ['activity'],
          body: ReportActivityBody,
          response: { 200: Answer },
        },
        preValidation,
      },
      async (request) => {
        await service.recordView(callerOf(request), request.body.kind, visitorOf(request))
        return { success: true, message: ACTIVITY_TEXTS.noted }
      },
    )
  }
