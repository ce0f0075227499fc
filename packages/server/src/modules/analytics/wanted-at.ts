import { type RawBuilder, sql } from 'kysely'
import { MINUTE_MS } from './sample-rules.ts'

const HOUR = 60 * MINUTE_MS
const DAY = 24 * HOUR
/** As the index `stat_streams_lengths` has them. Those of the last kind are longer than any of these. */
const SHORTER_THAN = [MINUTE_MS, 10 * MINUTE_MS, HOUR, 6 * HOUR, DAY, 7 * DAY, 30 * DAY, 180 * DAY] as const

const kinds = SHORTER_THAN.map((ms, kind) => sql`when ended_at - asked_at < ${sql.lit(ms)} then ${sql.lit(kind)}`)
const kindOf = sql`case ${sql.join(kinds, sql` `)} else ${sql.lit(SHORTER_THAN.length)} end`

/**
 * The numbers of those streams of a workspace that are over by now and were wanted at a moment. They may have begun long before, and many
 * others since; but not many of one length were asked for within that length, since a workspace has only so many at one time.
 */
export function wantedAt(workspaceId: string, moment: number): RawBuilder<number> {
  const ofKinds = [...SHORTER_THAN, moment].map(
    (longest, kind) => sql`
      select id from stat_streams
      where user_id = ${workspaceId} and ${kindOf} = ${sql.lit(kind)}
        and asked_at < ${moment} and asked_at > ${moment - longest} and ended_at > ${moment}`,
  )
  return sql<number>`(${sql.join(ofKinds, sql` union all `)})`
}
