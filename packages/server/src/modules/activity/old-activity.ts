import { sql } from 'kysely'
import type { OldRows } from '../../platform/db/old-rows.ts'

const YEAR_MS = 366 * 86_400_000

export const oldActivity = (now: number): OldRows => ({ table: 'activity', where: sql`at < ${now - YEAR_MS}` })
