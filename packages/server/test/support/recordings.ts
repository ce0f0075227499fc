import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Recording } from '@siarin/contracts/recordings'
import { cachedClip } from '@siarin/testkit/clips'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import type { Insertable } from 'kysely'
import { afterAll, beforeAll } from 'vitest'
import type { Db } from '../../src/platform/db/database.ts'
import type { SentPieceTable } from '../../src/platform/db/tables/recordings.ts'
import type { Timings } from '../../src/platform/timings.ts'
import { addStream, tellStream, wasStopped, wentLive } from './analytics.ts'
import { ENDED } from './analytics-stage.ts'
import type { DATABASES } from './databases.ts'
import { bearer, call, personWithVideo, startProgram, type TestProgram } from './program.ts'

export const HOUR_MS = 3_600_000
export const FPS = 25
export const CLIP_SECONDS = 12.8
const run = promisify(execFile)

export const SOON: Timings['recordings'] = { factsMs: 30, followMs: 50, keepMs: 30, maxMs: 12 * HOUR_MS }

export type NewPiece = Partial<Omit<Insertable<SentPieceTable>, 'ms'>> & { at: number; ms: number | null }

/** The numbers of the frames of a clip, by what they look like. */
export async function framesOf(file: string): Promise<string[]> {
  const args = ['-loglevel', 'error', '-i', file, '-map', '0:V:0', '-fps_mode', 'passthrough', '-f', 'framemd5', '-']
  const { stdout } = await run('ffmpeg', args, { maxBuffer: 64 * 1024 ** 2 })
  return stdout.split('\n').flatMap((line) => (/^\d/.test(line) ? [line.split(',').at(-1)?.trim() ?? ''] : []))
}

export async function lengthOf(file: string): Promise<number> {
  const args = ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', file]
  return Number((await run('ffprobe', args)).stdout)
}

/** A program, and broadcasts whose pieces are written by hand. */
export function recordingStage(
  open: (typeof DATABASES)[number]['open'],
  { env = {}, timings = {} }: { env?: Record<string, string>; timings?: Partial<Timings> } = {},
) {
  let program: TestProgram
  let folder: TempDir
  let clip: string
  let close = async () => {}
  beforeAll(async () => {
    const databases = await open()
    folder = await tempDir('recordings')
    clip = await cachedClip('klip.mp4', { seconds: CLIP_SECONDS, fps: FPS, extraArgs: ['-bf', '2', '-g', '50'] })
    program = await startProgram({ ...(await databases.settings()), ...env }, { recordings: SOON, ...timings })
    close = () => databases.stop()
  })
  afterAll(async () => {
    await program.close()
    await close()
    await folder.remove()
  })

  async function person() {
    const user = await personWithVideo(program, clip)
    const { id } = await program.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', user.email)
      .executeTakeFirstOrThrow()
    const video = await program.db.selectFrom('videos').selectAll().where('user_id', '=', id).executeTakeFirstOrThrow()
    const master = await program.db
      .selectFrom('renditions')
      .selectAll()
      .where('video_id', '=', video.id)
      .executeTakeFirstOrThrow()
    const headers = { 'x-api-key': user.apiKey }
    const ask = (method: string, path: string, body?: object) =>
      call(program.url, method, `/fitur/recording${path}`, { headers, ...(body && { body }) })
    const get = (path: string, more: Record<string, string> = {}) =>
      fetch(`${program.url}/fitur/recording${path}`, { headers: { ...headers, ...more } })
    const list = async (query = ''): Promise<Recording[]> => (await ask('GET', query)).body.recordings
    return { user, id, video, master, headers, ask, get, list }
  }
  type Person = Awaited<ReturnType<typeof person>>

  /** One that is on air as far as its rows tell; nobody keeps it. */
  async function broadcast(owner: Person, startedAt: number, more: { source_kind?: string; record?: number } = {}) {
    const { db } = program
    const id = await addStream(db, owner.id, { ...ENDED, title: 'Lofi malam', created_at: startedAt })
    const { source_kind = 'video', record = 1 } = more
    await db.updateTable('broadcasts').set({ record, source_kind, ended_at: null }).where('id', '=', id).execute()
    return id
  }

  let numbers = 0
  async function send(owner: Person, broadcastId: string, pieces: readonly NewPiece[]): Promise<void> {
    const { master, video } = owner
    const list =
      master.loop ?? JSON.stringify({ seconds: CLIP_SECONDS, startSeconds: 0, outpoint: null, bodySeconds: null })
    for (const piece of pieces) {
      await program.db
        .insertInto('sent_pieces')
        .values({
          ...{ stream_id: broadcastId, number: numbers++, broadcast_id: broadcastId, user_id: owner.id, session: 's1' },
          ...{ reason: null, video_id: video.id, filename: video.filename, key: master.key, tail_key: master.tail_key },
          ...{ list, looping: 1, from_ms: 0, out_from_ms: 0 },
          ...piece,
        })
        .execute()
    }
  }

  const live = (owner: Person, id: string, at: number) => tellStream(program.db, owner.id, id, [wentLive(at)])
  /** `last`: what a keeper writes with the end, so that nobody sees one without the other. */
  async function end(owner: Person, id: string, at: number, last = async (_inside: Db) => {}): Promise<void> {
    await program.db.transaction().execute(async (inside) => {
      await last(inside)
      await inside.updateTable('broadcasts').set({ ended_at: at }).where('id', '=', id).execute()
      await tellStream(inside, owner.id, id, [wasStopped(at)])
    })
  }
  const ready = (owner: Person, broadcastId: string): Promise<Recording> =>
    waitFor('the recording to be ready', async () =>
      (await owner.list(`?broadcastId=${broadcastId}`)).find(({ state }) => state === 'ready'),
    )

  return {
    ...{ person, broadcast, send, live, end, ready },
    /** Two passes and a half, five seconds off air, ten seconds from a key frame on. */
    async recorded() {
      const owner = await person()
      const at = program.clock.now() - HOUR_MS
      const id = await broadcast(owner, at - 1_000)
      await send(owner, id, [
        { at, ms: 32_000 },
        { at: at + 37_000, ms: 10_000, session: 's2', from_ms: 6_000, reason: 'target-closed' },
      ])
      await live(owner, id, at + 2_000)
      await end(owner, id, at + 47_000)
      return { owner, at, id, recording: await ready(owner, id) }
    },
    get program() {
      return program
    },
    get clip() {
      return clip
    },
    async saved(response: Response, name = `${randomUUID()}.bin`): Promise<string> {
      const file = join(folder.path, name)
      await writeFile(file, Buffer.from(await response.arrayBuffer()))
      return file
    },
    rowOf: (id: string) => program.db.selectFrom('recordings').selectAll().where('id', '=', id).executeTakeFirst(),
    bearer,
  }
}
