import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLibraryRepo } from '../src/modules/library/library.repo.ts'
import { createReservationsRepo } from '../src/modules/library/reservations.repo.ts'
import { createSweep } from '../src/modules/library/sweep-files.ts'
import { type Db, migrate, openSqlite } from '../src/platform/db/database.ts'
import { addUser } from './support/repo-databases.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

describe('[SAFE-03] files that no row knows', () => {
  let folder: TempDir
  let db: Db
  let now: number
  let sweep: () => Promise<void>
  let userId: string

  beforeEach(async () => {
    folder = await tempDir('sweep')
    db = openSqlite(join(folder.path, 'siarin.db'))
    await migrate(db)
    userId = await addUser(db)
    now = Date.now()
    sweep = createSweep({
      repo: createLibraryRepo(db),
      reservations: createReservationsRepo(db),
      clock: { now: () => now },
      log: pino({ level: 'silent' }),
      isWaiting: (id) => id === 'u~waits',
      uploadDir: join(folder.path, 'uploads'),
      resumableDir: join(folder.path, 'resumable'),
      mediaDir: join(folder.path, 'media'),
    })
  })
  afterEach(async () => {
    await db.destroy()
    await folder.remove()
  })

  /** With its folder as old as itself. */
  async function put(path: string, ageMs: number): Promise<void> {
    const file = join(folder.path, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, 'bytes')
    for (const each of [file, dirname(file)]) await utimes(each, (now - ageMs) / 1000, (now - ageMs) / 1000)
  }
  const namesIn = async (path: string) => (await readdir(join(folder.path, path))).sort()

  const addVideo = (id: string, status: string) =>
    db
      .insertInto('videos')
      .values({
        id,
        user_id: userId,
        filename: id,
        status,
        content_type: '',
        original_bytes: 0,
        master_bytes: 0,
        created_at: 0,
      })
      .execute()

  const reserve = (id: string, kind: 'tus' | 'multipart', heldUntil: number) =>
    db
      .insertInto('upload_reservations')
      .values({ id, user_id: userId, kind, bytes: 1, held_until: heldUntil })
      .execute()

  it('go a day after they were last touched, unless somebody holds them', async () => {
    await put('uploads/left/upload', 2 * DAY_MS)
    await put('uploads/young/upload', HOUR_MS)
    await put('uploads/held/upload', 2 * DAY_MS)
    await reserve('held', 'multipart', now + 1_000)
    await put('uploads/settling/upload', 2 * DAY_MS)
    await addVideo('settling', 'processing')
    await put('resumable/u~without-record', 2 * DAY_MS)
    await put('resumable/u~without-file.json', 2 * DAY_MS)
    await put('resumable/u~goes-on.json', 2 * DAY_MS)
    await put('resumable/u~goes-on', HOUR_MS)
    await put('resumable/u~waits', 2 * DAY_MS)
    await sweep()
    expect(await namesIn('uploads')).toEqual(['held', 'settling', 'young'])
    expect(await namesIn('resumable')).toEqual(['u~goes-on', 'u~goes-on.json', 'u~waits'])
  })

  it('give back the room of a tus upload whose file was never made', async () => {
    await put('resumable/u~there', HOUR_MS)
    await reserve('u~there', 'tus', now + DAY_MS - HOUR_MS)
    await reserve('u~nowhere', 'tus', now + DAY_MS - HOUR_MS)
    await reserve('u~just-begun', 'tus', now + DAY_MS)
    await reserve('lapsed', 'multipart', now - 1)
    await sweep()
    const rows = await db.selectFrom('upload_reservations').select('id').orderBy('id').execute()
    expect(rows.map(({ id }) => id)).toEqual(['u~just-begun', 'u~there'])
  })

  it('go from the media once they have been without a row for a day, and while others have one', async () => {
    const media = join('media', userId)
    await put(`${media}/orphan/original.mp4`, 9 * DAY_MS)
    await sweep()
    now += DAY_MS + 1
    await sweep()
    // As with the wrong database: no folder has a row.
    expect(await namesIn(media)).toEqual(['orphan'])

    await put(`${media}/known/original.mp4`, 9 * DAY_MS)
    await addVideo('known', 'ready')
    await sweep()
    expect(await namesIn(media)).toEqual(['known'])
    await put(`${media}/another/original.mp4`, 9 * DAY_MS)
    await sweep()
    now += DAY_MS / 2
    await sweep()
    expect(await namesIn(media)).toEqual(['another', 'known'])
  })
})
