import { Answer } from '@siarin/contracts/answers'
import {
  ApiKeyAnswer,
  LoginAnswer,
  LoginBody,
  ProfileAnswer,
  RegisterBody,
  SessionsAnswer,
  TicketAnswer,
} from '@siarin/contracts/auth'
import { SECOND_FACTOR_TEXTS } from '@siarin/contracts/auth-texts'
import { CodeBody, LoginCodeBody } from '@siarin/contracts/second-factor'
import { AUTH_TEXTS } from '@siarin/contracts/texts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { DomainError } from '../../errors.ts'
import { keepDeviceToken } from '../../http/device-cookie.ts'
import { sendError } from '../../http/error-answers.ts'
import { originOf } from '../../http/origin.ts'
import { AUTH_LIMITS, createAddressLimiter, createLimiter } from '../../http/rate-limits.ts'
import type { App } from '../../http/types.ts'
import { visitorOf } from '../../http/visitor.ts'
import type { Counters } from '../../platform/counters.ts'
import { callerOf, sessionCallerOf } from './caller.ts'
import type { CallerHooks } from './caller-hooks.ts'
import type { GuessGuard } from './guess-guard.ts'
import type { IdentityService } from './identity.service.ts'
import type { LoggedIn, Logins } from './login.service.ts'
import type { createPageTickets } from './page-tickets.ts'

interface IdentityRoutesDeps {
  service: IdentityService
  logins: Logins
  tickets: ReturnType<typeof createPageTickets>
  hooks: CallerHooks
  publicUrl: string | null
  guardsOf: (counters: Counters) => { logins: GuessGuard; codes: GuessGuard }
}

export const identityRoutes = ({ service, logins, tickets, hooks, publicUrl, guardsOf }: IdentityRoutesDeps) =>
  async function routes(app: App): Promise<void> {
    const registerPerAddress = createAddressLimiter(app, 'register', AUTH_LIMITS.registerPerAddress)
    const loginPerAddress = createAddressLimiter(app, 'login', AUTH_LIMITS.loginPerAddress)
    const guards = guardsOf(app.counters)

    const keyPerAccount = createLimiter(
      app,
      'key-code',
      AUTH_LIMITS.loginPerAccount,
      (request) => sessionCallerOf(request).userId,
    )

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
        preHandler: loginPerAddress,
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
        preHandler: loginPerAddress,
      },
      async (request, reply) => {
        const visitor = visitorOf(request)
        const account = await logins.accountOf(request.body.challenge)
        const entered = await guards.codes.judged(account, visitor, () => logins.loginWithCode(request.body, visitor))
        return welcome(entered, request, reply)
      },
    )

    app.post(
      '/auth/logout',
      {
        schema: { summary: 'Log out', tags: ['auth'], response: { 200: Answer } },
        preHandler: hooks.requireSession,
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

    app.post(
      '/fitur/video/ticket',
      {
        schema: {
          summary: 'A ticket for the addresses of own videos, pictures and the feed, instead of a key',
          tags: ['video'],
          response: { 200: TicketAnswer },
        },
        preValidation: hooks.requireKeyOrSession,
        config: { uncounted: true },
      },
      async (request, reply) => {
        const { ticket, expiresAt } = await tickets.give(callerOf(request), request.sessionCaller)
        reply.header('Cache-Control', 'no-store')
        const data = { ticket, expiresAt: new Date(expiresAt).toISOString() }
        return { success: true, message: AUTH_TEXTS.ticketGiven, data }
      },
    )

    app.get(
      '/auth/sessions',
      {
        schema: { summary: 'Where one is logged in', tags: ['auth'], response: { 200: SessionsAnswer } },
        preHandler: hooks.requireSession,
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
      },
      async (request) => {
        await service.endSession(sessionCallerOf(request), request.params.sessionId, visitorOf(request))
        return { success: true, message: AUTH_TEXTS.sessionEnded }
      },
    )
  }
