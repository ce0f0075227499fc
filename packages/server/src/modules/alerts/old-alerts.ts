import { ALERTS_KEPT_DAYS } from '@siarin/contracts/alerts'
import { sql } from 'kysely'
import type { OldRows } from '../../platform/db/old-rows.ts'

const KEPT_MS = ALERTS_KEPT_DAYS * 86_400_000

/** Their deliveries go with them. */
export const oldAlerts = (now: number): OldRows => ({ table: 'alerts', where: sql`created_at < ${now - KEPT_MS}` })

/** Somebody who has been off air for so long and was told has no need of it. */
export const oldAlertIncidents = (now: number): OldRows => ({
  table: 'alert_incidents',
  where: sql`updated_at < ${now - KEPT_MS} and due_at is null`,
})
