import { sql } from 'kysely'
import type { OldRows } from '../../platform/db/old-rows.ts'

const KEPT_MS = 60 * 86_400_000

/** Sessions last a month at most. The newest of each user stays: it says when they were last here. */
export const oldSessions = (now: number): OldRows => ({
  table: 'sessions',
  where: sql`created_at < ${now - KEPT_MS} and exists (
    select 1 from sessions as newer where newer.user_id = sessions.user_id and newer.created_at > sessions.created_at)`,
})
