import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { startS3Server } from '@siarin/testkit/s3-server'
import { startSiarin } from '@siarin/testkit/siarin-server'
import { tempDir } from '@siarin/testkit/temp-dir'
import { expect, it } from 'vitest'
import { operatorAt } from './support/operator.ts'
import { personWithVideo, videosOf } from './support/program.ts'

it('[SAFE-05] a backup of a server with a store has its rows, says where its videos are, and plays them once restored', {
  timeout: 300_000,
}, async () => {
  await using props = new AsyncDisposableStack()
  const folder = props.adopt(await tempDir('backup-s3'), (dir) => dir.remove())
  const s3 = props.adopt(await startS3Server(), (server) => server.stop())
  const [clip, backup, restored] = ['klip.mp4', 'backup', 'restored'].map((name) => join(folder.path, name)) as [
    string,
    string,
    string,
  ]
  await makeClip(clip, { seconds: 2 })
  const siarin = props.adopt(await startSiarin({ env: s3.env }), (each) => each.dispose())
  const { apiKey } = await personWithVideo(siarin.url, clip)
  // It was left from before the videos were moved to the store.
  await mkdir(join(siarin.dataDir, 'media', 'u', 'v'), { recursive: true })
  await writeFile(join(siarin.dataDir, 'media', 'u', 'v', 'left.mp4'), 'no more in use')

  const { code, out, err } = await operatorAt({ DATA_DIR: siarin.dataDir, ...s3.env }).run('backup', backup)
  expect([code, out]).toEqual([0, expect.stringContaining('the database, without videos')])
  expect(err).toContain(`the videos stay in the bucket ${s3.env.S3_BUCKET} and are not in this backup`)
  expect((await readdir(backup)).sort()).toEqual(['manifest.json', 'secret', 'siarin.db'])
  const manifest = JSON.parse(await readFile(join(backup, 'manifest.json'), 'utf8'))
  expect(manifest).toMatchObject({ videos: 'listed', bucket: s3.env.S3_BUCKET, files: [] })

  // Also where the settings of the store were forgotten.
  const filled = await operatorAt({ DATA_DIR: restored }).run('restore', backup)
  expect([filled.code, filled.err]).toEqual([0, expect.stringContaining(`in the bucket ${s3.env.S3_BUCKET}`)])
  await siarin.stop()
  const again = props.adopt(await startSiarin({ dataDir: restored, env: s3.env }), (each) => each.dispose())
  expect((await videosOf(again.url, apiKey)).map(({ filename }) => filename)).toEqual(['klip.mp4'])
  const played = await fetch(`${again.url}/fitur/video/klip.mp4?apiKey=${apiKey}`)
  expect(played.status).toBe(200)
  expect((await played.arrayBuffer()).byteLength).toBeGreaterThan(10_000)
})
