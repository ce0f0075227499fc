import type { FastifyRequest } from 'fastify'

/** Who sent the request, once a hook has found out, and for which workspace. */
export interface Caller {
  /** Who does it: whose session, password and activity. */
  readonly userId: string
  /** Whose things they are: what every query of videos, sources, accounts and broadcasts asks by. Today each user has one, of the same id. */
  readonly workspaceId: string
  /** What the user may do there. */
  readonly role: 'owner'
}

export interface SessionCaller extends Caller {
  readonly sessionId: string
}

/** Which session of which user, for what is changed only while it is open. */
export type SessionRef = Pick<SessionCaller, 'userId' | 'sessionId'>

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
    sessionCaller: SessionCaller | null
  }
}

/** A user in the workspace that is their own. */
export const asOwner = (userId: string): Caller => ({ userId, workspaceId: userId, role: 'owner' })

/** For handlers behind one of the hooks; without it the route was wired wrongly. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error('route has no caller hook')
  return request.caller
}

export function sessionCallerOf(request: FastifyRequest): SessionCaller {
  if (!request.sessionCaller) throw new Error('route has no session hook')
  return request.sessionCaller
}
