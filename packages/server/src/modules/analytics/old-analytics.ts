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
