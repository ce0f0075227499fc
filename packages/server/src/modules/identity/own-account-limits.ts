import { AUTH_LIMITS, createLimiter, type Limiter } from '../../http/rate-limits.ts'
import type { App } from '../../http/types.ts'
import { sessionCallerOf } from './caller.ts'

/** Before every call that asks for the password once more; they count together. */
export const ownAccountLimits = (app: App): Limiter[] => [
  // Someone who has found a session open may not guess the password with it.
  createLimiter(app, 'own-session', AUTH_LIMITS.loginPerAccount, (request) => sessionCallerOf(request).sessionId),
  // Wider, so that one stolen session does not keep the owner from changing the password.
  createLimiter(app, 'own-account', AUTH_LIMITS.ownAccount, (request) => sessionCallerOf(request).userId),
]
