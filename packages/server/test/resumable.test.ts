import { readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { RESUMABLE_UPLOAD_PATH } from '@siarin/contracts/videos'
import { makeClip } from '@siarin/testkit/clips'
import { type Siarin, startSiarin } from '@siarin/testkit/siarin-server'
import { tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { processed, signIn, uploadVideo, videosOf } from './support/program.ts'
import { locationOf, tusOf as speakTus } from './support/tus.ts'

let siarin: Siarin
let folder: Awaited<ReturnType<typeof tempDir>>
let bytes: Buffer

beforeAll(async () => {
  folder = await tempDir('resumable')
  const clip = join(folder.path, 'klip.mp4')
  await makeClip(clip, { seconds: 2 })
  bytes = await readFile(clip)
  siarin = await startSiarin({ env: { STORAGE_LIMIT_GB: '1' } })
})
afterAll(async () => {
  await siarin.dispose()
  await folder.remove()
})

const tusOf = (apiKey: string) => speakTus(siarin.url, apiKey)
const unfinished = () => readdir(join(siarin.dataDir, 'resumable')).catch(() => [])

describe('a resumable upload', () => {
  it('goes on where it stopped, also after a restart and a kill -9 of the server', async () => {
    const { apiKey } = (await signIn(siarin.url)).user
    const tus = tusOf(apiKey)
    const created = await tus.create(bytes.length, 'Liburan 🏖️ "Bali".mp4')
    expect(created.status).toBe(201)
    const location = locationOf(created)
    const third = Math.floor(bytes.length / 3)
    expect((await tus.patch(location, 0, bytes.subarray(0, third))).status).toBe(204)

    await siarin.restart()
    expect((await tus.head(location)).headers.get('upload-offset')).toBe(String(third))
    await tus.patch(location, third, bytes.subarray(third, 2 * third))
    await siarin.kill9()
    await siarin.restart()

    expect((await tus.head(location)).headers.get('upload-offset')).toBe(String(2 * third))
    expect((await tus.patch(location, 2 * third, bytes.subarray(2 * third))).status).toBe(204)
    const video = await processed(siarin.url, apiKey, 'Liburan 🏖️ "Bali".mp4')
    expect(video).toMatchObject({ status: 'ready', size: bytes.length })
    expect(await unfinished()).toEqual([])
  })

  it('whose last answer was lost is done, not begun again', async () => {
    const { apiKey } = (await signIn(siarin.url)).user
    const tus = tusOf(apiKey)
    const location = locationOf(await tus.create(bytes.length))
    await tus.patch(location, 0, bytes)
    await processed(siarin.url, apiKey, 'klip.mp4')
    expect((await tus.head(location)).headers.get('upload-offset')).toBe(String(bytes.length))
    expect(await videosOf(siarin.url, apiKey)).toHaveLength(1)
  })

  it('whose last byte came just before a crash becomes a video at the next start', async () => {
    const { apiKey } = (await signIn(siarin.url)).user
    const tus = tusOf(apiKey)
    const location = locationOf(await tus.create(bytes.length))
    await tus.patch(location, 0, bytes.subarray(0, 10))
    await siarin.stop()
    const [name = ''] = (await unfinished()).filter((each) => !each.endsWith('.json'))
    await writeFile(join(siarin.dataDir, 'resumable', name), bytes)
    await siarin.restart()
    expect(await processed(siarin.url, apiKey, 'klip.mp4')).toMatchObject({ status: 'ready' })
    await waitFor('nothing to be left', async () => (await unfinished()).length === 0)
  })

  it('belongs to its owner: nobody else can look at it, add to it or end it', async () => {
    const [owner, stranger] = [(await signIn(siarin.url)).user, (await signIn(siarin.url)).user]
    const location = locationOf(await tusOf(owner.apiKey).create(bytes.length))
    const foreign = tusOf(stranger.apiKey)
    expect((await foreign.head(location)).status).toBe(404)
    expect((await foreign.patch(location, 0, bytes)).status).toBe(404)
    expect((await foreign.remove(location)).status).toBe(404)
    const nobody = await fetch(siarin.url + RESUMABLE_UPLOAD_PATH, {
      method: 'POST',
      headers: { 'tus-resumable': '1.0.0', 'upload-length': '5', 'x-siarin-caller': 'someone' },
    })
    expect(nobody.status).toBe(401)
    expect((await tusOf(owner.apiKey).head(location)).headers.get('upload-offset')).toBe('0')
    await tusOf(owner.apiKey).remove(location)
  })

  it('that is cancelled leaves nothing', async () => {
    const { apiKey } = (await signIn(siarin.url)).user
    const tus = tusOf(apiKey)
    const location = locationOf(await tus.create(bytes.length))
    await tus.patch(location, 0, bytes.subarray(0, 1000))
    expect((await tus.remove(location)).status).toBe(204)
    expect(await unfinished()).toEqual([])
    expect(await videosOf(siarin.url, apiKey)).toEqual([])
  })

  it('of what is no video is refused with a sentence, and nothing is left', async () => {
    const { apiKey } = (await signIn(siarin.url)).user
    const tus = tusOf(apiKey)
    const text = Buffer.from('bukan video '.repeat(50))
    const location = locationOf(await tus.create(text.length))
    const refused = await tus.patch(location, 0, text)
    expect(refused.status).toBe(422)
    expect(await refused.json()).toMatchObject({
      success: false,
      message: expect.stringContaining('tidak bisa dibaca'),
    })
    expect(await unfinished()).toEqual([])
  })

  it('[SAFE-07] that brings a byte more than was said is refused, and the program goes on', async () => {
    const { apiKey } = (await signIn(siarin.url)).user
    const tus = tusOf(apiKey)
    const size = 2 * 1024 ** 2
    const location = locationOf(await tus.create(size))
    expect((await tus.patchChunked(location, 0, [Buffer.alloc(size + 1)])).status).toBe(413)
    // What came before that byte is kept.
    const offset = Number((await tus.head(location)).headers.get('upload-offset'))
    expect(offset).toBeGreaterThan(0)
    expect(offset).toBeLessThanOrEqual(size)
    expect((await tus.remove(location)).status).toBe(204)
  })

  it('that cannot fit is refused before a byte travels', async () => {
    const { apiKey } = (await signIn(siarin.url)).user
    const refused = await tusOf(apiKey).create(2 * 1024 ** 3, 'besar.mp4')
    expect(refused.status).toBe(507)
    expect(await refused.json()).toMatchObject({ success: false, message: expect.stringMatching(/ruang Anda 1,00 GB/) })
    expect(await unfinished()).toEqual([])
  })

  /** As if it had been begun, and its last byte had come, so many hours ago. */
  async function backdate(location: string, begunHours: number, lastByteHours: number): Promise<void> {
    const file = join(siarin.dataDir, 'resumable', basename(location))
    const before = (hours: number) => new Date(Date.now() - hours * 3_600_000)
    const info = JSON.parse(await readFile(`${file}.json`, 'utf8'))
    await writeFile(`${file}.json`, JSON.stringify({ ...info, creation_date: before(begunHours).toISOString() }))
    await utimes(file, before(lastByteHours), before(lastByteHours))
  }

  it('[SAFE-03] is kept while its bytes come, and goes a day after the last of them', async () => {
    const { apiKey } = (await signIn(siarin.url)).user
    const tus = tusOf(apiKey)
    const [slow, left] = [locationOf(await tus.create(bytes.length)), locationOf(await tus.create(bytes.length))]
    await tus.patch(slow, 0, bytes.subarray(0, 1_000))
    await backdate(slow, 72, 23)
    await backdate(left, 72, 25)
    await siarin.restart()
    await waitFor('the clean-up', async () => (await unfinished()).length === 2)
    expect((await tus.head(left)).status).toBe(404)
    const more = await tus.patch(slow, 1_000, bytes.subarray(1_000, 2_000))
    expect(more.status).toBe(204)
    expect((await tus.patch(slow, 2_000, bytes.subarray(2_000))).status).toBe(204)
    expect(await processed(siarin.url, apiKey, 'klip.mp4')).toMatchObject({ status: 'ready', size: bytes.length })
  })
})

describe('a disk that is almost full', () => {
  it('refuses uploads with a clear message', async () => {
    const full = await startSiarin({ env: { DISK_RESERVE_MB: '999999' } })
    const { apiKey } = (await signIn(full.url)).user
    const reply = await uploadVideo(full.url, apiKey, new Blob([new Uint8Array(bytes)]))
    expect(reply).toMatchObject({
      status: 507,
      body: { success: false, message: expect.stringContaining('hampir penuh') },
    })
    // More than an account may have under way: what the disk refuses is not.
    const refused = await Promise.all(Array.from({ length: 11 }, () => speakTus(full.url, apiKey).create(1_000)))
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([507]))
    expect((await speakTus(full.url, apiKey).create(1_000)).status).toBe(507)
    await full.dispose()
  })
})
