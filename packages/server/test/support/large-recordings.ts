import { randomUUID } from 'node:crypto'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Recording } from '@siarin/contracts/recordings'
import { Secret } from '@siarin/media/secret'
import { cachedClip } from '@siarin/testkit/clips'
import { loopProbe } from '@siarin/testkit/loop-probe'
import { type Siarin, startSiarin } from '@siarin/testkit/siarin-server'
import { waitFor } from '@siarin/testkit/wait-for'
import type { Insertable } from 'kysely'
import { pino } from 'pino'
import { type Db, openDatabase } from '../../src/platform/db/database.ts'
import type { SentPieceTable } from '../../src/platform/db/tables/recordings.ts'
import { addStream, tellStream, wasStopped, wentLive } from './analytics.ts'
import { ENDED } from './analytics-stage.ts'
import type { DATABASES } from './databases.ts'
import { call, personWithVideo } from './program.ts'

const CLIP_SECONDS = 24
const ROWS_AT_ONCE = 200

export type NewPiece = Pick<SentPieceTable, 'at' | 'ms'> & Partial<Insertable<SentPieceTable>>

/** A program as operators run it, whose event loop is watched from inside, and recordings whose pieces are written by hand. */
export async function largeStage(open: (typeof DATABASES)[number]['open']) {
  const databases = await open()
  const settings: Record<string, string> = await databases.settings()
  const probe = loopProbe(join('/tmp', `loop-probe-${randomUUID()}`))
  const siarin: Siarin = await startSiarin({ env: { ...settings, ...probe.env }, flags: probe.flags, givesWay: true })
  const url = settings['DATABASE_URL']
  const db: Db = openDatabase(url ? new Secret(url) : null, siarin.dataDir, pino({ level: 'silent' }))
  const clip = await cachedClip('panjang.mp4', { seconds: CLIP_SECONDS, extraArgs: ['-g', '50'] })
  const user = await personWithVideo(siarin, clip)
  const headers = { 'x-api-key': user.apiKey }
  const { id: userId } = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', user.email)
    .executeTakeFirstOrThrow()
  const video = await db.selectFrom('videos').selectAll().where('user_id', '=', userId).executeTakeFirstOrThrow()
  const master = await db
    .selectFrom('renditions')
    .selectAll()
    .where('video_id', '=', video.id)
    .executeTakeFirstOrThrow()
  const list =
    master.loop ?? JSON.stringify({ seconds: CLIP_SECONDS, startSeconds: 0, outpoint: null, bodySeconds: null })

  /** A broadcast to so many targets that is on air as far as its rows tell; nobody keeps it. */
  async function broadcast(targets: number, startedAt: number): Promise<string[]> {
    const id = await addStream(db, userId, { ...ENDED, title: 'Lofi malam', created_at: startedAt })
    await db
      .updateTable('broadcasts')
      .set({ record: 1, source_kind: 'video', ended_at: null })
      .where('id', '=', id)
      .execute()
    const first = await db.selectFrom('streams').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const ids = [id]
    for (let target = 1; target < targets; target++) {
      const own = { id: randomUUID(), slot: first.slot + target, target_mark: randomUUID() }
      await db
        .insertInto('streams')
        .values({ ...first, ...own })
        .execute()
      ids.push(own.id)
    }
    return ids
  }

  async function send(broadcastId: string, streamId: string, pieces: readonly NewPiece[]): Promise<void> {
    const usual = {
      ...{ stream_id: streamId, broadcast_id: broadcastId, user_id: userId, session: 's1', reason: null },
      ...{ video_id: video.id, filename: video.filename, key: master.key, tail_key: master.tail_key },
      ...{ list, looping: 1, from_ms: 0, out_from_ms: 0 },
    }
    for (let from = 0; from < pieces.length; from += ROWS_AT_ONCE) {
      const rows = pieces
        .slice(from, from + ROWS_AT_ONCE)
        .map((piece, index) => ({ ...usual, number: from + index, ...piece }))
      await db.insertInto('sent_pieces').values(rows).execute()
    }
  }

  return {
    ...{ siarin, db, headers, master, broadcast, send },
    get: (path: string, signal?: AbortSignal, more: Record<string, string> = {}) =>
      fetch(`${siarin.url}/fitur/recording${path}`, { headers: { ...headers, ...more }, ...(signal && { signal }) }),
    recordings: async (): Promise<[Recording, ...Recording[]]> =>
      (await call(siarin.url, 'GET', '/fitur/recording', { headers })).body.recordings,
    /** Another file of the same content, under a key of its own. */
    async copyOfMaster(name: string): Promise<string> {
      const key = master.key.replace(/[^/]+$/, name)
      const folder = join(siarin.dataDir, 'media')
      await copyFile(join(folder, master.key), join(folder, key))
      return key
    },
    live: (id: string, at: number) => tellStream(db, userId, id, [wentLive(at)]),
    async end(id: string, at: number): Promise<void> {
      await db.updateTable('broadcasts').set({ ended_at: at }).where('id', '=', id).execute()
      await tellStream(db, userId, id, [wasStopped(at)])
    },
    recordingOf: (id: string, state: Recording['state']): Promise<Recording> =>
      waitFor(
        `the recording to be ${state}`,
        async () => {
          const { body } = await call(siarin.url, 'GET', `/fitur/recording?broadcastId=${id}`, { headers })
          return (body.recordings as Recording[] | undefined)?.find((one) => one.state === state)
        },
        { timeoutMs: 300_000 },
      ),
    /** What held its event loop for longest since the last call. */
    look: probe.look,
    async close(): Promise<void> {
      await db.destroy()
      await siarin.dispose()
      await databases.stop()
    },
  }
}
