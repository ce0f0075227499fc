import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createIntake } from '../src/modules/library/intake.ts'
import { createLibraryRepo } from '../src/modules/library/library.repo.ts'
import { blankVideo } from '../src/modules/library/new-videos.ts'
import { createRecovery } from '../src/modules/library/recover-library.ts'
import { systemClock } from '../src/platform/clock.ts'
import { type Db, openSqlite } from '../src/platform/db/database.ts'
import { createLocalStorage } from '../src/platform/storage/local.ts'
import { addUser } from './support/repo-databases.ts'
import { putMigratedSqlite } from './support/shared-servers.ts'

const DAY_MS = 86_400_000
const VIDEO = '3b1c2a90-8f0e-4d2e-9d57-6a1c1d0e9f22'

describe('[MANY-01] a file that arrived here and that a crash kept from the store', () => {
  let folder: TempDir
  let db: Db
  let added: string[]
  beforeEach(async () => {
    folder = await tempDir('recover')
    await putMigratedSqlite(join(folder.path, 'siarin.db'))
    db = openSqlite(join(folder.path, 'siarin.db'))
    added = []
  })
  afterEach(async () => {
    await db.destroy()
    await folder.remove()
  })

  async function arrived(hasOwnFolder: boolean) {
    const userId = await addUser(db)
    const key = `${userId}/${VIDEO}/original.mp4`
    const row = { ...blankVideo(VIDEO, userId, Date.now()), filename: 'klip.mp4', original_key: key, original_bytes: 5 }
    await db.insertInto('videos').values(row).execute()
    const uploadDir = join(folder.path, 'uploads')
    await mkdir(join(uploadDir, VIDEO), { recursive: true })
    await writeFile(join(uploadDir, VIDEO, 'upload'), 'bytes')
    const local = createLocalStorage(join(folder.path, 'media'))
    const storage: typeof local = {
      ...local,
      async put(key, file, options) {
        added.push(`put ${JSON.stringify(options)}`)
        await local.put(key, file)
      },
    }
    const queue = { add: async (kind: string) => void added.push(kind) }
    const deps = { repo: createLibraryRepo(db), storage, queue: queue as never, clock: systemClock, uploadDir }
    const intake = createIntake({ ...deps, room: {} as never, inspect: {} as never })
    const orders = { openOwners: async () => [] }
    const parts = { orders, intake, hasOwnFolder, log: pino({ level: 'silent' }), leaveEnded: async () => {} }
    await createRecovery({ ...deps, ...parts })(DAY_MS)
    return { stored: await storage.head(key), isHere: existsSync(join(uploadDir, VIDEO, 'upload')) }
  }

  it('is taken up at the next start, where no other machine sees this folder', async () => {
    expect(await arrived(true)).toEqual({ stored: expect.objectContaining({ bytes: 5 }), isHere: false })
    // It is prepared next, and may be what is played.
    expect(added).toEqual(['put {"isPlayed":true}', 'prepare-video'])
  })

  it('is left to whoever is at it for a day, where others do', async () => {
    expect(await arrived(false)).toEqual({ stored: null, isHere: true })
    expect(added).toEqual([])
  })
})
