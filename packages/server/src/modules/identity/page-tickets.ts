import { AUTH_TEXTS } from '@siarin/contracts/texts'
import { z } from 'zod'
import { DomainError } from '../../errors.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Sealer } from '../../platform/secrets/seal.ts'
import { createTickets } from '../../platform/secrets/tickets.ts'
import { asOwner, type Caller, type SessionCaller } from './caller.ts'
import type { IdentityRepo } from './identity.repo.ts'
import { judgeSession } from './session-rules.ts'

const LIFE_MS = 12 * 3_600_000
const STEP_MS = 3_600_000
/** Ours have some 200. What stands behind one that can be opened would be repeated wherever the ticket is. */
const MOST_CHARACTERS = 600

/** It belongs to a session and ends with it, or to an API key and ends with that. */
const Sealed = z.object({
  watch: z.string(),
  session: z.string().optional(),
  key: z.string().optional(),
  exp: z.number(),
})

interface PageTicketsDeps {
  repo: Pick<IdentityRepo, 'sessionById' | 'keyMarkOf'>
  sealer: Sealer
  clock: Clock
}

/** Leave to look at one's own videos, their pictures and the feed of broadcasts, for what a browser loads without a header. */
export function createPageTickets({ repo, sealer, clock }: PageTicketsDeps) {
  const tickets = createTickets({ sealer, clock, schema: Sealed, lifeMs: LIFE_MS, stepMs: STEP_MS })

  async function isHeld({ watch, session: sessionId, key }: z.infer<typeof Sealed>): Promise<boolean> {
    const mark = await repo.keyMarkOf(watch)
    if (mark === null) return false
    if (sessionId === undefined) return key === mark
    const session = await repo.sessionById(sessionId)
    if (session?.user_id !== watch) return false
    const times = { createdAt: session.created_at, lastSeenAt: session.last_seen_at, endedAt: session.ended_at }
    return judgeSession(times, clock.now()) === 'valid'
  }

  return {
    async give({ userId }: Caller, session: SessionCaller | null): Promise<{ ticket: string; expiresAt: number }> {
      const exp = tickets.expiry()
      const holder = session ? { session: session.sessionId } : { key: (await repo.keyMarkOf(userId)) ?? '' }
      return { ticket: tickets.seal({ watch: userId, ...holder, exp }), expiresAt: exp }
    },
    async callerOf(sealed: string): Promise<Caller> {
      const ticket = sealed.length <= MOST_CHARACTERS ? tickets.read(sealed) : null
      if (!ticket || ticket.exp < clock.now() || !(await isHeld(ticket))) {
        throw new DomainError('ticket_ended', AUTH_TEXTS.ticketEnded)
      }
      return asOwner(ticket.watch)
    },
  }
}
