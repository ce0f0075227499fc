import { sql } from 'kysely'
import type { OldRows } from '../../platform/db/old-rows.ts'
import { HOURS_KEPT_MS } from './roll-up.ts'
import { GRAINS } from './span-sums.ts'

/** A year is what the largest plan shows. The figures go by themselves: see roll-up.ts. */
export const oldSpans = (now: number): OldRows => ({
  table: 'stat_spans',
  where: sql`ended_at < ${now - HOURS_KEPT_MS}`,
})

/** With its hours and what is left of its spans. */
export const oldStatStreams = (now: number): OldRows => ({
  table: 'stat_streams',
  where: sql`ended_at < ${now - HOURS_KEPT_MS}`,
})

export const oldSums = (now: number): OldRows[] =>
  GRAINS.map(({ minutes, ms }) => ({
    table: 'stat_sums',
    where: sql`grain = ${minutes} and at < ${Math.floor((now - HOURS_KEPT_MS) / ms)}`,
  }))

/** One that goes on may have begun long ago. */
export const oldStatBroadcasts = (now: number): OldRows => ({
  table: 'stat_broadcasts',
  where: sql`asked_at < ${now - HOURS_KEPT_MS} and not exists (
    select 1 from stat_streams where stat_streams.broadcast_id = stat_broadcasts.broadcast_id)`,
})
