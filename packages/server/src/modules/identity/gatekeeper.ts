import { API_KEY_TEXTS, AUTH_TEXTS } from '@siarin/contracts/texts'
import { DomainError } from '../../errors.ts'
import type { Clock } from '../../platform/clock.ts'
import { hashToken } from '../../platform/secrets/tokens.ts'
import { asOwner } from './caller.ts'
import type { Gatekeeper } from './caller-hooks.ts'
import type { Devices } from './devices.service.ts'
import type { IdentityRepo } from './identity.repo.ts'
import type { createPageTickets } from './page-tickets.ts'
import { judgeSession, TOUCH_EVERY_MS } from './session-rules.ts'

interface GatekeeperDeps {
  repo: Pick<IdentityRepo, 'sessionByTokenHash' | 'touchSession' | 'userIdByApiKeyHash'>
  clock: Clock
  devices: Pick<Devices, 'assertProved'>
  tickets: Pick<ReturnType<typeof createPageTickets>, 'callerOf'>
}

/** Who calls, by what the call carries. */
export function createGatekeeper({ repo, clock, devices, tickets }: GatekeeperDeps): Gatekeeper {
  return {
    async callerBySessionToken(token) {
      const session = await repo.sessionByTokenHash(hashToken(token))
      if (!session) throw new DomainError('session_ended', AUTH_TEXTS.sessionUnknown)
      const now = clock.now()
      const times = { createdAt: session.created_at, lastSeenAt: session.last_seen_at, endedAt: session.ended_at }
      switch (judgeSession(times, now)) {
        case 'invalidated':
          throw new DomainError('session_ended', AUTH_TEXTS.tokenInvalidated)
        case 'expired':
          throw new DomainError('session_ended', AUTH_TEXTS.tokenExpired)
        case 'valid':
          if (now - session.last_seen_at >= TOUCH_EVERY_MS) await repo.touchSession(session.id, now)
          return { ...asOwner(session.user_id), sessionId: session.id }
      }
    },

    async callerByApiKey(apiKey) {
      const userId = await repo.userIdByApiKeyHash(hashToken(apiKey))
      if (!userId) throw new DomainError('api_key_wrong', API_KEY_TEXTS.wrong)
      return asOwner(userId)
    },

    callerByTicket: tickets.callerOf,
    assertProved: devices.assertProved,
  }
}
