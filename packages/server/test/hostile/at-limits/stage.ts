import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Secret } from '@siarin/media/secret'
import { cachedClip } from '@siarin/testkit/clips'
import { loopProbe } from '@siarin/testkit/loop-probe'
import { startMailServer } from '@siarin/testkit/mail-server'
import { startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { type Settings, type Siarin, startSiarin } from '@siarin/testkit/siarin-server'
import { tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { sql } from 'kysely'
import { pino } from 'pino'
import { type Db, isPostgres, openPostgres, openSqlite } from '../../../src/platform/db/database.ts'
import { createSealer } from '../../../src/platform/secrets/seal.ts'
import { mailSettings } from '../../support/mail.ts'
import { streamCalls } from '../../support/streams.ts'
import type { Account, Filling } from './account.ts'
import type { Amounts } from './amounts.ts'
import { fillCutPieces } from './fill/fill-broadcasts.ts'
import { type Filled, fillAccount } from './fill-account.ts'
import { addAccount, makeTemplates } from './seed.ts'

const SECRET = 'rahasia-aplikasi-untuk-uji-batas-0123456789'
const CLIP_SECONDS = 4

export type Stage = Awaited<ReturnType<typeof openStage>>

/**
 * The whole program with people in it: two who own as much as they can, one who owns nothing, and some to be changed. `givesWay`: as
 * operators run it. Beside other tests it would wait for minutes until its first video is prepared.
 */
export async function openStage(settings: Settings, amounts: Amounts, { givesWay } = { givesWay: true }) {
  const folder = await tempDir('at-limits')
  const [rtmp, mail] = await Promise.all([startRtmpServer(), startMailServer()])
  const probe = loopProbe(join(folder.path, 'probe.sock'))
  const clip = await cachedClip('klip.mp4', { seconds: CLIP_SECONDS })
  const env = {
    ...settings,
    ...mailSettings(mail.url),
    ...probe.env,
    APP_SECRET: SECRET,
    LOG_LEVEL: 'warn',
    MAX_STREAMS_PER_WORKER: '25',
  }
  const siarin = await startSiarin({ givesWay, flags: probe.flags, env })
  const db = openDb(siarin, settings)
  const people = await Promise.all(Array.from({ length: 5 }, () => addAccount(siarin.url, db)))
  const [full, doomed, neighbour, spare, leaving] = people as [Account, Account, Account, Account, Account]
  const like = await makeTemplates({ url: siarin.url, db, rtmp, clip }, full, amounts)
  const emptyTables = await countRows(db)
  await siarin.stop()
  const shared = { db, like, amounts, sealer: createSealer(new Secret(SECRET)), now: Date.now() }
  const filling = { ...shared, userId: full.userId, mediaDir: join(siarin.dataDir, 'media') }
  const filled = await fillAccount(filling)
  await fillAccount({ ...filling, userId: doomed.userId, amounts: { ...amounts, ...amounts.ofDoomed } })
  await db.updateTable('users').set({ plan: 'business', plan_until: null }).where('id', '=', full.userId).execute()
  // As PostgreSQL does by itself after so many new rows, unless a test's own does not.
  if (isPostgres(db)) await sql`analyze`.execute(db)
  await siarin.restart()
  const live = await goLive(siarin, rtmp, full)
  return {
    ...{ siarin, db, probe, full, doomed, neighbour, spare, leaving, filled, live },
    clip: await readFile(clip),
    ...{ now: shared.now, amounts },
    around: {
      'POST /fitur/broadcast/{id}/stop': {
        before: () => cutForHours(db, filling, filled, live.streamId),
        after: () => untilRecorded(db, live.streamId),
      },
      'DELETE /auth/profile': { after: () => untilGone(db, doomed) },
    },
    forgotten: () => tablesWithoutMore(db, emptyTables),
    /** Who holds which lease: none on one machine. */
    leases: () => db.selectFrom('worker_leases').select(['id', 'incarnation']).orderBy('id').execute(),
    /** True: it had ended, and was started again. */
    async revive(): Promise<boolean> {
      const isUp = await fetch(`${siarin.url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      )
      if (!isUp) await siarin.restart()
      return !isUp
    },
    async close() {
      await db.destroy()
      await siarin.dispose()
      await Promise.all([rtmp.stop(), mail.stop()])
      await folder.remove()
    },
  }
}

const openDb = ({ dataDir }: Siarin, { DATABASE_URL }: Settings): Db =>
  DATABASE_URL
    ? openPostgres(new Secret(DATABASE_URL), pino({ level: 'silent' }), 'patient')
    : openSqlite(join(dataDir, 'siarin.db'), { waitMs: 60_000, synchronous: 'NORMAL' })

/** On air for as long as the others are measured. */
async function goLive({ url }: Siarin, rtmp: Parameters<typeof streamCalls>[1], { apiKey }: Account) {
  const calls = streamCalls(url, rtmp)
  const { body } = await calls.start(apiKey, randomUUID(), { record: true })
  await waitFor('the broadcast to be live', async () => (await calls.active(apiKey))[0]?.state === 'live', {
    timeoutMs: 120_000,
  })
  return { streamId: body.streamId as string }
}

/** As if what is on air had been cut again and again for hours: that shows when it ends. */
async function cutForHours(db: Db, filling: Filling, { library }: Filled, broadcastId: string): Promise<void> {
  const from = Date.now() - filling.amounts.recordingMs
  const own = db.updateTable('recordings').set({ from_at: from }).where('broadcast_id', '=', broadcastId)
  await waitFor('its recording', async () => (await own.executeTakeFirst()).numUpdatedRows > 0n)
  await fillCutPieces(filling, library, { id: '', broadcastId, from })
}

const LATEST = { timeoutMs: 300_000, everyMs: 200 }

async function untilRecorded(db: Db, broadcastId: string): Promise<void> {
  const recording = db.selectFrom('recordings').select('to_at').where('broadcast_id', '=', broadcastId)
  await waitFor('the end of its recording', async () => (await recording.executeTakeFirst())?.to_at, LATEST)
}

async function untilGone(db: Db, { userId }: Account): Promise<void> {
  const user = db.selectFrom('users').select('id').where('id', '=', userId)
  await waitFor('the account to be gone', async () => (await user.executeTakeFirst()) === undefined, LATEST)
}

/** What belongs to no account. */
const NOBODYS = new Set([
  ...['workers', 'worker_leases', 'machine_figures', 'article_views', 'outbox_readers', 'stat_places', 'telegram_bots'],
  'schedule_clocks',
  // The program makes their rows by itself when a recording is first asked for, which the run does.
  ...['recording_lines', 'recording_chunks', 'recording_parts', 'file_facts'],
  ...['push_keys', 'storage_removals', 'upload_locks', 'users', 'kysely_migration', 'kysely_migration_lock'],
])

async function countRows(db: Db): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const { name } of await db.introspection.getTables()) {
    if (NOBODYS.has(name)) continue
    const count = db.selectFrom(name as 'users').select((eb) => eb.fn.countAll().as('count'))
    counts.set(name, Number((await count.executeTakeFirstOrThrow()).count))
  }
  return counts
}

/** A table that nothing was filled into: a list that grows there would be seen by nobody. */
async function tablesWithoutMore(db: Db, before: ReadonlyMap<string, number>): Promise<string[]> {
  const now = await countRows(db)
  return [...now].filter(([name, count]) => count <= (before.get(name) ?? 0)).map(([name]) => name)
}
