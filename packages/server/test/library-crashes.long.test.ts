import { mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { RESUMABLE_UPLOAD_PATH } from '@siarin/contracts/videos'
import { makeClip } from '@siarin/testkit/clips'
import { ffmpegsUnder } from '@siarin/testkit/processes'
import { type Siarin, startSiarin } from '@siarin/testkit/siarin-server'
import { tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { expect, it } from 'vitest'
import { openSqlite } from '../src/platform/db/database.ts'
import { isLongForm } from './support/fault-table.ts'
import { processed, signIn, uploadVideo, videosOf } from './support/program.ts'

const KILLS = isLongForm ? 10 : 3
/** Half of them can be sent as they are, the others have to be made anew. */
const VIDEOS = isLongForm ? 6 : 4
const PARTS = 8

/**
 * Sends a file in parts, as a client does that never gives up: after each failure it asks how far the server is. Resolves to how
 * many beginnings may have been taken whose answer was lost: the client cannot know such an upload, and begins another.
 */
async function uploadStubbornly(siarin: Siarin, apiKey: string, name: string, bytes: Buffer): Promise<number> {
  let unanswered = 0
  const headers = { 'tus-resumable': '1.0.0', 'x-api-key': apiKey }
  const create = async (): Promise<string | null> => {
    const metadata = `filename ${Buffer.from(name).toString('base64')}`
    const answer = await fetch(siarin.url + RESUMABLE_UPLOAD_PATH, {
      method: 'POST',
      headers: { ...headers, 'upload-length': String(bytes.length), 'upload-metadata': metadata },
    })
    return answer.headers.get('location')
  }
  const begin = () =>
    create().catch((error: Error & { cause?: { code?: string } }) => {
      if (error.cause?.code !== 'ECONNREFUSED') unanswered += 1
      return null
    })
  const location = await waitFor('the upload to be created', begin)
  const url = new URL(location, siarin.url)
  const step = async (): Promise<boolean> => {
    const asked = await fetch(url, { method: 'HEAD', headers })
    expect(asked.status, `${name}: does the server still know it?`).not.toBe(404)
    const offset = Number(asked.headers.get('upload-offset'))
    if (offset === bytes.length) return true
    const part = bytes.subarray(offset, offset + Math.ceil(bytes.length / PARTS))
    const type = { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) }
    const sent = await fetch(url, { method: 'PATCH', headers: { ...headers, ...type }, body: new Uint8Array(part) })
    if (sent.status === 204 && offset + part.length === bytes.length) return true
    await sleep(60)
    return false
  }
  await waitFor(`${name} to be uploaded`, step)
  return unanswered
}

it(`kill -9 at ${KILLS} random moments of upload and preparation loses nothing and leaves nothing half-done`, async () => {
  const folder = await tempDir('crashes')
  const [good, foreign] = [join(folder.path, 'baik.mp4'), join(folder.path, 'asing.mkv')]
  await makeClip(good, { seconds: 2 })
  await makeClip(foreign, { seconds: 4, width: 480, height: 270, videoCodec: 'mpeg4', audioCodec: 'libmp3lame' })
  const files = { baik: await readFile(good), asing: await readFile(foreign) }
  const siarin = await startSiarin()
  const { apiKey } = (await signIn(siarin.url)).user

  const names = Array.from({ length: VIDEOS }, (_, index) =>
    index % 2 === 0 ? `baik-${index}.mp4` : `asing-${index}.mkv`,
  )
  const uploads = (async () => {
    let unknown = 0
    for (const name of names) {
      unknown += await uploadStubbornly(siarin, apiKey, name, name.startsWith('baik') ? files.baik : files.asing)
    }
    return unknown
  })()
  for (let kill = 0; kill < KILLS; kill++) {
    await sleep(100 + Math.random() * 1_500)
    await siarin.kill9()
    await siarin.restart()
  }
  const unknown = await uploads
  for (const name of names) expect(await processed(siarin.url, apiKey, name)).toMatchObject({ status: 'ready' })
  const videos = await videosOf(siarin.url, apiKey)
  expect(videos.map(({ filename }) => filename).sort()).toEqual([...names].sort())

  const left = async (name: string) => (await readdir(join(siarin.dataDir, name)).catch(() => [])).sort()
  // It goes a moment after the video is ready.
  await waitFor('the work folder to be empty', async () => (await left('work')).length === 0)
  expect(await left('uploads')).toEqual([])
  // What nobody knows waits empty, with its record, until it is cleared.
  const begun = (await left('resumable')).filter((name) => !name.endsWith('.json'))
  expect(begun.length).toBeLessThanOrEqual(unknown)
  for (const id of begun) expect((await stat(join(siarin.dataDir, 'resumable', id))).size).toBe(0)
  const media = (await readdir(join(siarin.dataDir, 'media'), { recursive: true })).filter((path) =>
    /\.\w+$/.test(path),
  )
  const kinds = media
    .map((path) =>
      path
        .split('/')
        .at(-1)
        ?.replace(/-[\da-f-]{36}/, ''),
    )
    .sort()
  expect(kinds).toEqual(
    [
      ...Array(VIDEOS / 2).fill('master.mp4'),
      ...Array(VIDEOS / 2).fill('original.mkv'),
      ...Array(VIDEOS / 2).fill('original.mp4'),
      ...Array(VIDEOS).fill('thumbnail.jpg'),
    ].sort(),
  )
  expect(await ffmpegsUnder(siarin.dataDir)).toEqual([])
  await siarin.dispose()
  await folder.remove()
}, 600_000)

it('[SAFE-03] an arrived video that cannot be put into its place now is kept, and taken up by a later start', async () => {
  const folder = await tempDir('arrived')
  const clip = join(folder.path, 'klip.mp4')
  await makeClip(clip, { seconds: 1 })
  const siarin = await startSiarin()
  const { apiKey } = (await signIn(siarin.url)).user
  await uploadVideo(siarin.url, apiKey, clip)
  await processed(siarin.url, apiKey, 'klip.mp4')
  await siarin.stop()

  // As a crash leaves it before the file has moved; and then something is wrong with the disk.
  const db = openSqlite(join(siarin.dataDir, 'siarin.db'))
  const { id, user_id, original_key } = await db
    .updateTable('videos')
    .set({ status: 'processing', step: 'checking', master_key: null })
    .returning(['id', 'user_id', 'original_key'])
    .executeTakeFirstOrThrow()
  await db.deleteFrom('renditions').execute()
  await db.destroy()
  const arrival = join(siarin.dataDir, 'uploads', id, 'upload')
  const media = join(siarin.dataDir, 'media', user_id)
  await mkdir(dirname(arrival), { recursive: true })
  await rename(join(siarin.dataDir, 'media', original_key ?? ''), arrival)
  await rm(media, { recursive: true })
  await symlink('nowhere', media)
  await siarin.restart()
  expect(await videosOf(siarin.url, apiKey)).toMatchObject([{ filename: 'klip.mp4', status: 'processing' }])
  expect((await stat(arrival)).size).toBeGreaterThan(0)

  await siarin.stop()
  await rm(media)
  await siarin.restart()
  expect(await processed(siarin.url, apiKey, 'klip.mp4')).toMatchObject({ status: 'ready' })
  await siarin.dispose()
  await folder.remove()
})
