import { Secret } from '@siarin/media/secret'
import type { z } from 'zod'
import type { Clock } from '../clock.ts'
import type { Sealer } from './seal.ts'

interface TicketsDeps<Fields extends object> {
  sealer: Sealer
  clock: Clock
  /** Each kind of ticket names its fields in its own way, so that none passes for another. */
  schema: z.ZodType<Fields>
  lifeMs: number
  /** Within this time the same fields make the same ticket, so that a player that holds its address plays on. */
  stepMs: number
}

export interface Tickets<Fields extends object> {
  seal(fields: Fields): string
  /** Null: none of ours. It may have expired: its holder judges that. */
  read(sealed: string): Fields | null
  /** When a ticket that is made now expires. */
  expiry(): number
}

/** Short-lived leave for what a browser loads by itself and cannot send a header for: it stands in an address instead of a key. */
export function createTickets<Fields extends object>(deps: TicketsDeps<Fields>): Tickets<Fields> {
  const { sealer, clock, schema, lifeMs, stepMs } = deps
  return {
    seal: (fields) => sealer.sealAlike(new Secret(JSON.stringify(fields))),
    read(sealed) {
      try {
        return schema.parse(JSON.parse(sealer.open(sealed).reveal()))
      } catch {
        return null
      }
    },
    expiry: () => (Math.floor(clock.now() / stepMs) + 1) * stepMs + lifeMs,
  }
}
