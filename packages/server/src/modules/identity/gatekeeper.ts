import { API_KEY_TEXTS, AUTH_TEXTS } from '@siarin/contracts/texts'
import { DomainError } from '../../errors.ts'
import type { Clock } from '../../platform/clock.ts'
import { hashToken } from '../../platform/secrets/tokens.ts'
import { asOwner } from './caller.ts'
import type { Gatekeeper } from './caller-hooks.ts'
import type { Devices } from './devices.service.ts'
import type { IdentityRepo } from './identity.repo.ts'
import type { createPageTickets } from './page-tickets.ts'
import type { RememberedCallers } from './remembered-callers.ts'
import { judgeSession, TOUCH_EVERY_MS } from './session-rules.ts'

interface GatekeeperDeps {
  callers: Pick<RememberedCallers, 'byKeyHash' | 'byTokenHash'>
  repo: Pick<IdentityRepo, 'touchSession'>
  clock: Clock
  devices: Pick<Devices, 'assertProved'>
  tickets: Pick<ReturnType<typeof createPageTickets>, 'callerOf'>
}

/** Who calls, by what the call carries. */
export function createGatekeeper({ callers, repo, clock, devices, tickets }: GatekeeperDeps): Gatekeeper {
  return {
    async callerBySessionToken(token) {
      const known = await callers.byTokenHash(hashToken(token))
      const session = known?.session
      if (!session) throw new DomainError('session_ended', AUTH_TEXTS.sessionUnknown)
      const now = clock.now()
      switch (judgeSession(session, now)) {
        case 'invalidated':
          throw new DomainError('session_ended', AUTH_TEXTS.tokenInvalidated)
        case 'expired':
          throw new DomainError('session_ended', AUTH_TEXTS.tokenExpired)
        case 'valid':
          if (now - session.lastSeenAt >= TOUCH_EVERY_MS) await repo.touchSession(session.id, now)
          return { ...asOwner(known.plan.id), sessionId: session.id }
      }
    },

    async callerByApiKey(apiKey) {
      const known = await callers.byKeyHash(hashToken(apiKey))
      if (!known) throw new DomainError('api_key_wrong', API_KEY_TEXTS.wrong)
      return asOwner(known.plan.id)
    },

    callerByTicket: tickets.callerOf,
    assertProved: devices.assertProved,
  }
}
