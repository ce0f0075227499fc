import { Answer } from '@siarin/contracts/answers'
import { RECOVERY_TEXTS } from '@siarin/contracts/auth-texts'
import { AskResetBody, ResetPasswordBody, VerifyEmailBody } from '@siarin/contracts/recovery'
import { DomainError } from '../../errors.ts'
import { keepDeviceToken } from '../../http/device-cookie.ts'
import { createAddressLimiter, createLimiter, type Limit } from '../../http/rate-limits.ts'
import type { App } from '../../http/types.ts'
import { visitorOf } from '../../http/visitor.ts'
import { sessionCallerOf } from './caller.ts'
import type { CallerHooks } from './caller-hooks.ts'
import type { Recovery } from './recovery.service.ts'

const MINUTE_MS = 60_000

/** Each may send a letter to somebody, or try a link. */
const LIMITS = {
  askPerAddress: { max: 20, windowMs: 10 * MINUTE_MS },
  usePerAddress: { max: 30, windowMs: 10 * MINUTE_MS },
  resendPerAccount: { max: 3, windowMs: 10 * MINUTE_MS },
} satisfies Record<string, Limit>

const tags = ['auth']

interface RecoveryRoutesDeps {
  service: Recovery
  hooks: CallerHooks
  publicUrl: string | null
}

export const recoveryRoutes = ({ service, hooks, publicUrl }: RecoveryRoutesDeps) =>
  async function routes(app: App): Promise<void> {
    const words = RECOVERY_TEXTS.tooMany
    const askPerAddress = createAddressLimiter(app, 'reset-ask', LIMITS.askPerAddress, words)
    const usePerAddress = createAddressLimiter(app, 'link-use', LIMITS.usePerAddress, words)
    const resendPerAccount = createLimiter(
      app,
      'verify-resend',
      LIMITS.resendPerAccount,
      (request) => sessionCallerOf(request).userId,
      words,
    )

    app.post(
      '/auth/forgot',
      {
        schema: {
          summary: 'Ask for a link to a new password',
          tags,
          body: AskResetBody,
          response: { 200: Answer },
        },
        preHandler: askPerAddress,
      },
      async (request) => {
        if (!service.sendsMail) throw new DomainError('not_found', RECOVERY_TEXTS.noMail)
        service.askReset(request.body.email, visitorOf(request))
        return { success: true, message: RECOVERY_TEXTS.asked }
      },
    )

    app.post(
      '/auth/reset',
      {
        schema: {
          summary: 'Choose a new password with a link',
          tags,
          body: ResetPasswordBody,
          response: { 200: Answer },
        },
        preHandler: usePerAddress,
      },
      async (request, reply) => {
        const { device, leftBehind } = await service.reset(request.body, visitorOf(request))
        keepDeviceToken(reply, request, publicUrl, device.token)
        return { success: true, message: [RECOVERY_TEXTS.reset, leftBehind].filter(Boolean).join(' ') }
      },
    )

    app.post(
      '/auth/verify',
      {
        schema: { summary: 'Verify an e-mail address', tags, body: VerifyEmailBody, response: { 200: Answer } },
        preHandler: usePerAddress,
      },
      async (request) => {
        await service.verify(request.body.token, {
          visitor: visitorOf(request),
          hasSessionOf: (userId) => hooks.hasSessionOf(request, userId),
        })
        return { success: true, message: RECOVERY_TEXTS.verified }
      },
    )

    app.post(
      '/auth/verify/resend',
      {
        schema: { summary: 'Send the verification again', tags, response: { 200: Answer } },
        preValidation: hooks.requireSession,
        preHandler: resendPerAccount,
      },
      async (request) => {
        await service.resendVerification(sessionCallerOf(request))
        return { success: true, message: RECOVERY_TEXTS.sentAgain }
      },
    )
  }
