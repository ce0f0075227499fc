import { existsSync } from 'node:fs'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createIntake } from '../src/modules/library/intake.ts'
import { createLibraryRepo } from '../src/modules/library/library.repo.ts'
import { blankVideo } from '../src/modules/library/new-videos.ts'
import { createRecovery } from '../src/modules/library/recover-library.ts'
import { systemClock } from '../src/platform/clock.ts'
import { type Db, openSqlite } from '../src/platform/db/database.ts'
import { createLocalStorage } from '../src/platform/storage/local.ts'
import type { Storage } from '../src/platform/storage/storage.ts'
import { addUser } from './support/repo-databases.ts'
import { putMigratedSqlite } from './support/shared-servers.ts'

const DAY_MS = 86_400_000
/** The machine may have other work. */
const PATIENT = { timeout: 20_000 }
const VIDEO = '3b1c2a90-8f0e-4d2e-9d57-6a1c1d0e9f22'
const OTHER = '5d1c2a90-8f0e-4d2e-9d57-6a1c1d0e9f23'

let folder: TempDir
let db: Db
let added: string[]
let uploadDir: string
beforeEach(async () => {
  folder = await tempDir('recover')
  await putMigratedSqlite(join(folder.path, 'siarin.db'))
  db = openSqlite(join(folder.path, 'siarin.db'))
  added = []
  uploadDir = join(folder.path, 'uploads')
})
afterEach(async () => {
  await db.destroy()
  await folder.remove()
})

/** The row of a video that has arrived; its key. */
async function addRow(id = VIDEO, filename = 'klip.mp4'): Promise<string> {
  const userId = await addUser(db)
  const key = `${userId}/${id}/original.mp4`
  const row = { ...blankVideo(id, userId, Date.now() - 1), filename, original_key: key, original_bytes: 5 }
  await db.insertInto('videos').values(row).execute()
  return key
}

const arrivalOf = (id: string) => join(uploadDir, id, 'upload')

async function addArrival(id = VIDEO): Promise<void> {
  await mkdir(join(uploadDir, id), { recursive: true })
  await writeFile(arrivalOf(id), 'bytes')
}

const idsThere = async () => (await db.selectFrom('videos').select('id').execute()).map(({ id }) => id)

function recovering({
  storage = {},
  hasOwnFolder = false,
}: {
  storage?: Partial<Storage>
  hasOwnFolder?: boolean
} = {}) {
  const local = createLocalStorage(join(folder.path, 'media'))
  const uploads = new Set<string>()
  const lines: string[] = []
  /** Resolves once all videos have been read. */
  const isRead = Promise.withResolvers<void>()
  const repo = createLibraryRepo(db)
  const deps = {
    storage: { ...local, ...storage },
    queue: { add: async (kind: string) => void added.push(kind) } as never,
    ...{ clock: systemClock, uploadDir },
    repo: {
      ...repo,
      async unfinished(...asked: Parameters<typeof repo.unfinished>) {
        const some = await repo.unfinished(...asked)
        if (some.length === 0) isRead.resolve()
        return some
      },
    },
  }
  const intake = createIntake({ ...deps, room: {} as never, inspect: {} as never })
  const recovery = createRecovery({
    ...{ ...deps, intake, hasOwnFolder },
    orders: { openOwners: async () => [] },
    isAmongUploads: async ({ id }) => uploads.has(id),
    leaveEnded: async () => {},
    log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
  })
  return { recovery, intake, local, uploads, lines, isRead: isRead.promise, repo }
}

describe('[MANY-01] a file that arrived here and that a crash kept from the store', () => {
  it('is taken up by the next start, where no other machine sees this folder', async () => {
    const key = await addRow()
    await addArrival()
    const local = createLocalStorage(join(folder.path, 'media'))
    const put: Storage['put'] = async (to, file, options) => {
      added.push(`put ${JSON.stringify(options)}`)
      await local.put(to, file)
    }
    const { recovery } = recovering({ hasOwnFolder: true, storage: { put } })
    await recovery.begin(DAY_MS)
    expect(existsSync(arrivalOf(VIDEO))).toBe(true)
    recovery.start()
    await waitFor('its job', async () => added.length > 1)
    expect(await local.head(key)).toMatchObject({ bytes: 5 })
    // It is prepared next, and may be what is played.
    expect(added).toEqual(['put {"isPlayed":true}', 'prepare-video'])
    await recovery.stop()
    expect(existsSync(arrivalOf(VIDEO))).toBe(false)
  })

  it('is left to whoever is at it for a day, where others do', async () => {
    const key = await addRow()
    await addArrival()
    const { recovery, local, isRead } = recovering()
    await recovery.begin(DAY_MS)
    recovery.start()
    await isRead
    await recovery.stop()
    expect([await local.head(key), existsSync(arrivalOf(VIDEO)), added]).toEqual([null, true, []])
  })

  it('is tried again for as long as the program runs, and holds up no other', async () => {
    const [broken, key] = [await addRow(), await addRow(OTHER, 'lain.mp4')]
    await addArrival()
    await addArrival(OTHER)
    let isBroken = true
    const local = createLocalStorage(join(folder.path, 'media'))
    const head = async (asked: string) => {
      if (asked === broken && isBroken) throw new Error('the store is away')
      return local.head(asked)
    }
    const { recovery, lines } = recovering({ storage: { head } })
    await recovery.begin(0)
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      recovery.start()
      await vi.waitFor(async () => expect(await local.head(key)).toMatchObject({ bytes: 5 }), PATIENT)
      expect(lines.filter((line) => line.includes('the store is away'))).toHaveLength(1)
      expect(existsSync(arrivalOf(VIDEO))).toBe(true)
      isBroken = false
      // The round that failed may still go on, and the wait begins at its end.
      await vi.waitFor(async () => {
        await vi.advanceTimersByTimeAsync(301_000)
        expect(await local.head(broken)).toMatchObject({ bytes: 5 })
      }, PATIENT)
    } finally {
      vi.useRealTimers()
      await recovery.stop()
    }
  })
})

describe('[SAFE-03] what a crash left of the library', () => {
  it('keeps neither a start nor an end waiting for a store that does not answer; the jobs are there all the same', async () => {
    await addRow()
    const asked: string[] = []
    const head = (key: string) => {
      asked.push(key)
      return new Promise<never>(() => {})
    }
    const { recovery } = recovering({ storage: { head } })
    await recovery.begin(0)
    expect(asked).toEqual([])
    recovery.start()
    await waitFor('the store to be asked', async () => asked.length > 0)
    expect(added).toEqual(['prepare-video'])
    await recovery.stop()
    expect(await idsThere()).toEqual([VIDEO])
  })

  it('goes at once where it is nobody’s, and stays where its row waits for it', async () => {
    await addRow()
    for (const id of [VIDEO, OTHER]) {
      await addArrival(id)
      await utimes(join(uploadDir, id), new Date(0), new Date(0))
    }
    await recovering().recovery.begin(0)
    expect(await readdir(uploadDir)).toEqual([VIDEO])
  })

  it('is removed where its file is nowhere, but not while its upload is being finished or waits for that', async () => {
    await addRow()
    await addRow(OTHER, 'lain.mp4')
    await addArrival(OTHER)
    // One after the other: once the second one has its job, the first one has been looked at.
    const jobs = (count: number) => waitFor(`${count} jobs`, async () => added.length === count)
    const away = recovering()
    away.uploads.add(VIDEO)
    await away.recovery.begin(0)
    away.recovery.start()
    await jobs(3)
    await away.recovery.stop()
    expect(await idsThere()).toContain(VIDEO)

    const moved = Promise.withResolvers<void>()
    const under = recovering({ storage: { put: () => moved.promise } })
    await under.recovery.begin(0)
    const video = await under.repo.byId(VIDEO)
    if (!video) throw new Error('the row has gone')
    const settled = under.intake.settle(video)
    under.recovery.start()
    await jobs(6)
    await under.recovery.stop()
    expect(await idsThere()).toContain(VIDEO)
    moved.resolve()
    await settled

    const last = recovering()
    await last.recovery.begin(0)
    last.recovery.start()
    await waitFor('its row to go', async () => (await idsThere()).length === 1)
    await last.recovery.stop()
    expect(await idsThere()).toEqual([OTHER])
  })
})
