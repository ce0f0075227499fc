import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { SessionUser } from '@siarin/contracts/auth'
import { Secret } from '@siarin/media/secret'
import { makeClip } from '@siarin/testkit/clips'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { ffmpegsUnder } from '@siarin/testkit/processes'
import { type StreamlabsService, startStreamlabsService } from '@siarin/testkit/streamlabs-service'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../src/platform/db/database.ts'
import { loadAppSecret } from '../src/platform/secrets/app-secret.ts'
import { createSealer } from '../src/platform/secrets/seal.ts'
import { DATABASES, type TestDatabases } from './support/databases.ts'
import { operatorAt } from './support/operator.ts'
import { call, personWithVideo, signIn, startProgram, type TestProgram } from './support/program.ts'
import { emptyPostgres } from './support/shared-servers.ts'
import { streamCalls } from './support/streams.ts'

type Settings = Record<string, string>

const databaseOf = ({ DATABASE_URL }: Settings, dataDir: string) =>
  openDatabase(DATABASE_URL ? new Secret(DATABASE_URL) : null, dataDir, pino({ level: 'silent' }))

describe.each(DATABASES)('[SAFE-05] a backup that is taken while broadcasts are on air, on $name', ({ name, open }) => {
  let folder: TempDir
  let rtmp: RtmpServer
  let streamlabs: StreamlabsService
  let databases: TestDatabases
  let settings: Settings
  let original: TestProgram
  let copy: TestProgram | undefined
  let dropCopy = async () => {}
  let calls: ReturnType<typeof streamCalls>
  let person: SessionUser
  let newest: Awaited<ReturnType<typeof signIn>>
  let streamId: string
  let ffmpegPid: number | undefined
  let backup: string

  beforeAll(async () => {
    folder = await tempDir('backup-drill')
    backup = join(folder.path, 'backups', 'one')
    const clip = join(folder.path, 'klip.mp4')
    await makeClip(clip, { seconds: 3 })
    ;[rtmp, streamlabs, databases] = await Promise.all([startRtmpServer(), startStreamlabsService(), open()])
    settings = { ...(await databases.settings()), STREAMLABS_API_URL: streamlabs.url }
    original = await startProgram(settings)
    calls = streamCalls(original.url, rtmp)
    person = await personWithVideo(original, clip)
    streamId = (await calls.start(person.apiKey, 'asli', { title: 'Siaran malam' })).body.streamId
    await waitFor('it to be live', async () => (await calls.active(person.apiKey))[0]?.state === 'live')
    await rtmp.waitForPublisher('asli', { growing: true })
    ffmpegPid = (await ffmpegsUnder(original.dataDir))[0]?.pid
    await beginAtTikTok()
  })

  afterAll(async () => {
    await copy?.close()
    await original?.close()
    await dropCopy()
    await databases?.stop()
    await Promise.all([rtmp?.stop(), streamlabs?.dispose(), folder?.remove()])
  })

  /** As if the broadcast's target had been given by TikTok: a program that ends this row there ends the original's broadcast. */
  async function beginAtTikTok(): Promise<void> {
    const db = databaseOf(settings, original.dataDir)
    const sealer = createSealer(await loadAppSecret(null, original.dataDir))
    const stream = await db.selectFrom('streams').selectAll().where('id', '=', streamId).executeTakeFirstOrThrow()
    await db
      .insertInto('platform_broadcasts')
      .values({
        id: 'begun',
        user_id: stream.user_id,
        token_sealed: sealer.seal(new Secret('token')),
        broadcast_id: '7001',
        target_mark: stream.target_mark,
        stream_id: streamId,
        created_at: stream.created_at - 1,
        ended_at: null,
      })
      .execute()
    await db.destroy()
  }

  async function needUntouched(): Promise<void> {
    const [stream] = await calls.active(person.apiKey)
    expect(stream).toMatchObject({ state: 'live', restarts: 0, reconnects: 0 })
    expect((await ffmpegsUnder(original.dataDir)).map(({ pid }) => pid)).toEqual([ffmpegPid])
    await rtmp.waitForPublisher('asli', { growing: true })
    expect(streamlabs.calls('end')).toEqual([])
  }

  it('is whole once it has its name, and disturbs nothing', async () => {
    newest = await signIn(original.url)
    const taken = await operatorAt({ DATA_DIR: original.dataDir, ...settings }).json('backup', backup)
    expect(taken).toMatchObject({ database: { kind: name === 'SQLite' ? 'sqlite' : 'postgres' }, videos: 'included' })
    expect(taken.files).toBeGreaterThan(1)
    expect((await stat(backup)).mode & 0o777).toBe(0o700)
    expect((await stat(join(backup, 'secret'))).mode & 0o777).toBe(0o600)
    expect(await stat(`${backup}.incomplete`).catch(() => null)).toBeNull()
    await needUntouched()
  })

  it('is restored elsewhere with the newest rows, sends nothing, and begins again at the word of its owner', async () => {
    const copyDir = join(folder.path, 'copy')
    const copySettings = { ...settings }
    if (name === 'PostgreSQL') {
      const empty = await emptyPostgres()
      dropCopy = empty.drop
      copySettings['DATABASE_URL'] = empty.url
    }
    const operator = operatorAt({ DATA_DIR: copyDir, ...copySettings })
    expect(await operator.json('restore', backup)).toMatchObject({ restored: copyDir, missing: 0 })
    expect(await operator.run('restore', backup)).toMatchObject({
      code: 1,
      err: expect.stringContaining('is not empty'),
    })

    copy = await startProgram({ ...copySettings, DATA_DIR: copyDir })
    const { user, password } = newest
    expect(await call(copy.url, 'POST', '/auth/login', { body: { email: user.email, password } })).toMatchObject({
      status: 200,
    })
    const copied = streamCalls(copy.url, rtmp)
    expect(await copied.active(person.apiKey)).toEqual([])
    const [ended] = await copied.history(person.apiKey)
    expect(ended).toMatchObject({ streamId, restored: true, ended: 'stopped', title: 'Siaran malam' })
    expect(ended?.reason).toMatch(/^Dipulihkan: siarkan lagi\? /)
    expect(copy.logged()).not.toContain('ffmpeg started')
    const db = databaseOf(copySettings, copyDir)
    expect(await db.selectFrom('platform_broadcasts').select('id').where('ended_at', 'is', null).execute()).toEqual([])
    await db.destroy()
    await needUntouched()

    await calls.stop(person.apiKey, streamId)
    await rtmp.waitForNoPublisher('asli')
    const again = await call(copy.url, 'POST', '/fitur/steam/start', {
      body: { apiKey: person.apiKey, source: 'klip.mp4', platform: 'lain', targetOf: streamId, looping: true },
    })
    expect(again).toMatchObject({ status: 200 })
    await rtmp.waitForPublisher('asli', { growing: true })
  })
})
