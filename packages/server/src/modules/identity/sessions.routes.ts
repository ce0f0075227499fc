import { Answer } from '@siarin/contracts/answers'
import { SessionsAnswer } from '@siarin/contracts/auth'
import { AUTH_TEXTS } from '@siarin/contracts/texts'
import { z } from 'zod'
import type { App } from '../../http/types.ts'
import { visitorOf } from '../../http/visitor.ts'
import { sessionCallerOf } from './caller.ts'
import type { CallerHooks } from './caller-hooks.ts'
import type { IdentityService } from './identity.service.ts'

interface SessionsRoutesDeps {
  service: Pick<IdentityService, 'sessions' | 'endSession'>
  hooks: CallerHooks
}

export function addSessionsRoutes(app: App, { service, hooks }: SessionsRoutesDeps): void {
  app.get(
    '/auth/sessions',
    {
      schema: { summary: 'Where one is logged in', tags: ['auth'], response: { 200: SessionsAnswer } },
      preHandler: hooks.requireSession,
      config: { urgent: true },
    },
    async (request) => ({
      success: true,
      message: AUTH_TEXTS.sessions,
      data: await service.sessions(sessionCallerOf(request)),
    }),
  )

  app.delete(
    '/auth/sessions/:sessionId',
    {
      schema: {
        summary: 'Log out somewhere else',
        tags: ['auth'],
        params: z.object({ sessionId: z.string() }),
        response: { 200: Answer },
      },
      preHandler: hooks.requireSession,
      config: { urgent: true },
    },
    async (request) => {
      await service.endSession(sessionCallerOf(request), request.params.sessionId, visitorOf(request))
      return { success: true, message: AUTH_TEXTS.sessionEnded }
    },
  )
}
