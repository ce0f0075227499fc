import { TicketAnswer } from '@siarin/contracts/auth'
import { AUTH_TEXTS } from '@siarin/contracts/texts'
import type { App } from '../../http/types.ts'
import { callerOf } from './caller.ts'
import type { CallerHooks } from './caller-hooks.ts'
import type { IdentityService } from './identity.service.ts'
import { addLoginRoutes, type LoginRoutesDeps } from './login.routes.ts'
import type { createPageTickets } from './page-tickets.ts'
import { addProfileRoutes } from './profile.routes.ts'
import { addSessionsRoutes } from './sessions.routes.ts'

interface TicketRouteDeps {
  tickets: ReturnType<typeof createPageTickets>
  hooks: CallerHooks
}

type IdentityRoutesDeps = LoginRoutesDeps & TicketRouteDeps & { service: IdentityService }

/** In the order in which the API's description lists them. */
export const identityRoutes = (deps: IdentityRoutesDeps) =>
  async function routes(app: App): Promise<void> {
    addLoginRoutes(app, deps)
    addProfileRoutes(app, deps)
    addTicketRoute(app, deps)
    addSessionsRoutes(app, deps)
  }

function addTicketRoute(app: App, { tickets, hooks }: TicketRouteDeps): void {
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
}
