import { sql } from 'kysely'
import type { OldRows } from '../../../platform/db/old-rows.ts'

/** A year of reports is what the largest plan has, so that long nothing of a broadcast goes. */
const YEAR_MS = 366 * 86_400_000

export const oldStreamEvents = (now: number): OldRows => ({ table: 'stream_events', where: sql`at < ${now - YEAR_MS}` })
