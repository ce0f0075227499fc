import { sql } from 'kysely'
import type { OldRows } from '../../platform/db/old-rows.ts'

/** What is over, and older than any view of it. `planned_until` keeps it from being planned again. */
const KEPT_MS = 90 * 86_400_000

export const oldOccurrences = (now: number): OldRows => ({
  table: 'schedule_occurrences',
  where: sql`due_at < ${now - KEPT_MS} and next_try_at is null and state <> 'started'`,
})
