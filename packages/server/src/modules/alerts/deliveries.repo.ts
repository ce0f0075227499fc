import { ALERT_MESSAGES_PER_HOUR } from '@siarin/contracts/alerts'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { AlertChannelTable } from '../../platform/db/tables/alerts.ts'

export type ChannelRow = Selectable<AlertChannelTable>
export type DeliveriesRepo = ReturnType<typeof createDeliveriesRepo>

/** A channel that something is being sent to. */
export interface BusyChannel {
  readonly id: string
  readonly userId: string
}

/** A waiting delivery, with what it tells. */
export interface WaitingRow {
  readonly id: number
  readonly kind: string
  readonly topic: string
  readonly details: string
  readonly subjectId: string | null
  readonly isHeld: number
  readonly bundle: string | null
  readonly tries: number
  readonly createdAt: number
  readonly dueAt: number
}

/** Longer than a try takes: meanwhile nobody else takes the channel, afterwards its holder counts as dead. */
const LEASE_MS = 60_000
/** A wait that is longer was written before the clock was set back. */
export const LONGEST_RETRY_MS = 6 * 3_600_000
/** Somebody's channels that say nothing must not hold up those of others. */
const AT_ONCE_PER_USER = 4
const HOUR_MS = 3_600_000
const BUNDLED_MAX = 200

/** Channels with something to send, each held by one program at a time; what is sent is decided while it is held. */
export function createDeliveriesRepo(db: Db) {
  const isFree = (now: number) =>
    sql<boolean>`state = 'on' and due_at is not null and due_at <= ${now}
      and (retry_at is null or retry_at <= ${now} or retry_at > ${now + LONGEST_RETRY_MS})
      and (claimed_until is null or claimed_until <= ${now} or claimed_until > ${now + LEASE_MS})`

  /** Runs `change` while nobody else writes about the channel. Null: another has taken it since, or it was switched off. */
  const whileHeld = <T>(
    { id, claims }: Pick<ChannelRow, 'id' | 'claims'>,
    change: (inside: Db, channel: ChannelRow) => Promise<T>,
  ): Promise<T | null> =>
    db.transaction().execute(async (inside) => {
      const channel = await inside
        .updateTable('alert_channels')
        .set({ claims })
        .where('id', '=', id)
        .where('claims', '=', claims)
        .where('state', '=', 'on')
        .returningAll()
        .executeTakeFirst()
      return channel ? change(inside, channel) : null
    })

  return {
    /**
     * `busy`: those that this program is at work on. In one statement, whose outer condition PostgreSQL looks at once more when it has
     * waited for another program.
     */
    async claim(now: number, most: number, busy: readonly BusyChannel[]): Promise<ChannelRow[]> {
      return db
        .updateTable('alert_channels')
        .set({ claimed_until: now + LEASE_MS, claims: sql<number>`claims + 1` })
        .where(isFree(now))
        .where('id', 'in', inTurn(db, { now, most, busy, isFree: isFree(now) }))
        .returningAll()
        .execute()
    },
    /** When the next channel may be claimed; null: nothing waits. Waits from before the clock was set back do not count. */
    async nextAt(now: number): Promise<number | null> {
      const { rows } = await sql<{ next: number | null }>`
        select min(case
          when claimed_until <= ${now + LEASE_MS} and claimed_until > due_at and claimed_until > coalesce(retry_at, 0)
            then claimed_until
          when retry_at <= ${now + LONGEST_RETRY_MS} and retry_at > due_at then retry_at
          else due_at end) as next
        from alert_channels where due_at is not null and state = 'on'`.execute(db)
      return rows[0]?.next ?? null
    },
    /** For a program that is alone: what a crash has left claimed is nobody's. */
    async releaseAll(): Promise<void> {
      await db
        .updateTable('alert_channels')
        .set({ claimed_until: null })
        .where('claimed_until', 'is not', null)
        .execute()
    },
    whileHeld,
    /** What goes next: one message, or several as one. Null: nothing now; then the channel is let go until it has something. */
    next: (held: ChannelRow, now: number): Promise<readonly WaitingRow[] | null> =>
      whileHeld(held, (inside, channel) => chooseNext(inside, channel, now)),
  }
}

interface Turn {
  readonly now: number
  readonly most: number
  readonly busy: readonly BusyChannel[]
  readonly isFree: RawBuilder<boolean>
}

/**
 * Whose turn it is: first the user of whom the least is under way, then who has waited longest. What has failed before may fail slowly
 * again, and comes after what has not.
 */
function inTurn(db: Db, { now, most, busy, isFree }: Turn) {
  const [ids, users] = [busy.map(({ id }) => id), busy.map(({ userId }) => userId)]
  const hasFailed = sql`case when retry_at is null then 0 else 1 end`
  const since = sql`(select waiting.created_at from alert_deliveries as waiting
    where waiting.channel_id = alert_channels.id and waiting.state = 'waiting' and waiting.due_at <= ${now}
    order by waiting.id limit 1)`
  const underWay = [...new Set(users)].map(
    (userId) => sql`when user_id = ${userId} then ${sql.lit(users.filter((each) => each === userId).length)}`,
  )
  const ofUser = underWay.length === 0 ? sql`0` : sql`case ${sql.join(underWay, sql` `)} else 0 end`
  const free = db
    .selectFrom('alert_channels')
    .select(['id', sql<number>`${hasFailed}`.as('has_failed'), sql<number>`${since}`.as('since')])
    .select(
      sql<number>`${ofUser} + row_number() over (partition by user_id order by ${hasFailed}, ${since}, id)`.as('place'),
    )
    .where(isFree)
    .$if(ids.length > 0, (query) => query.where('id', 'not in', ids))
  return db
    .selectFrom(free.as('free'))
    .select('free.id')
    .where('free.place', '<=', AT_ONCE_PER_USER)
    .orderBy('free.place')
    .orderBy('free.has_failed')
    .orderBy('free.since')
    .limit(most)
}

async function chooseNext(inside: Db, channel: ChannelRow, now: number): Promise<readonly WaitingRow[] | null> {
  const rows = await dueOf(inside, channel.id, now)
  const [head] = rows
  if (!head) return letGo(inside, channel.id, {})
  const isNewHour = channel.hour_from === null || now >= channel.hour_from + HOUR_MS || channel.hour_from > now
  if (!isNewHour && channel.hour_count >= ALERT_MESSAGES_PER_HOUR) {
    return letGo(inside, channel.id, { retry_at: (channel.hour_from ?? now) + HOUR_MS, is_crowded: 1 })
  }
  if (isNewHour) await set(inside, channel.id, { hour_from: now, hour_count: 0 })
  if (head.bundle !== null) return rows.filter(({ bundle }) => bundle === head.bundle)
  const together = rows.filter(({ bundle, isHeld }) => bundle === null && (channel.is_crowded || isHeld))
  if (channel.is_crowded) await set(inside, channel.id, { is_crowded: 0 })
  return together.length > 1 && together[0] === head ? bundle(inside, together) : [head]
}

async function dueOf(inside: Db, channelId: string, now: number): Promise<WaitingRow[]> {
  return inside
    .selectFrom('alert_deliveries')
    .innerJoin('alerts', 'alerts.id', 'alert_deliveries.alert_id')
    .select(['alert_deliveries.id', 'alerts.kind', 'alert_deliveries.topic', 'alerts.details'])
    .select(['alerts.subject_id as subjectId', 'alert_deliveries.is_held as isHeld', 'alert_deliveries.bundle'])
    .select(['alert_deliveries.tries', 'alert_deliveries.created_at as createdAt', 'alert_deliveries.due_at as dueAt'])
    .where('alert_deliveries.channel_id', '=', channelId)
    .where('alert_deliveries.state', '=', 'waiting')
    .where('alert_deliveries.due_at', '<=', now)
    .orderBy('alert_deliveries.id')
    .limit(BUNDLED_MAX)
    .execute()
}

/** Written before it is sent: after a crash the same ones go together again, under the same id. */
async function bundle(inside: Db, together: readonly WaitingRow[]): Promise<WaitingRow[]> {
  const name = `al-sum-${together[0]?.id}`
  await inside
    .updateTable('alert_deliveries')
    .set({ bundle: name })
    .where(
      'id',
      'in',
      together.map(({ id }) => id),
    )
    .execute()
  return together.map((row) => ({ ...row, bundle: name }))
}

type ChannelChange = Partial<Omit<ChannelRow, 'id' | 'user_id' | 'kind'>>

const set = (inside: Db, id: string, change: ChannelChange) =>
  inside.updateTable('alert_channels').set(change).where('id', '=', id).execute()

/** Others may take it, once something waits there. Only its holder may call this. */
export async function letGo(inside: Db, channelId: string, change: ChannelChange): Promise<null> {
  const row = await inside
    .selectFrom('alert_deliveries')
    .select(({ fn }) => fn.min('due_at').as('next'))
    .where('channel_id', '=', channelId)
    .where('state', '=', 'waiting')
    .executeTakeFirst()
  await set(inside, channelId, { ...change, claimed_until: null, due_at: row?.next ?? null })
  return null
}

export type DeliveryEnd = 'sent' | 'refused' | 'given-up' | 'dropped'

export async function finish(inside: Db, ids: readonly number[], state: DeliveryEnd, now: number): Promise<void> {
  await inside
    .updateTable('alert_deliveries')
    .set({ state, done_at: now, tries: sql<number>`tries + 1` })
    .where('id', 'in', ids)
    .execute()
}

export async function countTry(inside: Db, ids: readonly number[]): Promise<void> {
  await inside.updateTable('alert_deliveries').set({ tries: sql<number>`tries + 1` }).where('id', 'in', ids).execute()
}

/** A channel is switched off: what waits there is not sent any more. */
export async function dropWaiting(inside: Db, channelId: string, now: number): Promise<void> {
  await inside
    .updateTable('alert_deliveries')
    .set({ state: 'dropped', done_at: now })
    .where('channel_id', '=', channelId)
    .where('state', '=', 'waiting')
    .execute()
}
