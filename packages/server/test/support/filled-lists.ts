import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ALERT_CHANNELS_MAX } from '@siarin/contracts/alerts'
import { TARGETS_MAX, WAITING_IMPORTS_MAX } from '@siarin/contracts/limits'
import { PLAYLIST_ITEMS_MAX, PLAYLISTS_MAX } from '@siarin/contracts/playlists'
import { RENDITIONS_MAX } from '@siarin/contracts/rendition-texts'
import { SCHEDULES_MAX } from '@siarin/contracts/schedules/schedules'
import { Secret } from '@siarin/media/secret'
import { createLibraryRepo } from '../../src/modules/library/library.repo.ts'
import type { Db } from '../../src/platform/db/database.ts'
import { createSealer, type Sealer } from '../../src/platform/secrets/seal.ts'
import { bearer, call, type Reply, signIn, type TestProgram } from './program.ts'

type Ask = (method: string, path: string, body?: unknown) => Promise<Reply>

export interface Owner {
  readonly userId: string
  readonly apiKey: string
  readonly videoId: string
  readonly ask: Ask
  /** As the page asks, with a session. */
  readonly askAsPage: Ask
  readonly email: string
  readonly password: string
  readonly sealer: Sealer
  /** A server that has a playlist at every address, and never sends a video. */
  readonly elsewhere: string
}

/** With a video that can be named and ordered from; it has no file. */
export async function newOwner(
  { url, db, dataDir }: Pick<TestProgram, 'url' | 'db' | 'dataDir'>,
  elsewhere = '',
): Promise<Owner> {
  const { user, token, password } = await signIn(url)
  const { id } = await db.selectFrom('users').select('id').where('email', '=', user.email).executeTakeFirstOrThrow()
  const videoId = randomUUID()
  await addVideo(db, id, { id: videoId, filename: 'klip.mp4' })
  const askWith =
    (headers: Record<string, string>): Ask =>
    (method, path, body) =>
      call(url, method, path, { body, headers })
  const secret = (await readFile(join(dataDir, 'secret'), 'utf8')).trim()
  return {
    ...{ userId: id, apiKey: user.apiKey, email: user.email, password, videoId, elsewhere },
    ...{ ask: askWith({ 'x-api-key': user.apiKey }), askAsPage: askWith(bearer(token)) },
    sealer: createSealer(new Secret(secret)),
  }
}

export const addVideo = (db: Db, userId: string, more: { id: string; filename: string; [column: string]: unknown }) =>
  createLibraryRepo(db).insert({
    ...{ user_id: userId, status: 'ready', original_bytes: 1, duration_ms: 4_000, content_type: 'video/mp4' },
    ...{ width: 1920, height: 1080, fps: 30, created_at: 1, original_key: `${userId}/${more.id}/original.mp4` },
    ...more,
  })

export interface LimitedList {
  readonly what: string
  readonly most: number
  /** Puts so many rows into it, as cheaply as it can. */
  fill(db: Db, owner: Owner, count: number): Promise<void>
  /** One more, unlike the others. */
  add(owner: Owner, n: number): Promise<Reply>
  count(db: Db, owner: Owner): Promise<number>
}

/** Its server never answers: the first one is under way for as long as the test, and the others wait behind it. */
const addImport = (
  db: Db,
  { userId, sealer, elsewhere }: Owner,
  columns: { filename: string; [column: string]: unknown },
) =>
  addVideo(db, userId, {
    ...{
      id: randomUUID(),
      original_key: null,
      import_url_sealed: sealer.seal(new Secret(`${elsewhere}/lama.mp4`)),
      ...columns,
    },
  })

const addChannel = (ask: Ask, n: number): Promise<Reply> =>
  ask('POST', '/fitur/alert/channel/discord', {
    url: `http://127.0.0.1:1/api/webhooks/${1_000_000 + n}/${'k'.repeat(68)}`,
  })

const RULE = { repeat: { kind: 'daily' }, windows: [{ start: '08:00', minutes: 5 }] }

const each = async (count: number, insert: (n: number) => Promise<unknown>): Promise<void> => {
  for (let n = 0; n < count; n++) await insert(n)
}

const ownRows =
  (table: 'schedules' | 'online_sources' | 'targets' | 'playlists' | 'webhook_endpoints' | 'alert_channels') =>
  async (db: Db, { userId }: Owner): Promise<number> =>
    (await db.selectFrom(table).select('id').where('user_id', '=', userId).execute()).length

const accounts = (kind: 'bigo' | 'tiktok', bodyOf: (n: number) => object): LimitedList => ({
  what: `${kind} accounts`,
  most: 50,
  fill: (db, { userId }, count) =>
    each(count, (n) =>
      db
        .insertInto('platform_accounts')
        .values({
          ...{ id: randomUUID(), user_id: userId, platform: kind, name: `lama ${n}`, created_at: 1 },
          ...{ credential_sealed: '', credential_mark: `lama ${n}` },
        })
        .execute(),
    ),
  add: ({ ask }, n) => ask('POST', `/fitur/${kind}/add`, { name: `Akun ${n}`, ...bodyOf(n) }),
  count: async (db, { userId }) =>
    (
      await db
        .selectFrom('platform_accounts')
        .select('id')
        .where('user_id', '=', userId)
        .where('platform', '=', kind)
        .execute()
    ).length,
})

/** Every list of an account that has an end. */
export const LIMITED_LISTS: readonly LimitedList[] = [
  {
    what: 'schedules',
    most: SCHEDULES_MAX,
    fill: (db, { userId }, count) =>
      each(count, (n) =>
        db
          .insertInto('schedules')
          .values({
            ...{ id: randomUUID(), user_id: userId, title: `lama ${n}`, rule: JSON.stringify(RULE) },
            // Paused and planned for good: nobody opens what they would start.
            ...{ request_sealed: '', planned_until: 9e14, paused_at: 1, created_at: 1 },
          })
          .execute(),
      ),
    add: ({ ask }, n) =>
      ask('POST', '/fitur/schedule', {
        title: `Jadwal ${n}`,
        rule: RULE,
        broadcast: { source: 'klip.mp4', platform: 'lain', rtmpStream: `rtmp://127.0.0.1:1/live/kunci-${n}` },
      }),
    count: ownRows('schedules'),
  },
  {
    what: 'online sources',
    most: 50,
    fill: (db, { userId }, count) =>
      each(count, (n) =>
        db
          .insertInto('online_sources')
          .values({
            ...{ id: randomUUID(), user_id: userId, name: `lama ${n}`, url_sealed: '', url_mark: `${n}` },
            created_at: 1,
          })
          .execute(),
      ),
    add: ({ ask, elsewhere }, n) =>
      ask('POST', '/fitur/online/add', { name: `Sumber ${n}`, url: `${elsewhere}/${n}.m3u8` }),
    count: ownRows('online_sources'),
  },
  accounts('bigo', (n) => ({ siteId: `kamar${n}` })),
  accounts('tiktok', (n) => ({ token: `token-panjang-nomor-${n}` })),
  {
    what: 'targets',
    most: TARGETS_MAX,
    fill: (db, { userId }, count) =>
      each(count, (n) =>
        db
          .insertInto('targets')
          .values({
            ...{ id: randomUUID(), user_id: userId, name: `lama ${n}`, name_key: `lama ${n}`, platform: 'youtube' },
            ...{ preset: null, address: null, key_sealed: '', key_hint: '', created_at: 1 },
            ...{ last_used_at: null, checked_at: null, check_result: null },
          })
          .execute(),
      ),
    add: ({ ask }, n) =>
      ask('POST', '/fitur/target', { name: `Tujuan ${n}`, platform: 'youtube', key: `kunci-baru-${n}` }),
    count: ownRows('targets'),
  },
  {
    what: 'playlists',
    most: PLAYLISTS_MAX,
    fill: (db, { userId }, count) =>
      each(count, (n) =>
        db
          .insertInto('playlists')
          .values({ id: randomUUID(), user_id: userId, name: `lama ${n}`, created_at: 1, updated_at: 1 })
          .execute(),
      ),
    add: ({ ask }, n) => ask('POST', '/fitur/playlist', { name: `Daftar ${n}`, videos: ['klip.mp4'] }),
    count: ownRows('playlists'),
  },
  {
    what: 'items of a playlist',
    most: PLAYLIST_ITEMS_MAX,
    async fill(db, { userId, videoId }, count) {
      await db
        .insertInto('playlists')
        .values({ id: `list-${userId}`, user_id: userId, name: 'penuh', created_at: 1, updated_at: 1 })
        .execute()
      const rows = Array.from({ length: count }, (_, n) => ({
        ...{ id: randomUUID(), playlist_id: `list-${userId}`, position: (n + 1) * 1000, video_id: videoId },
        removed_at: null,
      }))
      for (let from = 0; from < rows.length; from += 100) {
        await db
          .insertInto('playlist_items')
          .values(rows.slice(from, from + 100))
          .execute()
      }
    },
    add: ({ ask, userId }) => ask('POST', `/fitur/playlist/list-${userId}/items`, { videos: ['klip.mp4'] }),
    count: async (db, { userId }) =>
      (await db.selectFrom('playlist_items').select('id').where('playlist_id', '=', `list-${userId}`).execute()).length,
  },
  {
    what: 'webhooks',
    most: 20,
    fill: (db, { userId }, count) =>
      each(count, (n) =>
        db
          .insertInto('webhook_endpoints')
          .values({
            ...{ id: randomUUID(), user_id: userId, description: `lama ${n}`, events: '[]', state: 'active' },
            ...{ url_sealed: '', secret_sealed: '', old_secret_sealed: null, old_secret_until: null },
            ...{ state_reason: null, failing_since: null, dropped: 0, after_fact: 0, created_at: 1 },
          })
          .execute(),
      ),
    add: ({ ask }, n) => ask('POST', '/fitur/webhook', { url: `http://127.0.0.1:1/${n}`, events: ['stream.live'] }),
    count: ownRows('webhook_endpoints'),
  },
  {
    what: 'alert channels',
    most: ALERT_CHANNELS_MAX,
    fill: (_db, { ask }, count) => each(count, (n) => addChannel(ask, 100 + n)),
    add: ({ ask }, n) => addChannel(ask, n),
    count: ownRows('alert_channels'),
  },
  {
    what: 'imports that wait',
    most: WAITING_IMPORTS_MAX,
    fill: (db, owner, count) =>
      each(count, (n) => addImport(db, owner, { filename: `lama-${n}.mp4`, status: 'processing', step: 'importing' })),
    add: ({ ask, elsewhere }, n) => ask('POST', '/fitur/video/import', { url: `${elsewhere}/${n}.mp4` }),
    count: waitingImports,
  },
  {
    what: 'imports that are tried again',
    most: WAITING_IMPORTS_MAX,
    async fill(db, owner, count) {
      await each(count, (n) =>
        addImport(db, owner, { filename: `lama-${n}.mp4`, status: 'processing', step: 'importing' }),
      )
      await each(40, (n) => addImport(db, owner, { filename: `gagal-${n}.mp4`, status: 'failed', created_at: 2 }))
    },
    add: ({ ask }, n) => ask('POST', `/fitur/video/retry/gagal-${n}.mp4`),
    count: waitingImports,
  },
  {
    what: 'versions of a video',
    most: RENDITIONS_MAX,
    fill: (db, { videoId }, count) =>
      each(count, (n) =>
        db
          .insertInto('rendition_orders')
          .values({
            ...{ video_id: videoId, recipe: `640x360@30:${500 + n}`, state: 'failed', progress: null },
            ...{ seconds_left: null, reason: null, created_at: 1 },
          })
          .execute(),
      ),
    add: ({ ask }, n) => ask('POST', '/fitur/video/rendition/klip.mp4', { recipe: `640x360@30:${900 + n}` }),
    count: async (db, { videoId }) =>
      (await db.selectFrom('rendition_orders').select('recipe').where('video_id', '=', videoId).execute()).length,
  },
]

async function waitingImports(db: Db, { userId }: Owner): Promise<number> {
  const rows = await db
    .selectFrom('videos')
    .select('id')
    .where('user_id', '=', userId)
    .where('status', '=', 'processing')
    .where('step', '=', 'importing')
    .execute()
  return rows.length
}
