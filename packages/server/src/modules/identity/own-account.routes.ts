import { Answer } from '@siarin/contracts/answers'
import {
  ChangedPasswordAnswer,
  ChangePasswordBody,
  ChangeUsernameBody,
  ConfirmBody,
  UsernameAnswer,
} from '@siarin/contracts/auth'
import { AUTH_TEXTS } from '@siarin/contracts/texts'
import { keepDeviceToken } from '../../http/device-cookie.ts'
import type { App } from '../../http/types.ts'
import { visitorOf } from '../../http/visitor.ts'
import { sessionCallerOf } from './caller.ts'
import type { CallerHooks } from './caller-hooks.ts'
import type { OwnAccountService } from './own-account.service.ts'
import { ownAccountLimits } from './own-account-limits.ts'

interface OwnAccountRoutesDeps {
  service: OwnAccountService
  hooks: CallerHooks
  publicUrl: string | null
}

export const ownAccountRoutes = ({ service, hooks, publicUrl }: OwnAccountRoutesDeps) =>
  async function routes(app: App): Promise<void> {
    // Before validation: who is not logged in hears that first.
    const preValidation = hooks.requireSession
    const { preHandler, judged } = ownAccountLimits(app)

    app.post(
      '/auth/profile/password',
      {
        schema: {
          summary: 'Change the password, and with it the API key',
          tags: ['auth'],
          body: ChangePasswordBody,
          response: { 200: ChangedPasswordAnswer },
        },
        preValidation,
        config: { urgent: true },
        preHandler,
      },
      async (request) => {
        const { apiKey, token } = await judged(request, () =>
          service.changePassword(sessionCallerOf(request), request.body, visitorOf(request)),
        )
        return { success: true, message: AUTH_TEXTS.passwordChanged, apiKey, token, data: { apiKey } }
      },
    )

    app.post(
      '/auth/confirm',
      {
        schema: {
          summary: 'Type the password again, for what a session alone may not do',
          tags: ['auth'],
          body: ConfirmBody,
          response: { 200: Answer },
        },
        preValidation,
        config: { urgent: true },
        preHandler,
      },
      async (request, reply) => {
        const device = await judged(request, () =>
          service.confirm(sessionCallerOf(request), request.body, visitorOf(request)),
        )
        keepDeviceToken(reply, request, publicUrl, device.token)
        return { success: true, message: AUTH_TEXTS.confirmed }
      },
    )

    app.post(
      '/auth/profile/username',
      {
        schema: {
          summary: 'Change the username',
          tags: ['auth'],
          body: ChangeUsernameBody,
          response: { 200: UsernameAnswer },
        },
        preValidation,
        preHandler,
      },
      async (request) => ({
        success: true,
        message: AUTH_TEXTS.usernameChanged,
        data: await judged(request, () =>
          service.changeUsername(sessionCallerOf(request), request.body, visitorOf(request)),
        ),
      }),
    )
  }
