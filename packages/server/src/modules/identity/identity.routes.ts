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
import { AUTH_TEXTS } from '@siarin/contracts/texts'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { addressKey } from '../../http/address-key.ts'
import { type CallerHooks, callerOf, sessionCallerOf, visitorOf } from '../../http/caller.ts'
import { keepDeviceToken } from '../../http/device-cookie.ts'
import { originOf } from '../../http/origin.ts'
import { AUTH_LIMITS, createLimiter } from '../../http/rate-limits.ts'
import type { App } from '../../http/types.ts'
import type { Counters } from '../../platform/counters.ts'
import type { IdentityService } from './identity.service.ts'
import type { LoginGuard } from './login-guard.ts'
import type { createPageTickets } from './page-tickets.ts'

interface IdentityRoutesDeps {
  service: IdentityService
  tickets: ReturnType<typeof createPageTickets>
  hooks: CallerHooks
  publicUrl: string | null
  guardOf: (counters: Counters) => LoginGuard
}

const addressOf = (request: FastifyRequest): string => addressKey(request.ip)

export const identityRoutes = ({ service, tickets, hooks, publicUrl, guardOf }: IdentityRoutesDeps) =>
  async function routes(app: App): Promise<void> {
    const registerPerAddress = createLimiter(app, 'register', AUTH_LIMITS.registerPerAddress, addressOf)
    const loginPerAddress = createLimiter(app, 'login', AUTH_LIMITS.loginPerAddress, addressOf)
    const guard = guardOf(app.counters)

    app.post(
      '/auth/register',
      {
        schema: { summary: 'Register', tags: ['auth'], body: RegisterBody, response: { 200: Answer } },
        preHandler: registerPerAddress,
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
        const login = () => service.login(request.body, visitorOf(request))
        const { user, token, deviceToken } = await guard.judged(request.body.email, request.ip, login)
        keepDeviceToken(reply, request, publicUrl, deviceToken)
        const server = originOf(publicUrl, request)
        return { success: true, message: AUTH_TEXTS.loggedIn, user: { ...user, server }, token }
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
        schema: { summary: 'Change the API key', tags: ['auth'], response: { 200: ApiKeyAnswer } },
        preHandler: hooks.requireSession,
      },
      async (request) => {
        const apiKey = await service.changeApiKey(sessionCallerOf(request), visitorOf(request))
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
