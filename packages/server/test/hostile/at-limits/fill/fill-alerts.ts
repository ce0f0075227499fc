import { randomUUID } from 'node:crypto'
import { Secret } from '@siarin/media/secret'
import { sql } from 'kysely'
import { DAY_MS, type Filling, HOUR_MS, type Ids } from '../account.ts'
import { fillRows, groupOf, idOf, placeIn, plus, text } from '../fill-rows.ts'

export interface FilledAlerts {
  readonly channels: Ids
  readonly newestAlert: number
  readonly webhooks: Ids
  readonly deliveries: Ids
}

export async function fillAlerts(filling: Filling): Promise<FilledAlerts> {
  const { db, userId, amounts, sealer, now } = filling
  const channels = { like: randomUUID(), count: amounts.channels }
  const webhook = new Secret('http://127.0.0.1:1/api/webhooks/123456789012345678/token-token-token-token-token-token')
  await fillRows(db, 'alert_channels', channels.count, {
    ...{ id: idOf(channels.like), user_id: userId, kind: 'discord', name: text('Kanal '), hint: 'discord.com' },
    ...{ destination_sealed: sealer.seal(webhook), state: 'off', created_at: plus(now - DAY_MS, 1000) },
    ...{ last_at: now - HOUR_MS, last_ok: 1, last_answer: 'OK', due_at: null, retry_at: null, claimed_until: null },
    hour_from: null,
  })
  const details = { at: now - HOUR_MS, name: 'Siaran', platform: 'lain', targetName: 'Tujuan', reason: 'target-closed' }
  await fillRows(db, 'alerts', amounts.alerts, {
    ...{ user_id: userId, kind: 'stream.offair', at: plus(now - DAY_MS, 1000), created_at: plus(now - DAY_MS, 1000) },
    ...{ subject_id: idOf(randomUUID()), topic: text('stream:'), details: JSON.stringify(details), in_app: 1 },
    read_at: null,
  })
  const newest = db
    .selectFrom('alerts')
    .select((eb) => eb.fn.max('id').as('id'))
    .where('user_id', '=', userId)
  const newestAlert = Number((await newest.executeTakeFirstOrThrow()).id)
  await fillRows(db, 'alert_deliveries', amounts.alerts * channels.count, {
    ...{ alert_id: sql`${sql.lit(newestAlert)} - ${placeIn(amounts.alerts)}`, topic: text('stream:') },
    ...{ channel_id: idOf(channels.like, groupOf(amounts.alerts)), state: 'sent', due_at: now, is_held: 0 },
    ...{ bundle: null, created_at: now - HOUR_MS, done_at: now - HOUR_MS },
  })
  const state = { off: null, restarts: Array(100).fill(now - HOUR_MS), isFlappingTold: true }
  await fillRows(db, 'alert_incidents', amounts.incidents, {
    ...{ id: sql`cast('stream:' as text) || ${idOf(randomUUID())}`, user_id: userId, state: JSON.stringify(state) },
    ...{ due_at: null, updated_at: now - HOUR_MS },
  })
  await fillOnes(filling)
  return { channels, newestAlert, ...(await fillWebhooks(filling)) }
}

/** What an account has one of. */
async function fillOnes({ db, userId, sealer, now }: Filling): Promise<void> {
  await db
    .insertInto('telegram_links')
    .values({
      ...{ id: randomUUID(), user_id: userId, bot_id: '123', bot_name: 'bot', code_hash: randomUUID() },
      ...{ token_sealed: sealer.seal(new Secret('123:token')), created_at: now - DAY_MS, expires_at: now - HOUR_MS },
    })
    .execute()
  const settings = await db.selectFrom('alert_settings').selectAll().executeTakeFirstOrThrow()
  const report = { user_id: userId, is_on: 0, zone: 'Asia/Jakarta', last_month: null }
  const ignore = { conflict: (conflict: { doNothing(): unknown }) => conflict.doNothing() as never }
  await db
    .insertInto('alert_settings')
    .values({ ...settings, user_id: userId })
    .onConflict(ignore.conflict)
    .execute()
  await db.insertInto('stat_reports').values(report).onConflict(ignore.conflict).execute()
}

async function fillWebhooks({ db, userId, like, amounts, now }: Filling) {
  const webhooks = { like: randomUUID(), count: amounts.webhooks - 1 }
  const deliveries = { like: randomUUID(), count: webhooks.count * amounts.deliveriesFinishedEach }
  // Paused, so that nothing is sent while we measure what waits.
  const paused = { state: 'paused', state_reason: null }
  await fillRows(db, 'webhook_endpoints', webhooks.count, {
    ...like.webhook,
    ...{ id: idOf(webhooks.like), user_id: userId, created_at: plus(now - DAY_MS, 1000), ...paused },
  })
  const body = JSON.stringify({ type: 'stream.live', timestamp: now, data: { title: 'x'.repeat(500) } })
  const row = { ...like.delivery, user_id: userId, event: 'stream.live', body }
  const each = amounts.deliveriesFinishedEach
  await fillRows(db, 'webhook_deliveries', deliveries.count, {
    ...row,
    ...{ id: idOf(deliveries.like), endpoint_id: idOf(webhooks.like, groupOf(each)), state: 'failed', due_at: null },
    ...{ fact_id: plus(1_000_000_000, 1), subject: text('stream:'), created_at: plus(now - DAY_MS, 10) },
    ...{ answer: 'x'.repeat(2_000), finished_at: plus(now - DAY_MS, 10) },
  })
  const waitingEach = Math.ceil(amounts.deliveriesWaiting / webhooks.count)
  await fillRows(db, 'webhook_deliveries', amounts.deliveriesWaiting, {
    ...row,
    ...{ id: idOf(randomUUID()), endpoint_id: idOf(webhooks.like, groupOf(waitingEach)), state: 'waiting' },
    ...{ fact_id: plus(2_000_000_000, 1), subject: text('stream:', placeIn(50)), due_at: null, finished_at: null },
    created_at: plus(now - HOUR_MS, 10),
  })
  return { webhooks, deliveries }
}
