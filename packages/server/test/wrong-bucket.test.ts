import { join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { startS3Server } from '@siarin/testkit/s3-server'
import { startSiarin } from '@siarin/testkit/siarin-server'
import { tempDir } from '@siarin/testkit/temp-dir'
import { expect, it } from 'vitest'
import { personWithVideo, videosOf } from './support/program.ts'

it('[MANY-01] a server whose bucket was mistyped does not start, since its videos would count as lost; with the right one it goes on', {
  timeout: 300_000,
}, async () => {
  await using props = new AsyncDisposableStack()
  const folder = props.adopt(await tempDir('wrong-bucket'), (dir) => dir.remove())
  const s3 = props.adopt(await startS3Server(), (server) => server.stop())
  const clip = join(folder.path, 'klip.mp4')
  await makeClip(clip, { seconds: 3 })
  // An empty bucket is what every server begins with.
  const siarin = props.adopt(await startSiarin({ env: s3.env }), (server) => server.dispose())
  const { apiKey } = await personWithVideo(siarin.url, clip)

  const refused = await siarin.restart({ S3_BUCKET: 'siarin-medai' }).catch((error: Error) => error.message)
  expect(refused).toContain('Siarin cannot start: S3_BUCKET siarin-medai is empty, and the database has videos')
  await siarin.restart({ S3_BUCKET: s3.env.S3_BUCKET })
  expect((await videosOf(siarin.url, apiKey)).map(({ status }) => status)).toEqual(['ready'])
})
