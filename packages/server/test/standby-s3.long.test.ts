import { join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { waitFor } from '@siarin/testkit/wait-for'
import { expect, it } from 'vitest'
import { personWithVideo } from './support/program.ts'
import { copiesIn, openS3Workers } from './support/s3-workers.ts'

const LATE = { timeoutMs: 90_000 }

it('[MANY-05] a worker that stands by has the video before it takes over, and needs no store for it', {
  timeout: 300_000,
}, async () => {
  await using stage = await openS3Workers()
  const { s3, rtmp, calls, rowOf, waitForKeeper, web, db } = stage
  const clip = join(stage.folder, 'klip.mp4')
  await makeClip(clip, { seconds: 3 })
  const first = await stage.startWorker('first')
  const { apiKey } = await personWithVideo(web.url, clip)
  const { body } = await calls.start(apiKey, 'stood-by')
  await rtmp.waitForPublisher('stood-by', { growing: true })
  await waitForKeeper(body.streamId, 'first')

  const second = await stage.startWorker('second')
  const cache = join(second.dataDir, 'cache', 'worker')
  expect(await copiesIn(cache)).toEqual(new Map())
  const [master] = await db.selectFrom('renditions').select(['key', 'tail_key']).where('state', '=', 'ready').execute()
  const played = [master?.key, master?.tail_key].filter((key) => typeof key === 'string')
  expect(played.length).toBeGreaterThan(0)
  await waitFor('it to stand by', async () => (await rowOf(body.streamId)).standby === 'second', LATE)
  const hasAll = async () => {
    const copies = await copiesIn(cache)
    return played.every((key) => copies.has(key))
  }
  await waitFor('it to have the video', hasAll, LATE)
  const before = await copiesIn(cache)

  s3.pause()
  try {
    const { id: otherThan } = await rtmp.waitForPublisher('stood-by', { growing: true })
    await first.kill9()
    await rtmp.waitForPublisher('stood-by', { growing: true, otherThan })
    expect((await rowOf(body.streamId)).worker).toBe('second')
    expect(await copiesIn(cache)).toEqual(before)
  } finally {
    s3.resume()
  }
  await calls.stopAll(apiKey)
})
