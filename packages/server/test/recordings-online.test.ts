import { execFile } from 'node:child_process'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import type { Video } from '@siarin/contracts/videos'
import { cachedClip } from '@siarin/testkit/clips'
import { waitFor } from '@siarin/testkit/wait-for'
import { describe, expect, it } from 'vitest'
import { recordingIdOf } from '../src/modules/recordings/recording-ids.ts'
import { addStream, tellStream, wasStopped, wentLive } from './support/analytics.ts'
import { ENDED } from './support/analytics-stage.ts'
import { DATABASES, SQLITE } from './support/databases.ts'
import { call, startProgram } from './support/program.ts'
import { FPS, framesOf, HOUR_MS, lengthOf, recordingStage, SOON } from './support/recordings.ts'
import { addUser } from './support/repo-databases.ts'
import { freshRedis, migratedPostgres } from './support/shared-servers.ts'

const run = promisify(execFile)

/** As a recorder writes them: pieces of MPEG-TS, each session with a clock of its own. */
async function writtenOn(stage: ReturnType<typeof recordingStage>, clips: readonly string[]) {
  const owner = await stage.person()
  const at = stage.program.clock.now() - HOUR_MS
  const broadcastId = await stage.broadcast(owner, at, { source_kind: 'hls' })
  await stage.live(owner, broadcastId, at)
  const id = recordingIdOf(broadcastId, 1)
  await waitFor('it to begin', async () => (await stage.rowOf(id)) !== undefined)
  const folder = join(stage.program.dataDir, 'media', owner.id, id)
  await mkdir(folder, { recursive: true })
  let number = 0
  for (const [session, clip] of clips.entries()) {
    const pattern = join(folder, `s${session}-%d.ts`)
    await run('ffmpeg', [
      ...['-loglevel', 'error', '-i', clip, '-c', 'copy', '-f', 'segment', '-segment_time', '4'],
      ...['-segment_format', 'mpegts', pattern],
    ])
    const names = (await readdir(folder)).filter((name) => name.startsWith(`s${session}-`)).sort()
    for (const name of names) {
      const file = join(folder, name)
      const ms = Math.round((await lengthOf(file)) * 1000)
      const { size: bytes } = await stat(file)
      const row = { recording_id: id, number, session: `s${session}`, at: at + number * 4_000, ms, bytes }
      await stage.program.db
        .insertInto('recording_files')
        .values({ ...row, key: `${owner.id}/${id}/${name}` })
        .execute()
      number++
    }
  }
  await stage.end(owner, broadcastId, at + number * 4_000)
  return { owner, recording: await stage.ready(owner, broadcastId), files: number }
}

describe.each(DATABASES)('[REC-01] recordings of online sources on $name', ({ open, name }) => {
  const stage = recordingStage(open)

  it('[REC-02] are played, had and shown as they were written, and take room', async () => {
    const { owner, recording, files } = await writtenOn(stage, [stage.clip, stage.clip])
    expect(recording).toMatchObject({ online: true, interruptions: 1, hasPicture: true })
    const path = `/${recording.recordingId}`
    const frames = await framesOf(stage.clip)
    const text = await (await owner.get(`${path}/index.m3u8`)).text()
    expect(text.match(/#EXTINF/g)).toHaveLength(files)
    expect(text.match(/#EXT-X-DISCONTINUITY\n/g)).toHaveLength(1)
    const sent: string[] = []
    for (let number = 0; number < files; number++) {
      sent.push(...(await framesOf(await stage.saved(await owner.get(`${path}/segment/${number}.ts`)))))
    }
    expect(sent).toEqual([...frames, ...frames])

    const response = await owner.get(`${path}/file`)
    expect(response.headers.get('content-type')).toBe('video/mp4')
    const file = await stage.saved(response, 'online.mp4')
    expect(await framesOf(file)).toEqual([...frames, ...frames])
    const part = await framesOf(await stage.saved(await owner.get(`${path}/file?from=0&to=5`), 'part.mp4'))
    expect(Math.abs(part.length - 5 * FPS)).toBeLessThanOrEqual(4)

    for (let times = 0; times < 2; times++) {
      const picture = await owner.get(`${path}/picture`)
      expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
      expect((await picture.arrayBuffer()).byteLength).toBeGreaterThan(500)
    }

    const used = async () =>
      (await call(stage.program.url, 'GET', '/fitur/video', { headers: owner.headers })).body.storage.used
    const before = await used()
    expect(before).toBe(Number(owner.video.original_bytes) + recording.size)
    await owner.ask('DELETE', path)
    expect(await used()).toBe(before - recording.size)
    const folder = join(stage.program.dataDir, 'media', owner.id, recording.recordingId)
    expect(await stat(folder).catch(() => null)).toBeNull()
  })

  // What becomes of their files is the same on each database.
  if (name !== SQLITE.name) return

  it('[REC-02] whose last file is gone are never had as if that were all', async () => {
    const { owner, recording, files } = await writtenOn(stage, [stage.clip])
    const last = join(stage.program.dataDir, 'media', owner.id, recording.recordingId, `s0-${files - 1}.ts`)
    expect(files).toBeGreaterThan(1)
    const path = `/${recording.recordingId}/file`
    await rm(last)
    expect(await bytesHad(owner, path)).toBeNull()
    // What needs no more than the first is had, and no place is taken for long.
    expect(await bytesHad(owner, `${path}?to=1`)).toBeGreaterThan(1_000)
    const made = await owner.ask('POST', `/${recording.recordingId}/video`, { filename: 'Salinan' })
    expect(made.status).toBe(200)
    const madeVideo = async () => {
      const { body } = await call(stage.program.url, 'GET', '/fitur/video', { headers: owner.headers })
      return body.data.find(({ filename, status }: Video) => filename === 'Salinan.mp4' && status !== 'processing')
    }
    const { status, reason } = await waitFor('the video to fail', madeVideo)
    expect([status, reason]).toEqual(['failed', VIDEO_TEXTS.recordingGone])
  })

  it('[REC-02] that changed their picture are had as MPEG-TS', async () => {
    const other = await cachedClip('lain.mp4', { seconds: 4, width: 640, height: 360, fps: FPS })
    const { owner, recording } = await writtenOn(stage, [stage.clip, other])
    const response = await owner.get(`/${recording.recordingId}/file`)
    expect(response.headers.get('content-type')).toBe('video/mp2t')
    expect((await response.arrayBuffer()).byteLength).toBe(recording.size)
  })
})

/** Null: it was refused, or broke off. */
async function bytesHad(owner: { get(path: string): Promise<Response> }, path: string): Promise<number | null> {
  const response = await owner.get(path)
  if (!response.ok) return null
  return response.arrayBuffer().then(
    ({ byteLength }) => byteLength,
    () => null,
  )
}

describe('[REC-04] two programs on one PostgreSQL', () => {
  it('begin, split and end each recording once', async () => {
    const database = await migratedPostgres()
    const shared = {
      ...{ DATABASE_URL: database.url, REDIS_URL: await freshRedis() },
      APP_SECRET: 'satu rahasia untuk dua program',
    }
    const programs = [
      await startProgram(shared, { recordings: SOON }),
      await startProgram(shared, { recordings: SOON }),
    ] as const
    const { db, clock } = programs[0]
    try {
      const userId = await addUser(db)
      const at = clock.now() - 40 * HOUR_MS
      const ids: string[] = []
      for (let count = 0; count < 5; count++) {
        const id = await addStream(db, userId, { ...ENDED, created_at: at })
        ids.push(id)
        await db
          .updateTable('broadcasts')
          .set({ record: 1, ended_at: at + 30 * HOUR_MS })
          .where('id', '=', id)
          .execute()
        const list = JSON.stringify({ seconds: 10, startSeconds: 0, outpoint: null, bodySeconds: null })
        await db
          .insertInto('sent_pieces')
          .values({
            ...{ stream_id: id, number: 0, broadcast_id: id, user_id: userId, at, session: 's', reason: null },
            ...{ video_id: 'v', filename: 'v.mp4', key: 'k/k', tail_key: null, list, looping: 1 },
            ...{ from_ms: 0, out_from_ms: 0, ms: 30 * HOUR_MS },
          })
          .execute()
        await tellStream(db, userId, id, [wentLive(at), wasStopped(at + 30 * HOUR_MS)])
      }
      const rows = () => db.selectFrom('recordings').selectAll().orderBy('broadcast_id').orderBy('number').execute()
      await waitFor('all to end', async () => (await rows()).filter(({ to_at }) => to_at !== null).length === 15)
      await new Promise((resolve) => setTimeout(resolve, 300))
      const found = await rows()
      expect(found).toHaveLength(15)
      for (const id of ids) {
        const own = found.filter(({ broadcast_id }) => broadcast_id === id)
        expect(own.map(({ number, from_at, ms }) => [number, from_at - at, ms])).toEqual([
          [1, 0, 12 * HOUR_MS],
          [2, 12 * HOUR_MS, 12 * HOUR_MS],
          [3, 24 * HOUR_MS, 6 * HOUR_MS],
        ])
      }
      const facts = await db.selectFrom('outbox').select('id').where('fact', '=', 'recording.ready').execute()
      expect(facts).toHaveLength(15)
    } finally {
      for (const program of programs) await program.close()
      await database.drop()
    }
  })
})
