import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { makeClip } from '@siarin/testkit/clips'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { startPostgres } from '@siarin/testkit/postgres'
import { startRedis } from '@siarin/testkit/redis'
import { startSiarin } from '@siarin/testkit/siarin-server'
import { tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, personWithVideo, startProgram } from './support/program.ts'

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

describe('a new stream is refused at once', () => {
  it('when there are as many as the server takes', async () => {
    const small = await startProgram({ MAX_STREAMS_PER_WORKER: '1' })
    const { apiKey } = await personWithVideo(small.url, clip)
    expect((await go(small.url, apiKey, 'full-one')).status).toBe(200)
    expect(await go(small.url, apiKey, 'full-two')).toMatchObject(full(PLACES))
    // A second press is told that the first one worked.
    expect(await go(small.url, apiKey, 'full-one')).toMatchObject({ status: 409, body: { code: 'target_in_use' } })
    await small.close()
  })

  it('when memory is short', async () => {
    const program = await startProgram({ MIN_FREE_MEMORY_MB: '9000000' })
    const { apiKey } = await personWithVideo(program.url, clip)
    expect(await go(program.url, apiKey, 'memory')).toMatchObject(full(MEMORY))
    expect((await call(program.url, 'GET', `/fitur/steam/active?apiKey=${apiKey}`)).body.streams).toEqual([])
    await program.close()
  })

  it('when the processor is busy, while what is on air goes on', async () => {
    const program = await startProgram({ MAX_CPU_PERCENT: '5' })
    const { apiKey } = await personWithVideo(program.url, clip)
    const busy = new Worker('for (;;) {}', { eval: true })
    const refused = await waitFor(
      'a start to be refused',
      async () => {
        const reply = await go(program.url, apiKey, `busy-${crypto.randomUUID()}`)
        return reply.status === 200 ? null : reply
      },
      { timeoutMs: 60_000, everyMs: 500 },
    )
    expect(refused).toMatchObject(full(CPU))
    await busy.terminate()
    await program.close()
  })

  it('also where the workers run on machines of their own', async () => {
    const [postgres, redis] = [await startPostgres(), await startRedis()]
    const dataDir = join(folder.path, 'shared')
    const DATABASE_URL = await postgres.createDatabase()
    const shared = { DATABASE_URL, REDIS_URL: redis.url, APP_SECRET: 'shared by both of them' }
    const web = await startSiarin({ dataDir, env: { ...shared, ROLE: 'web' } })
    const worker = await startSiarin({ dataDir, env: { ...shared, ROLE: 'worker', MAX_STREAMS_PER_WORKER: '1' } })
    const { apiKey } = await personWithVideo(web.url, clip)

    const first = await go(web.url, apiKey, 'apart-one')
    expect(first.status).toBe(200)
    await rtmp.waitForPublisher('apart-one')
    const refused = async () => {
      const reply = await go(web.url, apiKey, 'apart-two')
      if (reply.status !== 200) return reply
      await call(web.url, 'POST', '/fitur/steam/stop', { body: { apiKey, ...reply.body } })
      return null
    }
    expect(await waitFor('the worker to tell that it is full', refused)).toMatchObject(full(PLACES))
    const { streamId } = first.body
    await call(web.url, 'POST', '/fitur/steam/stop', { body: { apiKey, streamId } })
    await waitFor('room again', async () => (await go(web.url, apiKey, 'apart-three')).status === 200)
    await rtmp.waitForPublisher('apart-three')

    await worker.restart({ MAX_STREAMS_PER_WORKER: '9', MIN_FREE_MEMORY_MB: '9000000' })
    expect(await waitFor('the worker to tell that it is short of memory', refused)).toMatchObject(full(MEMORY))

    for (const siarin of [web, worker]) await siarin.dispose()
    await postgres.stop()
    await redis.stop()
  })
})
