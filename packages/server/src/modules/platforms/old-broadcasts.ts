import { sql } from 'kysely'
import type { OldRows } from '../../platform/db/old-rows.ts'

const KEPT_MS = 86_400_000

/** With the token of the account, which is of no use any more. */
export const oldPlatformBroadcasts = (now: number): OldRows => ({
  table: 'platform_broadcasts',
  where: sql`ended_at < ${now - KEPT_MS}`,
})
