import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, readdir, stat } from 'node:fs/promises'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { json } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { Upload } from '@tus/server'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createLibraryRepo } from '../src/modules/library/library.repo.ts'
import { openMeteredFile } from '../src/modules/library/metered-file.ts'
import { createReservationsRepo } from '../src/modules/library/reservations.repo.ts'
import { TusStore } from '../src/modules/library/resumable/tus-store.ts'
import { createRoom } from '../src/modules/library/room.ts'
import { DATABASES, startProgramOn } from './support/databases.ts'
import { call, signIn, type TestProgram } from './support/program.ts'
import { addUser, REPO_DATABASES } from './support/repo-databases.ts'
import { locationOf, tusOf } from './support/tus.ts'

const MB = 1024 ** 2

describe.each(DATABASES)('[SAFE-03] the room of one user, on $name', ({ open }) => {
  let program: TestProgram

  beforeAll(async () => {
    program = await startProgramOn(open, { STORAGE_LIMIT_GB: '1', DISK_RESERVE_MB: '0' })
  })
  afterAll(() => program.close())

  const reserved = () => program.db.selectFrom('upload_reservations').selectAll().execute()
  const person = async () => {
    const { user } = await signIn(program.url)
    return { apiKey: user.apiKey, tus: tusOf(program.url, user.apiKey) }
  }

  /** A form of so many bytes that has only begun to come. */
  function beginForm(apiKey: string, bytes: number): { sent: ClientRequest; answer: Promise<IncomingMessage> } {
    const sent = request(`${program.url}/fitur/video/upload?apiKey=${apiKey}`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x', 'content-length': bytes },
    })
    const answer = new Promise<IncomingMessage>((resolve, reject) => sent.on('response', resolve).on('error', reject))
    answer.catch(() => {})
    sent.write('--x\r\nContent-Disposition: form-data; name="video"; filename="besar.mp4"\r\n\r\nbytes')
    return { sent, answer }
  }

  it('is given once, however many uploads begin at the same moment', async () => {
    const { tus } = await person()
    const answers = await Promise.all(Array.from({ length: 8 }, () => tus.create(300 * MB)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 507, 507, 507, 507, 507])
  })

  it('is shared by uploads of every kind, and given back when one breaks off', async () => {
    const { apiKey, tus } = await person()
    const before = (await reserved()).length
    const location = locationOf(await tus.create(300 * MB))
    const first = beginForm(apiKey, 600 * MB)
    await waitFor('the room of the first to be reserved', async () => (await reserved()).length === before + 2)
    const { sent, answer } = beginForm(apiKey, 300 * MB)
    const refused = await answer
    expect(refused.statusCode).toBe(507)
    expect(await json(refused)).toMatchObject({ code: 'storage_full' })
    sent.destroy()
    expect((await tus.create(300 * MB)).status).toBe(507)

    first.sent.destroy()
    await waitFor('the room to be given back', async () => (await reserved()).length === before + 1)
    await waitFor('its bytes to go', async () => (await readdir(join(program.dataDir, 'uploads'))).length === 0)
    expect((await tus.remove(location)).status).toBe(204)
    expect(await reserved()).toHaveLength(before)
  })

  it('keeps the record of an upload from its own sender', async () => {
    const { tus } = await person()
    const location = locationOf(await tus.create(100))
    expect((await tus.remove(`${location}.json`)).status).toBe(404)
    expect((await tus.head(location)).status).toBe(200)
    expect((await tus.remove(location)).status).toBe(204)
  })

  it('has ten uploads under way and no more', async () => {
    const { tus } = await person()
    const locations = await Promise.all(Array.from({ length: 10 }, async () => locationOf(await tus.create(100))))
    const refused = await tus.create(100)
    expect(refused.status).toBe(429)
    expect(await refused.json()).toMatchObject({
      code: 'upload_limit_reached',
      message: expect.stringMatching(/^Sudah ada 10 upload yang belum selesai/),
    })
    await tus.remove(locations[0] ?? '')
    expect((await tus.create(100)).status).toBe(201)
  })

  it('has a hundred imports that wait and no more', async () => {
    const { user } = await signIn(program.url)
    const { id } = await program.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', user.email)
      .executeTakeFirstOrThrow()
    const waiting = { user_id: id, status: 'processing', step: 'importing', content_type: '', created_at: 0 } as const
    await program.db
      .insertInto('videos')
      .values(
        Array.from({ length: 100 }, (_, index) => ({
          ...waiting,
          id: `${id}-${index}`,
          filename: `${index}.mp4`,
          original_bytes: 0,
        })),
      )
      .execute()
    const url = 'http://127.0.0.1:1/video.mp4'
    expect(
      await call(program.url, 'POST', '/fitur/video/import', { body: { apiKey: user.apiKey, url } }),
    ).toMatchObject({
      status: 429,
      body: { code: 'upload_limit_reached', message: expect.stringContaining('100 video yang menunggu') },
    })
  })
})

describe.each(REPO_DATABASES)('[SAFE-03] bytes on their way, on $name', ({ open }) => {
  it('lapse with whoever held them, and count meanwhile', async () => {
    const { db, close } = await open()
    const userId = await addUser(db)
    const lookedAtBytes = vi.fn(async () => 0)
    const repo = createReservationsRepo(db, lookedAtBytes)
    const wanted = { userId, kind: 'multipart', limit: 100, mostOpen: 10, mostVideos: 1_000, heldUntil: 1_000 } as const
    expect(await repo.reserve({ ...wanted, id: 'a', atLeast: 60, atMost: 60, now: 0 })).toMatchObject({ bytes: 60 })
    expect(await repo.reserve({ ...wanted, id: 'b', atLeast: 60, atMost: 60, now: 999 })).toMatchObject({ taken: 60 })
    expect(await repo.reserve({ ...wanted, id: 'b', atLeast: 1, atMost: 60, now: 999 })).toMatchObject({ bytes: 40 })
    await repo.hold(['b'], 2_000)
    expect(await repo.reserve({ ...wanted, id: 'c', atLeast: 1, atMost: 99, now: 1_500 })).toMatchObject({ bytes: 60 })
    lookedAtBytes.mockClear()
    const asked = { ...wanted, id: 'd', atLeast: 1, atMost: 99, now: 1_500 }
    expect(await repo.reserve({ ...asked, mostOpen: 1 })).toEqual({ outcome: 'too-many' })
    expect(await repo.reserve({ ...asked, mostVideos: 1 })).toEqual({ outcome: 'too-many-videos' })
    expect(lookedAtBytes).not.toHaveBeenCalled()
    await close()
  })
})

describe('[SAFE-03] a tus request that brings bytes for more than a day', () => {
  it('keeps its room to the end', async () => {
    const { db, close } = await (REPO_DATABASES[0] ?? never()).open()
    let now = Date.now()
    const reservations = createReservationsRepo(db)
    const room = createRoom({
      repo: createLibraryRepo(db),
      reservations,
      clock: { now: () => now },
      log: pino({ level: 'silent' }),
      limitsOf: async () => ({ storageBytes: 100 * MB, maxHeight: 1080, maxFps: 30, makingHours: 6 }),
      roomPlanOf: async () => null,
      dataDir: '/',
      reserveBytes: () => 0,
      freeBytes: async () => 1e12,
    })
    const userId = await addUser(db)
    const reservation = await room.reserve({ id: 'slow', userId, kind: 'tus', bytes: 80 * MB })
    for (let hour = 1; hour <= 60; hour++) {
      now += 3_600_000
      await reservation.admit(hour * MB)
    }
    const other = room.reserve({ id: 'other', userId, kind: 'tus', bytes: 80 * MB })
    await expect(other).rejects.toMatchObject({ code: 'storage_full' })
    expect(await reservations.bytesOf('slow', now)).toBe(80 * MB)
    await close()
  })
})

describe('[SAFE-03] the disk reserve', () => {
  let folder: TempDir
  let database: Awaited<ReturnType<(typeof REPO_DATABASES)[number]['open']>>
  let now = Date.now()

  beforeAll(async () => {
    folder = await tempDir('reserve')
    database = await (REPO_DATABASES[0] ?? never()).open()
  })
  afterAll(async () => {
    await database.close()
    await folder.remove()
  })

  const roomWith = (freeBytes: () => Promise<number>) =>
    createRoom({
      repo: createLibraryRepo(database.db),
      reservations: createReservationsRepo(database.db),
      clock: { now: () => now },
      log: pino({ level: 'silent' }),
      limitsOf: async () => ({ storageBytes: 1e12, maxHeight: 1080, maxFps: 30, makingHours: 6 }),
      roomPlanOf: async () => null,
      dataDir: folder.path,
      reserveBytes: () => 1_000,
      freeBytes,
    })

  it('is looked at again while the bytes come', async () => {
    let looks = 0
    // Somebody else fills the disk.
    const room = roomWith(async () => (looks++ < 3 ? 1e12 : 1_000))
    const coming = { id: 'v', userId: await addUser(database.db), kind: 'multipart', bytes: null } as const
    const reservation = await room.reserve(coming)
    const file = join(folder.path, 'arrival')
    const body = createReadStream('/dev/zero', { end: 400 * MB })
    await expect(pipeline(body, openMeteredFile(file, reservation))).rejects.toMatchObject({ code: 'storage_full' })
    // Once to begin with, at the first byte, after 64 MB, and then no more.
    expect((await stat(file)).size).toBeGreaterThan(120 * MB)
    expect((await stat(file)).size).toBeLessThanOrEqual(129 * MB)
    await reservation.release()
    expect(await database.db.selectFrom('upload_reservations').select('id').execute()).toEqual([])
  })

  /** Somebody who uploads to a disk with room for 12 MB beside the reserve. */
  async function uploader() {
    const directory = await mkdtemp(join(folder.path, 'arrivals-'))
    const sizes = async () => {
      const names = await readdir(directory)
      const found = await Promise.all(names.map(async (name) => (await stat(join(directory, name))).size))
      return found.reduce((sum, size) => sum + size, 0)
    }
    const room = roomWith(async () => 1_000 + 12 * MB - (await sizes()))
    const userId = await addUser(database.db)
    const begin = (bytes: number | null, kind: 'multipart' | 'tus' = 'multipart') =>
      room.reserve({ id: randomUUID(), userId, kind, bytes })
    return { directory, sizes, begin }
  }

  it('is left whole by eight uploads at once of which nobody knows the size', async () => {
    const { directory, sizes, begin } = await uploader()
    const reservations = await Promise.all(Array.from({ length: 8 }, () => begin(null)))
    const outcomes = await Promise.allSettled(
      reservations.map((reservation, index) =>
        pipeline(
          createReadStream('/dev/zero', { end: 8 * MB - 1 }),
          openMeteredFile(join(directory, `${index}`), reservation),
        ),
      ),
    )
    const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []))
    expect(refusals.length).toBeGreaterThanOrEqual(7)
    expect(new Set(refusals)).toEqual(new Set(['storage_full']))
    expect(await sizes()).toBeLessThanOrEqual(12 * MB)
    expect(await sizes()).toBeGreaterThan(9 * MB)
    for (const reservation of reservations) await reservation.release()
  })

  it('is promised once to uploads that begin together, and not to those that rest', async () => {
    const { begin } = await uploader()
    const resting = await begin(12 * MB, 'tus')
    resting.rest()
    const begun = await Promise.allSettled(Array.from({ length: 8 }, () => begin(3 * MB)))
    const granted = begun.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    const refused = begun.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []))
    expect(granted).toHaveLength(4)
    expect(refused).toEqual(['storage_full', 'storage_full', 'storage_full', 'storage_full'])
    await granted[0]?.release()
    await (await begin(3 * MB)).release()
    for (const reservation of [...granted, resting]) await reservation.release()
  })

  /** A disk with room for 12 MB beside the reserve. */
  async function smallDisk() {
    const directory = join(folder.path, `resumable-${randomUUID()}`)
    const userId = await addUser(database.db)
    const id = `${userId}~${randomUUID()}`
    const sizeOf = (path: string) => stat(path).then((found) => found.size)
    const room = roomWith(async () => 1_000 + 12 * MB - (await sizeOf(join(directory, id)).catch(() => 0)))
    const reserve = ({ size = 0, offset }: Upload) =>
      room.reserve({ id, userId, kind: 'tus', bytes: size, arrivedBytes: offset })
    const release = async () => {}
    const isWaiting = () => false
    const isHeld = async () => true
    const using = { reserve, release, isWaiting, isHeld, isVideo: isHeld }
    const store = new TusStore({ directory, expirationPeriodInMilliseconds: 0, ...using })
    await store.create(new Upload({ id, size: 8 * MB, offset: 0 }))
    const send = (offset: number, bytes: number) =>
      store.withBody(Readable.from(Buffer.alloc(bytes)), () => store.write(new Readable({ read() {} }), id, offset))
    return { room, userId, id, send }
  }

  it('is asked for what of a resumable upload is still to come', async () => {
    const { room, userId, id, send } = await smallDisk()
    for (let offset = 0; offset < 8; offset += 2) expect(await send(offset * MB, 2 * MB)).toBe((offset + 2) * MB)
    // Nor does what lies there need its room a second time, however long its sender took.
    now += 2 * 86_400_000
    await room.assertReserved(id, userId, 8 * MB)
  })
})

const never = (): never => {
  throw new Error('there is no database')
}
