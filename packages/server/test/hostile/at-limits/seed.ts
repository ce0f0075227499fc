import { PLAYLIST_ITEMS_MAX } from '@siarin/contracts/playlists'
import type { RtmpServer } from '@siarin/testkit/nginx-rtmp'
import { waitFor } from '@siarin/testkit/wait-for'
import type { Selectable } from 'kysely'
import type { Db } from '../../../src/platform/db/database.ts'
import type { Database } from '../../../src/platform/db/schema.ts'
import { bearer, call, fromAddress, newUser, processed, randomAddress, uploadVideo } from '../../support/program.ts'
import { streamCalls } from '../../support/streams.ts'
import { type Account, DAY_MS, type Templates } from './account.ts'
import type { Amounts } from './amounts.ts'

export async function addAccount(url: string, db: Db): Promise<Account> {
  const user = newUser()
  const address = randomAddress()
  const headers = fromAddress(address)
  await call(url, 'POST', '/auth/register', { body: user, headers })
  const { body } = await call(url, 'POST', '/auth/login', { body: user, headers })
  const { id } = await db.selectFrom('users').select('id').where('email', '=', user.email).executeTakeFirstOrThrow()
  return { ...user, userId: id, apiKey: body.user.apiKey, token: body.token, address }
}

const dateAfter = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)
const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** Every day at as many times as there may be, and on none of the next days: what comes next is as far away as it can be. */
export const largestRule = ({ windowsEach, exceptionsEach }: Pick<Amounts, 'windowsEach' | 'exceptionsEach'>) => ({
  repeat: { kind: 'daily' },
  windows: Array.from({ length: windowsEach }, (_, at) => ({
    start: `${twoDigits(Math.floor((at * 24) / windowsEach))}:00`,
    minutes: 60,
  })),
  // From yesterday on: it is another day elsewhere.
  exceptions: Array.from({ length: exceptionsEach }, (_, day) => dateAfter(day - 1)),
  zone: 'Asia/Jakarta',
})

export const LOGO = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAAT0lEQVR42u3PQQkAAAgEsEtiEvtjLCP4FgYrsEz1axEQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQuCyROiEPuUV3nwAAAABJRU5ErkJggg==',
  'base64',
)

/** Nobody listens there. */
export const NOBODY = { rtmp: 'rtmp://127.0.0.1:1/live', http: 'http://127.0.0.1:1/' }

/** One of everything that the program writes itself. */
export async function makeTemplates(
  { url, db, rtmp, clip }: { url: string; db: Db; rtmp: RtmpServer; clip: string },
  { userId, apiKey, token }: Account,
  amounts: Amounts,
): Promise<Templates> {
  const headers = { 'x-api-key': apiKey }
  const ask = async (method: string, path: string, body: object) => {
    const reply = await call(url, method, path, { body, headers })
    if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${reply.body?.message}`)
    return reply.body
  }
  await db.updateTable('users').set({ email_verified_at: Date.now() }).where('id', '=', userId).execute()
  const filename: string = (await uploadVideo(url, apiKey, clip)).body.data.filename
  await processed(url, apiKey, filename)
  await ask('POST', '/fitur/playlist', { name: 'Daftar', videos: Array(PLAYLIST_ITEMS_MAX).fill(filename) })
  const broadcast = { source: filename, platform: 'lain', rtmpStream: `${NOBODY.rtmp}/jadwal` }
  await ask('POST', '/fitur/schedule', { title: 'Jadwal', rule: largestRule(amounts), broadcast })
  await ask('POST', '/fitur/target', { name: 'Tujuan', platform: 'lain', address: NOBODY.rtmp, key: 'kunci-tujuan' })
  await ask('POST', '/fitur/bigo/add', { siteId: 'kamar', name: 'Kamar' })
  await ask('PUT', '/fitur/branding', { text: 'Nama saluran' })
  await fetch(`${url}/fitur/branding/logo`, {
    method: 'PUT',
    headers: { ...headers, 'content-type': 'image/png' },
    body: LOGO,
  })
  const webhook = await ask('POST', '/fitur/webhook', { url: NOBODY.http, events: ['stream.live', 'video.ready'] })
  await ask('POST', `/fitur/webhook/${webhook.data.id}/test`, {})
  await ask('PUT', '/fitur/analytics/report-mail', { on: true, zone: 'Asia/Jakarta' })
  const settings = (await call(url, 'GET', '/fitur/alert/settings', { headers })).body.data
  await ask('PUT', '/fitur/alert/settings', settings)
  await call(url, 'POST', '/auth/second-factor', { headers: bearer(token) })
  await recordOnce(url, { userId, apiKey }, db, rtmp)
  return readTemplates(db, userId)
}

/** A broadcast that was on air, recorded and ended. */
async function recordOnce(
  url: string,
  { userId, apiKey }: Pick<Account, 'userId' | 'apiKey'>,
  db: Db,
  rtmp: RtmpServer,
) {
  const calls = streamCalls(url, rtmp)
  const started = await calls.start(apiKey, 'sekali', { record: true })
  const { streamId } = started.body
  const live = async () => (await calls.active(apiKey))[0]?.state === 'live'
  await waitFor('the broadcast to be live', live, { timeoutMs: 120_000 })
  const recorded = () => db.selectFrom('recordings').selectAll().where('user_id', '=', userId).executeTakeFirst()
  await waitFor('its recording', async () => (await recorded()) !== undefined, { timeoutMs: 60_000 })
  await calls.stop(apiKey, streamId)
  await waitFor('its recording to be ready', async () => (await recorded())?.to_at, { timeoutMs: 60_000 })
  const told = () =>
    db.selectFrom('stat_streams').select('ended_at').where('stream_id', '=', streamId).executeTakeFirst()
  await waitFor('analytics to know its end', async () => (await told())?.ended_at, { timeoutMs: 60_000 })
}

async function readTemplates(db: Db, userId: string): Promise<Templates> {
  const own = async <T extends Owned>(table: T): Promise<Selectable<Database[T]>> => {
    // biome-ignore lint/suspicious/noExplicitAny: which columns a table has is known to the caller alone
    const rows = (db as any).selectFrom(table).selectAll().where('user_id', '=', userId)
    return rows.executeTakeFirstOrThrow()
  }
  const video = await own('videos')
  const rendition = db.selectFrom('renditions').selectAll().where('video_id', '=', video.id)
  const { id: _, ...statStream } = await own('stat_streams')
  return {
    ...{ video, statStream, rendition: await rendition.executeTakeFirstOrThrow() },
    ...{ playlist: await own('playlists'), schedule: await own('schedules'), target: await own('targets') },
    ...{ occurrence: await own('schedule_occurrences'), platformAccount: await own('platform_accounts') },
    ...{ webhook: await own('webhook_endpoints'), delivery: await own('webhook_deliveries') },
    ...{ session: await own('sessions'), broadcast: await own('broadcasts'), stream: await own('streams') },
    ...{ recording: await own('recordings'), piece: await own('sent_pieces') },
  }
}

type Owned = {
  [T in keyof Database]: Database[T] extends { user_id: string } ? T : never
}[keyof Database]
