import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { mountSmallDisk, type SmallDisk } from '@siarin/testkit/small-disk'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { personWithVideo, processed, uploadVideo } from './support/program.ts'
import { openS3Workers } from './support/s3-workers.ts'

const MB = 1024 ** 2
const LATE = { timeoutMs: 90_000 }

describe('a worker whose cache is small', { timeout: 600_000 }, () => {
  let stage: Awaited<ReturnType<typeof openS3Workers>>
  let disk: SmallDisk
  let apiKey: string

  beforeAll(async () => {
    stage = await openS3Workers()
    const [small = '', large = ''] = ['klip.mp4', 'besar.mp4'].map((name) => join(stage.folder, name))
    await makeClip(small, { seconds: 3 })
    await makeClip(large, { seconds: 3.2, width: 640, height: 360, times: 20 })
    const bytes = (await stat(large)).size
    // The cache may have half of its disk: room for some of the small one, and none for the large one.
    const mounted = await mountSmallDisk(Math.floor(bytes / MB))
    if ('refusal' in mounted) throw new Error(mounted.refusal)
    disk = mounted
    expect((await stat(small)).size).toBeLessThan(bytes / 6)
    const roomy = await stage.startWorker('roomy')
    apiKey = (await personWithVideo(stage.web.url, small)).apiKey
    await uploadVideo(stage.web.url, apiKey, large, 'besar.mp4')
    await processed(stage.web.url, apiKey, 'besar.mp4')
    await roomy.stop()
    await stage.startWorker('tight', { CACHE_DIR: disk.path, DISK_RESERVE_MB: '0' })
  })
  afterAll(async () => {
    await stage?.[Symbol.asyncDispose]()
    await disk?.remove()
  })

  const start = async (key: string, source: string): Promise<string> => {
    const { status, body } = await stage.calls.start(apiKey, key, { source })
    expect([status, body.message]).toEqual([200, body.message])
    return body.streamId
  }

  it('[MANY-05] hands what it cannot fetch to one that can, and goes on with the rest', async () => {
    const { rtmp, calls, rowOf, waitForKeeper } = stage
    const small = await start('small', 'klip.mp4')
    const session = await rtmp.waitForPublisher('small', { growing: true })
    const large = await start('large', 'besar.mp4')
    await waitForKeeper(large, 'tight')
    await waitFor(
      'it to find no room',
      async () => (await calls.active(apiKey)).find(({ streamId }) => streamId === large)?.state === 'waiting',
      LATE,
    )
    await stage.startWorker('roomy')
    await waitForKeeper(large, 'roomy')
    await rtmp.waitForPublisher('large', { growing: true })
    expect((await rowOf(small)).worker).toBe('tight')
    expect((await rtmp.waitForPublisher('small', { growing: true })).id).toBe(session.id)
  })

  it('[MANY-05] tells that it has no room while its disk is full, and gets no more', async () => {
    const { roomOf, rtmp, waitForKeeper } = stage
    expect(await roomOf('tight')).toBeGreaterThan(0)
    await disk.fill()
    await waitFor('it to have no room', async () => (await roomOf('tight')) === 0, LATE)
    await waitForKeeper(await start('elsewhere', 'klip.mp4'), 'roomy')
    await rtmp.waitForPublisher('elsewhere', { growing: true })
    await disk.makeRoom()
    await waitFor('it to have room again', async () => (await roomOf('tight')) > 0, LATE)
  })
})
