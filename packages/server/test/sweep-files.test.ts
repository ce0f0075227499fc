import { existsSync } from 'node:fs'
import { mkdir, readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLibraryRepo } from '../src/modules/library/library.repo.ts'
import { createReservationsRepo } from '../src/modules/library/reservations.repo.ts'
import { createSweep } from '../src/modules/library/sweep-files.ts'
import { type Db, openSqlite } from '../src/platform/db/database.ts'
import { createLocalStorage } from '../src/platform/storage/local.ts'
import { addUser } from './support/repo-databases.ts'
import { putMigratedSqlite } from './support/shared-servers.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** A name like those that the program gives, for one that a person can read, and back. */
const idOf = (name: string) =>
  `00000000-0000-4000-8000-${Buffer.from(name.slice(0, 6)).toString('hex').padEnd(12, '0')}`
const nameOf = (id: string) =>
  id.replace(/00000000-0000-4000-8000-([\da-f]{12})/, (_, hex) =>
    Buffer.from(hex, 'hex').toString().replaceAll('\0', ''),
  )

describe('[SAFE-03] files that no row knows', () => {
  let folder: TempDir
  let db: Db
  let now: number
  let sweep: () => Promise<void>
  let userId: string

  beforeEach(async () => {
    folder = await tempDir('sweep')
    await putMigratedSqlite(join(folder.path, 'siarin.db'))
    db = openSqlite(join(folder.path, 'siarin.db'))
    userId = await addUser(db)
    now = Date.now()
    sweep = createSweep({
      repo: createLibraryRepo(db),
      reservations: createReservationsRepo(db),
      storage: createLocalStorage(join(folder.path, 'media')),
      recordings: { idsOf: async () => [idOf('recording')] },
      clock: { now: () => now },
      log: pino({ level: 'silent' }),
      isWaiting: (id) => id === `u~${idOf('waits')}`,
      isThere: async (id) => existsSync(join(folder.path, 'resumable', id)),
      uploadDir: join(folder.path, 'uploads'),
      resumableDir: join(folder.path, 'resumable'),
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
  const namesIn = async (path: string) => (await readdir(join(folder.path, path))).map(nameOf).sort()

  const addVideo = (id: string, status: string, createdAt = now) =>
    db
      .insertInto('videos')
      .values({
        id,
        user_id: userId,
        filename: id,
        status,
        content_type: '',
        original_bytes: 0,
        created_at: createdAt,
      })
      .execute()

  const reserve = (id: string, kind: 'tus' | 'multipart', heldUntil: number) =>
    db
      .insertInto('upload_reservations')
      .values({ id, user_id: userId, kind, bytes: 1, held_until: heldUntil })
      .execute()

  it('go a day after they were last touched, unless somebody holds them', async () => {
    await put(`uploads/${idOf('left')}/upload`, 2 * DAY_MS)
    await put(`uploads/${idOf('young')}/upload`, HOUR_MS)
    await put(`uploads/${idOf('held')}/upload`, 2 * DAY_MS)
    await reserve(idOf('held'), 'multipart', now + 1_000)
    await put(`uploads/${idOf('settling')}/upload`, 2 * DAY_MS)
    await addVideo(idOf('settling'), 'processing')
    await put(`resumable/u~${idOf('record')}`, 2 * DAY_MS)
    await put(`resumable/u~${idOf('file')}.json`, 2 * DAY_MS)
    await put(`resumable/u~${idOf('goes')}.json`, 2 * DAY_MS)
    await put(`resumable/u~${idOf('goes')}`, HOUR_MS)
    await put(`resumable/u~${idOf('waits')}`, 2 * DAY_MS)
    await sweep()
    expect(await namesIn('uploads')).toEqual(['held', 'settli', 'young'])
    expect(await namesIn('resumable')).toEqual(['u~goes', 'u~goes.json', 'u~waits'])
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
    await put(`${media}/${idOf('orphan')}/original.mp4`, 9 * DAY_MS)
    await sweep()
    now += DAY_MS + 1
    await sweep()
    // As with the wrong database: no folder has a row.
    expect(await namesIn(media)).toEqual(['orphan'])

    await put(`${media}/${idOf('known')}/original.mp4`, 9 * DAY_MS)
    await put(`${media}/${idOf('recording')}/1.ts`, 9 * DAY_MS)
    await addVideo(idOf('known'), 'ready')
    await sweep()
    now += DAY_MS + 1
    await sweep()
    expect(await namesIn(media)).toEqual(['known', 'record'])
    await put(`${media}/${idOf('another')}/original.mp4`, 9 * DAY_MS)
    await sweep()
    now += DAY_MS / 2
    await sweep()
    expect(await namesIn(media)).toEqual(['anothe', 'known', 'record'])
  })
  it('stay in the media while they are newer than every row: the database may have been put back', async () => {
    const media = join('media', userId)
    await addVideo(idOf('known'), 'ready', now - 9 * DAY_MS)
    await put(`${media}/${idOf('known')}/original.mp4`, 9 * DAY_MS)
    await put(`${media}/${idOf('newer')}/original.mp4`, 2 * DAY_MS)
    await sweep()
    now += DAY_MS + 1
    await sweep()
    expect(await namesIn(media)).toEqual(['known', 'newer'])
  })

  it('stay where they are not named like ours', async () => {
    await addVideo(idOf('known'), 'ready')
    await put(`media/${userId}/${idOf('known')}/original.mp4`, 9 * DAY_MS)
    const foreign = ['media/.snapshots/1/file', 'media/old/2025/file', `media/${userId}/@eaDir/file`]
    foreign.push(`media/old/${idOf('inner')}/file`, 'uploads/by-hand/file', 'resumable/.stfolder')
    for (const path of foreign) await put(path, 9 * DAY_MS)
    await sweep()
    now += DAY_MS + 1
    await sweep()
    const left = await Promise.all(foreign.map((path) => stat(join(folder.path, path)).catch(() => path)))
    expect(left.filter((found) => typeof found === 'string')).toEqual([])
  })
})
