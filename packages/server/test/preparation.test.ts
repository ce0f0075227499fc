import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { ffmpegsUnder } from '@siarin/testkit/processes'
import { type Siarin, startSiarin } from '@siarin/testkit/siarin-server'
import { tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { isWholeRun } from '@siarin/testkit/whole-run'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, processed, signIn, startProgram, type TestProgram, uploadVideo, videosOf } from './support/program.ts'

let program: TestProgram
let folder: Awaited<ReturnType<typeof tempDir>>
let clip: string
let foreign: string

beforeAll(async () => {
  folder = await tempDir('preparation')
  clip = join(folder.path, 'klip.mp4')
  foreign = join(folder.path, 'asing.mkv')
  await makeClip(clip, { seconds: 2 })
  await makeClip(foreign, { seconds: 2, videoCodec: 'mpeg4', audioCodec: 'libmp3lame' })
  program = await startProgram({ MAX_VIDEO_HEIGHT: '720' })
})
afterAll(async () => {
  await program.close()
  await folder.remove()
})

const filesOf = async (dataDir: string) =>
  (await readdir(join(dataDir, 'media'), { recursive: true })).filter((name) => /\.\w+$/.test(name))

/** What was needed on the way goes a moment after the video is ready, or has failed. */
const isEmptied = (path: string) => waitFor(`${path} to be empty`, async () => (await readdir(path)).length === 0)

describe('a video that cannot be sent as it is', () => {
  it('is prepared once, keeps its original, and plays as H.264', async () => {
    const { apiKey } = (await signIn(program.url)).user
    const { status, body } = await uploadVideo(program.url, apiKey, foreign, 'asing.mkv')
    expect({ status, ...body.data }).toMatchObject({ status: 'processing', filename: 'asing.mkv' })
    const video = await processed(program.url, apiKey, 'asing.mkv')
    expect(video).toMatchObject({ status: 'ready', videoCodec: 'h264', audioCodec: 'aac', reason: null, warning: null })
    const served = await fetch(`${program.url}/fitur/video/asing.mkv?apiKey=${apiKey}`)
    expect(served.headers.get('content-type')).toBe('video/mp4')
    await served.arrayBuffer()
    const files = await filesOf(program.dataDir)
    const kinds = files
      .map((name) =>
        name
          .split('/')
          .at(-1)
          ?.replace(/-[\da-f-]{36}/, ''),
      )
      .sort()
    expect(kinds).toEqual(['master.mp4', 'original.mkv', 'thumbnail.jpg'])
    await isEmptied(join(program.dataDir, 'work'))
  })

  it.runIf(isWholeRun)('is made no larger than allowed', async () => {
    const large = join(folder.path, 'besar.mp4')
    await makeClip(large, { picture: 'color=gray', seconds: 1, width: 1920, height: 1080, fps: 10 })
    const { apiKey } = (await signIn(program.url)).user
    await uploadVideo(program.url, apiKey, large, 'besar.mp4')
    expect(await processed(program.url, apiKey, 'besar.mp4')).toMatchObject({ width: 1280, height: 720 })
  })

  it('is made anew where it has more bits a second than any platform takes, by the filling of its encoder', async () => {
    const dense = join(folder.path, 'padat.mp4')
    const rate = ['-b:v', '40M', '-minrate', '40M', '-maxrate', '40M', '-bufsize', '40M']
    await makeClip(dense, { seconds: 1, extraArgs: [...rate, '-x264-params', 'nal-hrd=cbr'] })
    const { apiKey } = (await signIn(program.url)).user
    await uploadVideo(program.url, apiKey, dense, 'padat.mp4')
    const video = await processed(program.url, apiKey, 'padat.mp4')
    expect(video).toMatchObject({ status: 'ready', reason: null })
    expect(video.bitrate).toBeLessThan(5_000)
  })

  it('has a picture that only its owner sees', async () => {
    const [owner, stranger] = [(await signIn(program.url)).user, (await signIn(program.url)).user]
    await uploadVideo(program.url, owner.apiKey, clip)
    await processed(program.url, owner.apiKey, 'klip.mp4')
    const picture = await fetch(`${program.url}/fitur/video/klip.mp4/thumbnail?apiKey=${owner.apiKey}`)
    expect(picture.headers.get('content-type')).toBe('image/jpeg')
    expect(
      Buffer.from(await picture.arrayBuffer())
        .subarray(0, 3)
        .toString('hex'),
    ).toBe('ffd8ff')
    const foreignKey = `${program.url}/fitur/video/klip.mp4/thumbnail?apiKey=${stranger.apiKey}`
    expect((await fetch(foreignKey)).status).toBe(404)
  })

  it('cannot go on air while it is being prepared, and can be deleted meanwhile', async () => {
    const long = join(folder.path, 'panjang.mkv')
    const pictures = { width: 1280, height: 720, videoCodec: 'mpeg4', audioCodec: null }
    await makeClip(long, { seconds: 3.2, times: 19, ...pictures })
    const { apiKey } = (await signIn(program.url)).user
    await uploadVideo(program.url, apiKey, long, 'panjang.mkv')
    const body = { apiKey, source: 'panjang.mkv', platform: 'youtube', rtmpStream: 'abcd-efgh', looping: true }
    expect(await call(program.url, 'POST', '/fitur/steam/start', { body })).toMatchObject({
      status: 409,
      body: { message: 'Video masih diproses. Tunggu sampai siap, lalu mulai siaran.' },
    })
    const shown = await waitFor('some progress', async () =>
      (await videosOf(program.url, apiKey)).find((video) => video.progress),
    )
    expect(shown).toMatchObject({ status: 'processing', step: 'preparing' })

    const before = (await filesOf(program.dataDir)).length
    await call(program.url, 'DELETE', '/fitur/video/delete/panjang.mkv', { body: { apiKey } })
    await isEmptied(join(program.dataDir, 'work'))
    expect(await videosOf(program.url, apiKey)).toEqual([])
    await waitFor('its file to be gone', async () => (await filesOf(program.dataDir)).length === before - 1)
  })
})

describe('an import from an address', () => {
  let elsewhere: Server
  let base: string

  beforeAll(async () => {
    const bytes = await readFile(clip)
    elsewhere = createServer((request, response) => {
      if (request.url === '/klip%20jauh.mp4?token=rahasia') response.end(bytes)
      else if (request.url === '/teks.mp4') response.end('bukan video sama sekali')
      else if (request.url === '/pindah.mp4')
        response.writeHead(302, { location: '/klip%20jauh.mp4?token=rahasia' }).end()
      else if (request.url === '/putus.mp4') {
        response.writeHead(200, { 'content-length': bytes.length })
        response.write(bytes.subarray(0, 1000), () => response.destroy())
      } else response.writeHead(404).end()
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => elsewhere.once('listening', resolve))
    base = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`
  })
  afterAll(() => void elsewhere.close())

  const importFrom = (apiKey: string, url: string, server = program.url) =>
    call(server, 'POST', '/fitur/video/import', { body: { apiKey, url } })

  it('becomes a video like any other, named after the last part of its path', async () => {
    const { apiKey } = (await signIn(program.url)).user
    const reply = await importFrom(apiKey, `${base}/klip%20jauh.mp4?token=rahasia`)
    expect(reply).toMatchObject({ status: 200, body: { success: true, data: { step: 'importing' } } })
    expect(await processed(program.url, apiKey, 'klip jauh.mp4')).toMatchObject({ status: 'ready', width: 320 })
    expect(await program.dump()).not.toContain('token=rahasia')
    expect(program.logged()).not.toContain('token=rahasia')
  })

  it('follows a redirect', async () => {
    const { apiKey } = (await signIn(program.url)).user
    await importFrom(apiKey, `${base}/pindah.mp4`)
    expect(await processed(program.url, apiKey, 'pindah.mp4')).toMatchObject({ status: 'ready' })
  })

  it.each([
    ['/teks.mp4', 'teks.mp4', /tidak bisa dibaca/],
    ['/tidak-ada.mp4', 'tidak-ada.mp4', /menjawab 404/],
    ['/putus.mp4', 'putus.mp4', /terputus|tidak bisa dibuka/],
  ])('of %s fails with its reason, and can be tried again', async (path, name, reason) => {
    const { apiKey } = (await signIn(program.url)).user
    await importFrom(apiKey, base + path)
    const failed = await processed(program.url, apiKey, name)
    expect(failed).toMatchObject({ status: 'failed', reason: expect.stringMatching(reason) })
    expect((await call(program.url, 'POST', `/fitur/video/retry/${name}`, { body: { apiKey } })).status).toBe(200)
    expect(await processed(program.url, apiKey, name)).toMatchObject({ status: 'failed' })
    await isEmptied(join(program.dataDir, 'uploads'))
  })

  it.each(['bukan alamat', 'ftp://example.org/a.mp4', 'file:///etc/passwd', 'http://u:p@example.org/a.mp4', ''])(
    'of %j is refused at once',
    async (url) => {
      const { apiKey } = (await signIn(program.url)).user
      expect(await importFrom(apiKey, url)).toMatchObject({ status: 400, body: { success: false } })
      expect(await videosOf(program.url, apiKey)).toEqual([])
    },
  )

  it('of a private address is refused, by number and by name', async () => {
    const strict = await startProgram({ ALLOW_PRIVATE_NETWORK: 'false' })
    const { apiKey } = (await signIn(strict.url)).user
    const { port } = elsewhere.address() as AddressInfo
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433']) {
      const { body } = await importFrom(apiKey, `http://${host}:${port}/klip%20jauh.mp4?token=rahasia`, strict.url)
      expect(await processed(strict.url, apiKey, body.data.filename)).toMatchObject({
        status: 'failed',
        reason: expect.stringContaining('tidak boleh'),
      })
    }
    await strict.close()
  })
})

describe('a preparation that is cut off', { timeout: 600_000 }, () => {
  it.runIf(isWholeRun)('by kill -9 of the program goes on at the next start, and no ffmpeg is left over', async () => {
    const long = join(folder.path, 'lama.mkv')
    await makeClip(long, { seconds: 4, width: 640, height: 360, videoCodec: 'mpeg4', audioCodec: 'libmp3lame' })
    const siarin: Siarin = await startSiarin()
    const { apiKey } = (await signIn(siarin.url)).user
    await uploadVideo(siarin.url, apiKey, long, 'lama.mkv')
    await waitFor('the preparation to run', async () => (await ffmpegsUnder(join(siarin.dataDir, 'work'))).length > 0)
    const [before] = await ffmpegsUnder(join(siarin.dataDir, 'work'))
    await siarin.kill9()
    // And what an upload by the plain call leaves when it is cut off by a crash.
    await mkdir(join(siarin.dataDir, 'uploads', 'left-behind'), { recursive: true })
    await writeFile(join(siarin.dataDir, 'uploads', 'left-behind', 'upload'), 'half')
    await siarin.restart()
    expect(await readdir(join(siarin.dataDir, 'uploads'))).toEqual([])
    await waitFor('the end of what was left over', async () =>
      (await ffmpegsUnder(join(siarin.dataDir, 'work'))).every(({ pid }) => pid !== before?.pid),
    )
    expect(await processed(siarin.url, apiKey, 'lama.mkv')).toMatchObject({ status: 'ready' })
    await isEmptied(join(siarin.dataDir, 'work'))
    await siarin.dispose()
  })
})
