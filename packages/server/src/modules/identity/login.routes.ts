import { Answer } from '@siarin/contracts/answers'
import { LoginAnswer, LoginBody, RegisterBody } from '@siarin/contracts/auth'
import { SECOND_FACTOR_TEXTS } from '@siarin/contracts/auth-texts'
import { LoginCodeBody } from '@siarin/contracts/second-factor'
import { AUTH_TEXTS } from '@siarin/contracts/texts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DomainError } from '../../errors.ts'
import { deviceTokenOf, keepDeviceToken } from '../../http/device-cookie.ts'
import { sendError } from '../../http/error-answers.ts'
import { originOf } from '../../http/origin.ts'
import { AUTH_LIMITS, createAddressLimiter, createLimiter } from '../../http/rate-limits.ts'
import type { App } from '../../http/types.ts'
import { visitorOf } from '../../http/visitor.ts'
import type { Counters } from '../../platform/counters.ts'
import type { GuessGuard } from './guess-guard.ts'
import type { IdentityService } from './identity.service.ts'
import type { LoggedIn, LoginOrCode, Logins } from './login.service.ts'

export interface LoginRoutesDeps {
  service: Pick<IdentityService, 'register'>
  logins: Logins
  publicUrl: string | null
  guardsOf: (counters: Counters) => { logins: GuessGuard; codes: GuessGuard }
}

/** For who has no session yet. */
export function addLoginRoutes(app: App, { service, logins, publicUrl, guardsOf }: LoginRoutesDeps): void {
  const registerPerAddress = createAddressLimiter(app, 'register', AUTH_LIMITS.registerPerAddress)
  const loginPerAddress = createAddressLimiter(app, 'login', AUTH_LIMITS.loginPerAddress)
  const loginPerBrowser = createLimiter(
    app,
    'login-browser',
    AUTH_LIMITS.loginPerBrowser,
    (request) => deviceTokenOf(request) ?? '',
  )
  async function countLogin(request: FastifyRequest): Promise<void> {
    const isKnown = await logins.isKnownBrowser(request.body as LoginOrCode, visitorOf(request))
    await (isKnown ? loginPerBrowser(request) : loginPerAddress(request))
  }
  const guards = guardsOf(app.counters)

  function welcome({ user, token, deviceToken }: LoggedIn, request: FastifyRequest, reply: FastifyReply) {
    keepDeviceToken(reply, request, publicUrl, deviceToken)
    const server = originOf(publicUrl, request)
    return { success: true, message: AUTH_TEXTS.loggedIn, user: { ...user, server }, token }
  }

  app.post(
    '/auth/register',
    {
      schema: { summary: 'Register', tags: ['auth'], body: RegisterBody, response: { 200: Answer } },
      preHandler: registerPerAddress,
      config: { adds: true },
    },
    async (request) => {
      await service.register(request.body, visitorOf(request))
      return { success: true, message: AUTH_TEXTS.registered }
    },
  )

  app.post(
    '/auth/login',
    {
      schema: { summary: 'Log in', tags: ['auth'], body: LoginBody, response: { 200: LoginAnswer } },
      preHandler: countLogin,
    },
    async (request, reply) => {
      const visitor = visitorOf(request)
      const login = (isKnown: boolean) => logins.login(request.body, visitor, isKnown)
      const outcome = await guards.logins.judged(request.body.email, visitor, login)
      if ('token' in outcome) return welcome(outcome, request, reply)
      const refusal = new DomainError('second_factor_needed', SECOND_FACTOR_TEXTS.needed)
      return sendError(reply, refusal, { challenge: outcome.challenge })
    },
  )

  app.post(
    '/auth/login/code',
    {
      schema: {
        summary: 'The second step of a login: a code of the app',
        tags: ['auth'],
        body: LoginCodeBody,
        response: { 200: LoginAnswer },
      },
      preHandler: countLogin,
    },
    async (request, reply) => {
      const visitor = visitorOf(request)
      const account = await logins.accountOf(request.body.challenge)
      const entered = await guards.codes.judged(account, visitor, () => logins.loginWithCode(request.body, visitor))
      return welcome(entered, request, reply)
    },
  )
}
