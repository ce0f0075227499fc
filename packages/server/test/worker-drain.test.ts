import { join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import type { PostgresDatabase } from '@siarin/testkit/postgres'
import { type S3Server, startS3Server } from '@siarin/testkit/s3-server'
import { type Siarin, startSiarin } from '@siarin/testkit/siarin-server'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Operator, operatorAt } from './support/operator.ts'
import { personWithVideo } from './support/program.ts'
import { freshRedis, migratedPostgres } from './support/shared-servers.ts'
import { streamCalls } from './support/streams.ts'

const STREAMS = 3

describe('[MANY-03] web and two workers, each with a folder of its own', { timeout: 600_000 }, () => {
  let s3: S3Server
  let database: PostgresDatabase
  let rtmp: RtmpServer
  let folder: TempDir
  let operator: Operator
  let apiKey: string
  let calls: ReturnType<typeof streamCalls>
  const running: Siarin[] = []

  beforeAll(async () => {
    ;[s3, database, rtmp, folder] = await Promise.all([
      ...([startS3Server(), migratedPostgres(), startRtmpServer(), tempDir('worker-drain')] as const),
    ])
    const clip = join(folder.path, 'klip.mp4')
    await makeClip(clip, { seconds: 3 })
    const shared = {
      ...s3.env,
      ...{ DATABASE_URL: database.url, REDIS_URL: await freshRedis(), APP_SECRET: 'satu rahasia untuk tiga' },
    }
    for (const [ROLE, WORKER_ID] of [
      ['web', 'web-1'],
      ['worker', 'worker-1'],
      ['worker', 'worker-2'],
    ] as const) {
      const dataDir = join(folder.path, WORKER_ID)
      running.push(await startSiarin({ dataDir, env: { ...shared, ROLE, WORKER_ID } }))
    }
    operator = operatorAt({ ...shared, DATA_DIR: join(folder.path, 'web-1') })
    const [web] = running
    if (!web) throw new Error('no web program')
    calls = streamCalls(web.url, rtmp)
    apiKey = (await personWithVideo(web, clip)).apiKey
  })
  afterAll(async () => {
    for (const siarin of running) await siarin.dispose()
    await Promise.all([s3?.stop(), rtmp?.stop(), database?.drop()])
    await folder?.remove()
  })

  const workers = async (): Promise<{ id: string; state: string; streams: number; live: boolean }[]> =>
    (await operator.json('worker', 'list')).workers
  const streamsOf = async (id: string) => (await workers()).find((worker) => worker.id === id)?.streams

  it('are seen by the operator, and hand broadcasts over when one of them is drained by the command', async () => {
    await waitFor('both workers', async () => (await workers()).filter(({ live }) => live).length === 2)
    for (let index = 0; index < STREAMS; index++) {
      expect((await calls.start(apiKey, `drain-${index}`)).status).toBe(200)
      await rtmp.waitForPublisher(`drain-${index}`, { growing: true })
    }
    const kept = await waitFor('all to be counted', async () => {
      const now = await workers()
      return now.reduce((sum, { streams }) => sum + streams, 0) === STREAMS && now
    })
    const from = kept.toSorted((one, other) => other.streams - one.streams)[0]?.id ?? ''
    const to = from === 'worker-1' ? 'worker-2' : 'worker-1'
    expect((await operator.run('worker', 'drain', from)).out).toContain('takes on no more broadcasts')
    await waitFor('it to be drained', async () => (await streamsOf(from)) === 0, { timeoutMs: 120_000 })
    await waitFor('the other to have all', async () => (await streamsOf(to)) === STREAMS, { timeoutMs: 120_000 })
    expect((await operator.run('worker', 'list')).out).toMatch(new RegExp(`^${from} +drained `, 'm'))
    for (let index = 0; index < STREAMS; index++) await rtmp.waitForPublisher(`drain-${index}`, { growing: true })
    const stats = await waitFor('the figures of all three', async () => {
      const { machines } = await operator.json('stats')
      return machines.find(({ id }: { id: string }) => id === to)?.streams === STREAMS && machines
    })
    expect(stats.map(({ id, role }: { id: string; role: string }) => [id, role])).toEqual([
      ['web-1', 'web'],
      ['worker-1', 'worker'],
      ['worker-2', 'worker'],
    ])
    expect((await operator.run('worker', 'resume', from)).out).toContain('takes on broadcasts again')
    await calls.stopAll(apiKey)
  })
})
