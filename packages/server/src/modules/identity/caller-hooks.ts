import { API_KEY_TEXTS, AUTH_TEXTS } from '@siarin/contracts/texts'
import type { FastifyRequest } from 'fastify'
import { DomainError } from '../../errors.ts'
import { type Visitor, visitorOf } from '../../http/visitor.ts'
import { type Caller, callerOf, type SessionCaller, type SessionRef } from './caller.ts'

/** What the hooks ask of the rest of identity. */
export interface Gatekeeper {
  callerBySessionToken(token: string): Promise<SessionCaller>
  callerByApiKey(apiKey: string): Promise<Caller>
  callerByTicket(ticket: string): Promise<Caller>
  /** Refuses a session that has to prove its password first. */
  assertProved(caller: SessionCaller, visitor: Visitor): Promise<void>
}

/** What the hooks ask of plans. */
interface AccessGuard {
  /** Refuses a caller whose access has been stopped. */
  assertAccess(caller: Caller): Promise<void>
}

/** What the hooks ask of the app, which counts. */
export interface CallCounting {
  /** Counts a call of another program than the page, and refuses it when it is one too many. */
  countApiCall(request: FastifyRequest): Promise<void>
  /** The same for a call with a session, which a header may spell in many ways. */
  countSessionCall(session: SessionRef): Promise<void>
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Not counted as calls of a program: what the browser asks for by itself, with a key and no session (media, event streams), a file
     * in many pieces, and a stop, which must get through whatever else was asked.
     */
    uncounted?: boolean
  }
}

const textIn = (holder: unknown, name: string): string | null => {
  const value = typeof holder === 'object' && holder !== null ? (holder as Record<string, unknown>)[name] : null
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}

/** Where the specification puts the key (query on GET, body on POST and DELETE), and a header for API clients. */
const apiKeyOf = (request: FastifyRequest): string | null => apiKeyBeforeBody(request) ?? textIn(request.body, 'apiKey')
const apiKeyBeforeBody = (request: FastifyRequest): string | null =>
  textIn(request.headers, 'x-api-key') ?? textIn(request.query, 'apiKey')

const ticketOf = (request: FastifyRequest): string | null => textIn(request.query, 'ticket')

const bearerOf = (request: FastifyRequest): string | null =>
  /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? null

export type CallerHooks = ReturnType<typeof createCallerHooks>

export function createCallerHooks(gatekeeper: Gatekeeper, access: AccessGuard & CallCounting) {
  async function assertApiKey(request: FastifyRequest): Promise<void> {
    const apiKey = apiKeyOf(request)
    if (!apiKey) throw new DomainError('api_key_required', API_KEY_TEXTS.required)
    request.caller = await gatekeeper.callerByApiKey(apiKey)
    await access.assertAccess(request.caller)
  }

  /** Runs before validation, so that a missing key is said before anything about the body. */
  async function requireApiKey(request: FastifyRequest): Promise<void> {
    await assertApiKey(request)
    if (request.routeOptions.config.uncounted) return
    const session = await sessionOf(request, callerOf(request).userId)
    await (session ? access.countSessionCall(session) : access.countApiCall(request))
  }

  /** The page sends its session with every call. */
  async function sessionOf(request: FastifyRequest, userId: string): Promise<SessionRef | null> {
    const token = bearerOf(request)
    if (token === null) return null
    const session = await gatekeeper.callerBySessionToken(token).catch(() => null)
    return session?.userId === userId ? session : null
  }

  async function requireSession(request: FastifyRequest): Promise<void> {
    const token = bearerOf(request)
    if (!token) throw new DomainError('not_authenticated', AUTH_TEXTS.notAuthenticated)
    request.sessionCaller = await gatekeeper.callerBySessionToken(token)
    request.caller = request.sessionCaller
    if (!request.routeOptions.config.uncounted) await access.countSessionCall(request.sessionCaller)
  }

  /** A feature call, which an account whose access has been stopped may not make. */
  async function requireFeatureSession(request: FastifyRequest): Promise<void> {
    await requireSession(request)
    await access.assertAccess(callerOf(request))
  }

  const hasSessionOnly = (request: FastifyRequest): boolean => apiKeyOf(request) === null && bearerOf(request) !== null

  /** Null: something else says who calls. */
  const usedTicketOf = (request: FastifyRequest): string | null =>
    apiKeyOf(request) === null && bearerOf(request) === null ? ticketOf(request) : null

  /** The page sends its session, and no key; API clients have nothing but a key. */
  const requireKeyOrSession = (request: FastifyRequest): Promise<void> =>
    hasSessionOnly(request) ? requireFeatureSession(request) : requireApiKey(request)

  async function assertWatcher(request: FastifyRequest): Promise<void> {
    if (hasSessionOnly(request)) return requireFeatureSession(request)
    const ticket = usedTicketOf(request)
    if (ticket === null) return assertApiKey(request)
    request.caller = await gatekeeper.callerByTicket(ticket)
    await access.assertAccess(request.caller)
  }

  return {
    /** Before the body is read: whose key or session comes with it; null: nobody's, or it stands in the body. Refuses nothing. */
    async accountInHeaders(request: FastifyRequest): Promise<string | null> {
      const [apiKey, token] = [apiKeyBeforeBody(request), bearerOf(request)]
      const found = apiKey ? gatekeeper.callerByApiKey(apiKey) : token ? gatekeeper.callerBySessionToken(token) : null
      const caller = await found?.catch(() => null)
      return caller?.userId ?? null
    },
    requireApiKey,
    /** For a call that needs no session: whether it comes with one of this account all the same. */
    hasSessionOf: async (request: FastifyRequest, userId: string): Promise<boolean> =>
      (await sessionOf(request, userId)) !== null,
    /** For what a browser loads by itself: beside key and session it takes a ticket, which is what the page puts into an address. */
    requireWatcher: (request: FastifyRequest): Promise<void> =>
      usedTicketOf(request) === null ? requireKeyOrSession(request) : assertWatcher(request),
    /** The ticket by which a watcher was let in; null: it was a key or a session. */
    usedTicketOf,
    /** For an answer that goes on and on: whether its caller would still be let in. Not counted as a call. */
    assertWatcher,
    /** For what a thief of a session would do first. An API client is known by its key, and is not asked. */
    async assertProved(request: FastifyRequest): Promise<void> {
      if (request.sessionCaller) await gatekeeper.assertProved(request.sessionCaller, visitorOf(request))
    },
    /** For what concerns the account itself: open also to one whose access has been stopped. */
    requireSession,
    requireFeatureSession,
    requireKeyOrSession,
  }
}
