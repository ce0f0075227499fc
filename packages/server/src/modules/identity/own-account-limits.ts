import type { FastifyRequest } from 'fastify'
import { DomainError } from '../../errors.ts'
import { AUTH_LIMITS, createLimiter } from '../../http/rate-limits.ts'
import type { App } from '../../http/types.ts'
import { sessionCallerOf } from './caller.ts'

type CountingLimiter = ReturnType<typeof createLimiter>
type Judged = <T>(request: FastifyRequest, work: () => Promise<T>) => Promise<T>

/** Does what these have counted a try for. Where there was no room to look at the password, it was none. */
export const judgedUnder =
  (limits: readonly CountingLimiter[]): Judged =>
  async (request, work) => {
    try {
      return await work()
    } catch (error) {
      const isNoTry = error instanceof DomainError && error.code === 'server_busy'
      if (isNoTry) await Promise.all(limits.map(({ takeBack }) => takeBack(request)))
      throw error
    }
  }

/** For every call that asks for the password once more; they count together. */
export function ownAccountLimits(app: App): { preHandler: CountingLimiter[]; judged: Judged } {
  const preHandler = [
    // Someone who has found a session open may not guess the password with it.
    createLimiter(app, 'own-session', AUTH_LIMITS.loginPerAccount, (request) => sessionCallerOf(request).sessionId),
    // Wider, so that one stolen session does not keep the owner from changing the password.
    createLimiter(app, 'own-account', AUTH_LIMITS.ownAccount, (request) => sessionCallerOf(request).userId),
  ]
  return { preHandler, judged: judgedUnder(preHandler) }
}
