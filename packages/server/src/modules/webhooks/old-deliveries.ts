import { sql } from 'kysely'
import type { OldRows } from '../../platform/db/old-rows.ts'

const DAY_MS = 86_400_000
const KEPT_MS = 7 * DAY_MS

/** What was made before: nobody asks for it any more, and where it still waits for an endpoint that is not active nobody wants it. */
export const tooOldBefore = (now: number): number => now - KEPT_MS

/**
 * What waits for an active endpoint goes by its tries alone: what follows it is due only once they are over. And a day later than it is too
 * old, so that nothing goes here in the moment in which its endpoint becomes active again: see `readyHeads`.
 */
export const oldDeliveries = (now: number): OldRows => ({
  table: 'webhook_deliveries',
  where: sql`(state <> 'waiting' and created_at < ${tooOldBefore(now)})
    or (state = 'waiting' and created_at < ${tooOldBefore(now) - DAY_MS}
      and endpoint_id in (select id from webhook_endpoints where state <> 'active'))`,
})
