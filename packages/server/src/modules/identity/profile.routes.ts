import { Answer } from '@siarin/contracts/answers'
import { ApiKeyAnswer, ProfileAnswer } from '@siarin/contracts/auth'
import { CodeBody } from '@siarin/contracts/second-factor'
import { AUTH_TEXTS } from '@siarin/contracts/texts'
import { originOf } from '../../http/origin.ts'
import { AUTH_LIMITS, createLimiter } from '../../http/rate-limits.ts'
import type { App } from '../../http/types.ts'
import { visitorOf } from '../../http/visitor.ts'
import { sessionCallerOf } from './caller.ts'
import type { CallerHooks } from './caller-hooks.ts'
import type { IdentityService } from './identity.service.ts'

interface ProfileRoutesDeps {
  service: Pick<IdentityService, 'logout' | 'profile' | 'changeApiKey'>
  hooks: CallerHooks
  publicUrl: string | null
}

/** The own profile with its API key, and the way out. */
export function addProfileRoutes(app: App, { service, hooks, publicUrl }: ProfileRoutesDeps): void {
  const keyPerAccount = createLimiter(
    app,
    'key-code',
    AUTH_LIMITS.loginPerAccount,
    (request) => sessionCallerOf(request).userId,
  )

  app.post(
    '/auth/logout',
    {
      schema: { summary: 'Log out', tags: ['auth'], response: { 200: Answer } },
      preHandler: hooks.requireSession,
      config: { urgent: true },
    },
    async (request) => {
      await service.logout(sessionCallerOf(request), visitorOf(request))
      return { success: true, message: AUTH_TEXTS.loggedOut }
    },
  )

  app.get(
    '/auth/profile',
    {
      schema: { summary: 'Own profile', tags: ['auth'], response: { 200: ProfileAnswer } },
      preHandler: hooks.requireSession,
    },
    async (request) => {
      const profile = await service.profile(sessionCallerOf(request), visitorOf(request))
      const server = originOf(publicUrl, request)
      return { success: true, message: AUTH_TEXTS.profile, data: { ...profile, server } }
    },
  )

  app.post(
    '/auth/profile/apikey',
    {
      schema: {
        summary: 'Change the API key',
        tags: ['auth'],
        body: CodeBody.partial().nullish(),
        response: { 200: ApiKeyAnswer },
      },
      preValidation: hooks.requireSession,
    },
    async (request) => {
      const code = request.body?.code
      if (code) await keyPerAccount(request)
      const apiKey = await service.changeApiKey(sessionCallerOf(request), code, visitorOf(request))
      return { success: true, message: AUTH_TEXTS.apiKeyChanged, apiKey, data: { apiKey } }
    },
  )
}
