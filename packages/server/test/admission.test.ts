import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { makeClip } from '@siarin/testkit/clips'
import { type Publisher, type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { type FoundProcess, ffmpegsUnder } from '@siarin/testkit/processes'
import { startSiarin } from '@siarin/testkit/siarin-server'
import { tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { isWholeRun } from '@siarin/testkit/whole-run'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { call, personWithVideo, startProgram, type TestProgram } from './support/program.ts'
import { freshRedis, migratedPostgres } from './support/shared-servers.ts'

let rtmp: RtmpServer
let folder: Awaited<ReturnType<typeof tempDir>>
let clip: string

beforeAll(async () => {
  folder = await tempDir('admission')
  clip = join(folder.path, 'klip.mp4')
  await makeClip(clip, { seconds: 3 })
  rtmp = await startRtmpServer()
})

afterAll(async () => {
  await rtmp.stop()
  await folder.remove()
})

const go = (url: string, apiKey: string, key: string) =>
  call(url, 'POST', '/fitur/steam/start', {
    body: { apiKey, source: 'klip.mp4', platform: 'lain', rtmpStream: `${rtmp.url}/${key}`, looping: true },
  })

const full = (words: string) => ({ status: 503, body: { success: false, code: 'server_full', message: words } })
const PLACES = 'Server penuh: belum ada tempat untuk siaran baru. Coba lagi nanti.'
const MEMORY =
  'Server penuh: memorinya tidak cukup untuk siaran baru. Yang sudah tayang tetap jalan. Coba lagi beberapa menit lagi.'
const CPU =
  'Server penuh: CPU-nya terlalu sibuk untuk siaran baru. Yang sudah tayang tetap jalan. Coba lagi beberapa menit lagi.'

const UNUSED: os.CpuInfo = { model: '', speed: 0, times: { user: 0, nice: 0, sys: 0, idle: 1, irq: 0 } }

describe('a new stream is refused at once, while what is on air goes on,', () => {
  let program: TestProgram
  let apiKey: string
  let session: Publisher
  let before: FoundProcess[]

  beforeAll(async () => {
    // Idle until a test makes it busy, whatever else this machine does.
    vi.spyOn(os, 'cpus').mockReturnValue([UNUSED])
    syncBuiltinESMExports()
    program = await startProgram({ MAX_STREAMS_PER_WORKER: '2', MAX_CPU_PERCENT: '5' })
    apiKey = (await personWithVideo(program, clip)).apiKey
    expect((await go(program.url, apiKey, 'on-air')).status).toBe(200)
    session = await rtmp.waitForPublisher('on-air', { growing: true })
    before = await ffmpegsUnder(program.dataDir)
  })
  afterAll(() => program.close())

  const expectOnAir = async () => {
    expect((await rtmp.waitForPublisher('on-air', { growing: true })).id).toBe(session.id)
    expect(await ffmpegsUnder(program.dataDir)).toEqual(expect.arrayContaining(before))
  }
  const active = async () => (await call(program.url, 'GET', `/fitur/steam/active?apiKey=${apiKey}`)).body.streams

  it('when there are as many as the server takes', async () => {
    const { status, body } = await go(program.url, apiKey, 'full-two')
    expect(status).toBe(200)
    expect(await go(program.url, apiKey, 'full-three')).toMatchObject(full(PLACES))
    // A second press is told that the first one worked.
    expect(await go(program.url, apiKey, 'full-two')).toMatchObject({ status: 409, body: { code: 'target_in_use' } })
    expect(await active()).toHaveLength(2)
    await expectOnAir()
    await call(program.url, 'POST', '/fitur/steam/stop', { body: { apiKey, ...body } })
    await waitFor('one to be left', async () => (await active()).length === 1)
  })

  it('when memory is short', async () => {
    const memory = vi.spyOn(process, 'availableMemory').mockReturnValue(100 * 1024 * 1024)
    expect(await go(program.url, apiKey, 'memory')).toMatchObject(full(MEMORY))
    expect(await active()).toHaveLength(1)
    await expectOnAir()
    memory.mockRestore()
  })

  it('when the processor is busy', async () => {
    vi.restoreAllMocks()
    syncBuiltinESMExports()
    const busy = new Worker('for (;;) {}', { eval: true })
    const refused = await waitFor(
      'a start to be refused',
      async () => {
        const { status, body } = await go(program.url, apiKey, `busy-${crypto.randomUUID()}`)
        if (status !== 200) return { status, body }
        await call(program.url, 'POST', '/fitur/steam/stop', { body: { apiKey, ...body } })
        return null
      },
      { timeoutMs: 120_000, everyMs: 500 },
    )
    expect(refused).toMatchObject(full(CPU))
    await expectOnAir()
    await busy.terminate()
  })
})

describe('a new stream is refused at once', () => {
  it.runIf(isWholeRun)('also where the workers run on machines of their own', { timeout: 600_000 }, async () => {
    const database = await migratedPostgres()
    const dataDir = join(folder.path, 'shared')
    const shared = {
      ...{ DATABASE_URL: database.url, REDIS_URL: await freshRedis(), APP_SECRET: 'shared by both of them' },
      SHARED_DATA_DIR: 'true',
    }
    const web = await startSiarin({ dataDir, env: { ...shared, ROLE: 'web' } })
    const worker = await startSiarin({ dataDir, env: { ...shared, ROLE: 'worker', MAX_STREAMS_PER_WORKER: '1' } })
    const { apiKey } = await personWithVideo(web.url, clip)

    const first = await go(web.url, apiKey, 'apart-one')
    expect(first.status).toBe(200)
    const session = await rtmp.waitForPublisher('apart-one')
    const refused = async () => {
      const reply = await go(web.url, apiKey, 'apart-two')
      if (reply.status !== 200) return reply
      await call(web.url, 'POST', '/fitur/steam/stop', { body: { apiKey, ...reply.body } })
      return null
    }
    expect(await waitFor('the worker to tell that it is full', refused)).toMatchObject(full(PLACES))
    expect((await rtmp.waitForPublisher('apart-one', { growing: true })).id).toBe(session.id)
    const { streamId } = first.body
    await call(web.url, 'POST', '/fitur/steam/stop', { body: { apiKey, streamId } })
    await waitFor('room again', async () => (await go(web.url, apiKey, 'apart-three')).status === 200)
    const { id } = await rtmp.waitForPublisher('apart-three')

    await worker.restart({ MAX_STREAMS_PER_WORKER: '9', MIN_FREE_MEMORY_MB: '9000000' })
    expect(await waitFor('the worker to tell that it is short of memory', refused)).toMatchObject(full(MEMORY))
    // What was on air before is no new stream.
    await rtmp.waitForPublisher('apart-three', { growing: true, otherThan: id })

    for (const siarin of [web, worker]) await siarin.dispose()
    await database.drop()
  })
})
