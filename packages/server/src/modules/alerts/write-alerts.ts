import { type AlertKind, isImportantKind } from '@siarin/contracts/alert-kinds'
import type { AlertDetails } from '@siarin/contracts/alert-texts'
import { ALERTS_KEPT_MAX, type AlertSettings, type KindSwitches } from '@siarin/contracts/alerts'
import { quietUntil } from '@siarin/contracts/quiet-hours'
import { sql } from 'kysely'
import { type Db, isPostgres } from '../../platform/db/database.ts'
import type { ChannelKind } from './channels/channel.ts'

export interface NewAlert {
  readonly userId: string
  readonly kind: AlertKind
  readonly subjectId: string | null
  readonly topic: string
  readonly details: AlertDetails
}

interface Writing {
  readonly now: number
  readonly settingsOf: (userId: string) => AlertSettings
}

type OpenChannel = { readonly id: string; readonly kind: ChannelKind }

/** At once, whatever the clock says now and is set to later. */
export const AT_ONCE = 0

/** At a channel that takes nothing, or less than comes: the newest is worth more. */
const WAITING_MAX = 200

/** Below what a statement may have of values. */
const ROWS_AT_ONCE = 200

const IN_APP_ONLY: KindSwitches = { app: true, telegram: false, discord: false, push: false, email: false }

/**
 * Writes what is told, for the list in the app and for each channel, in the transaction of what it follows from: so nothing is lost and
 * nothing is told twice. Sending comes later, from these rows.
 */
export async function writeAlerts(inside: Db, alerts: readonly NewAlert[], writing: Writing): Promise<void> {
  // In the order of their ids, also for locks: two that write at once do not wait for each other.
  for (const userId of [...new Set(alerts.map((alert) => alert.userId))].sort()) {
    const own = alerts.filter((alert) => alert.userId === userId)
    // Who tells that a channel is gone holds that channel already: two such would wait for each other's for ever.
    const channels = own.every(({ kind }) => kind === 'channel.gone') ? [] : await lockChannels(inside, userId)
    const written = await writeList(inside, own, channels, writing)
    for (const each of written) await writeDeliveries(inside, each, writing)
    for (const id of new Set(written.flatMap(({ channelIds }) => channelIds))) await dropOldest(inside, id, writing.now)
    await trim(inside, userId)
  }
}

async function lockChannels(inside: Db, userId: string): Promise<OpenChannel[]> {
  const open = inside
    .selectFrom('alert_channels')
    .select(['id', 'kind'])
    .where('user_id', '=', userId)
    .where('state', '=', 'on')
    .orderBy('id')
  const rows = await (isPostgres(inside) ? open.forUpdate() : open).execute()
  return rows as OpenChannel[]
}

interface Written {
  readonly id: number
  readonly alert: NewAlert
  readonly channelIds: readonly string[]
}

/** What nobody wants to be told of is not written at all. */
async function writeList(
  inside: Db,
  alerts: readonly NewAlert[],
  channels: readonly OpenChannel[],
  { now, settingsOf }: Writing,
): Promise<Written[]> {
  const wanted = alerts.flatMap((alert) => {
    const switches = alert.kind === 'channel.gone' ? IN_APP_ONLY : settingsOf(alert.userId).kinds[alert.kind]
    const channelIds = channels.filter(({ kind }) => switches[kind]).map(({ id }) => id)
    return switches.app || channelIds.length > 0 ? [{ alert, channelIds, in_app: switches.app ? 1 : 0 }] : []
  })
  const written: Written[] = []
  for (let from = 0; from < wanted.length; from += ROWS_AT_ONCE) {
    const some = wanted.slice(from, from + ROWS_AT_ONCE)
    const rows = await inside
      .insertInto('alerts')
      .values(
        some.map(({ alert: { userId, kind, subjectId, topic, details }, in_app }) => ({
          ...{ user_id: userId, kind, at: details.at, created_at: now, subject_id: subjectId, topic },
          ...{ details: JSON.stringify(details), in_app, read_at: null },
        })),
      )
      .returning('id')
      .execute()
    // They are numbered in the order of the list; nobody promises that they are answered in it.
    const ids = rows.map(({ id }) => id).sort((one, other) => one - other)
    written.push(...some.map(({ alert, channelIds }, index) => ({ id: ids[index] ?? 0, alert, channelIds })))
  }
  return written
}

async function writeDeliveries(inside: Db, { id, alert, channelIds }: Written, writing: Writing): Promise<void> {
  if (channelIds.length === 0) return
  const { now, settingsOf } = writing
  const heldUntil = isImportantKind(alert.kind) ? null : quietUntil(settingsOf(alert.userId), now)
  // What waits about the same thing goes first: later news must not overtake it.
  if (heldUntil === null) await releaseHeld(inside, channelIds, alert.topic)
  await inside
    .insertInto('alert_deliveries')
    .values(
      channelIds.map((channelId) => ({
        ...{ alert_id: id, channel_id: channelId, topic: alert.topic, state: 'waiting', created_at: now },
        ...{ due_at: heldUntil ?? AT_ONCE, is_held: heldUntil === null ? 0 : 1, bundle: null, done_at: null },
      })),
    )
    .execute()
  await wakeChannels(inside, channelIds, heldUntil ?? AT_ONCE)
}

async function releaseHeld(inside: Db, channelIds: readonly string[], topic: string): Promise<void> {
  await inside
    .updateTable('alert_deliveries')
    .set({ due_at: AT_ONCE, is_held: 0 })
    .where('channel_id', 'in', channelIds)
    .where('state', '=', 'waiting')
    .where('topic', '=', topic)
    .where('is_held', '=', 1)
    .where('bundle', 'is', null)
    .execute()
}

/** A channel's next message may go at `at`, or before where it already could. */
async function wakeChannels(inside: Db, channelIds: readonly string[], at: number): Promise<void> {
  await inside
    .updateTable('alert_channels')
    .set({ due_at: sql<number>`case when due_at is null or due_at > ${at} then ${at} else due_at end` })
    .where('id', 'in', channelIds)
    .execute()
}

/** What is bundled may be under way, and stays; a bundle has an end of its own. */
async function dropOldest(inside: Db, channelId: string, now: number): Promise<void> {
  const waiting = inside
    .selectFrom('alert_deliveries')
    .where('channel_id', '=', channelId)
    .where('state', '=', 'waiting')
    .where('bundle', 'is', null)
  await inside
    .updateTable('alert_deliveries')
    .set({ state: 'dropped', done_at: now })
    .where('channel_id', '=', channelId)
    .where('state', '=', 'waiting')
    .where('bundle', 'is', null)
    .where('id', '<=', waiting.select('id').orderBy('id', 'desc').limit(1).offset(WAITING_MAX))
    .execute()
}

/** The list has an end. What has a thousand newer ones before it goes, also where it still waits to be sent. */
async function trim(inside: Db, userId: string): Promise<void> {
  await inside
    .deleteFrom('alerts')
    .where('user_id', '=', userId)
    .where('id', '<=', (eb) =>
      eb
        .selectFrom('alerts')
        .select('id')
        .where('user_id', '=', userId)
        .orderBy('id', 'desc')
        .limit(1)
        .offset(ALERTS_KEPT_MAX),
    )
    .execute()
}
