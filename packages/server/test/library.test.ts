import { randomBytes } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  call,
  personWithVideo,
  processed,
  signIn,
  startProgram,
  type TestProgram,
  uploadVideo,
  videosOf,
} from './support/program.ts'

let program: TestProgram
let folder: Awaited<ReturnType<typeof tempDir>>
let clip: string

beforeAll(async () => {
  folder = await tempDir('library')
  clip = join(folder.path, 'klip.mp4')
  await makeClip(clip, { seconds: 2 })
  program = await startProgram()
})
afterAll(async () => {
  await program.close()
  await folder.remove()
})

const upload = (apiKey: string, file: string | Blob, name?: string, field?: string) =>
  uploadVideo(program.url, apiKey, file, name, field)
const list = (apiKey: string) => videosOf(program.url, apiKey)
const ready = (apiKey: string, name = 'klip.mp4') => processed(program.url, apiKey, name)
const videoUrl = (apiKey: string, name: string) =>
  `${program.url}/fitur/video/${encodeURIComponent(name)}?apiKey=${apiKey}`
const remove = (apiKey: string, name: string) =>
  call(program.url, 'DELETE', `/fitur/video/delete/${encodeURIComponent(name)}`, { body: { apiKey } })
const unfinished = () => readdir(join(program.dataDir, 'uploads')).catch(() => [])
/** The files of one person: videos of others may still be prepared. */
async function filesOf(email: string): Promise<string[]> {
  const user = await program.db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  const all = await readdir(join(program.dataDir, 'media', user.id), { recursive: true }).catch(() => [])
  const files = all.filter((name) => /\.\w+$/.test(name)).map((path) => path.split('/').at(-1) ?? '')
  return files.map((name) => name.replace(/-[\da-f-]{36}/, ''))
}

describe('the API key', () => {
  it.each([
    ['GET', '/fitur/video'],
    ['GET', '/fitur/video/klip.mp4'],
    ['POST', '/fitur/video/upload'],
    ['DELETE', '/fitur/video/delete/klip.mp4'],
    ['POST', '/fitur/steam/start'],
    ['GET', '/fitur/steam/active'],
    ['POST', '/fitur/steam/stop'],
  ])('[API-07] is needed for %s %s, and a wrong one is refused', async (method, path) => {
    const body = method === 'GET' ? {} : { body: {} }
    const missing = await call(program.url, method, path, body)
    expect(missing).toMatchObject({ status: 401, body: { success: false, message: 'API Key diperlukan.' } })
    const wrong = await call(program.url, method, path, { ...body, headers: { 'x-api-key': 'sk_wrong' } })
    expect(wrong).toMatchObject({ status: 401, body: { success: false, code: 'api_key_wrong' } })
  })

  it('[API-07] is taken from the query, the body and the header', async () => {
    const { user } = await signIn(program.url)
    const { apiKey } = user
    expect((await call(program.url, 'GET', `/fitur/video?apiKey=${apiKey}`)).status).toBe(200)
    expect((await call(program.url, 'GET', '/fitur/video', { headers: { 'x-api-key': apiKey } })).status).toBe(200)
    const stop = await call(program.url, 'POST', '/fitur/steam/stop', { body: { apiKey, streamId: 'none' } })
    expect(stop.status).toBe(404)
    expect((await remove(apiKey, 'none.mp4')).status).toBe(404)
  })
})

describe('an upload', () => {
  it('[API-03] of a video is kept, and [API-01] listed newest first with its facts', async () => {
    const { apiKey } = (await signIn(program.url)).user
    const first = await upload(apiKey, clip, 'satu.mp4')
    expect(first).toMatchObject({ status: 200, body: { success: true, message: 'Upload berhasil.' } })
    await upload(apiKey, clip, 'dua.mp4')
    for (const name of ['satu.mp4', 'dua.mp4']) await ready(apiKey, name)
    const videos = await list(apiKey)
    expect(videos.map(({ filename }) => filename)).toEqual(['dua.mp4', 'satu.mp4'])
    const { size } = await openAsBlob(clip)
    expect(videos[0]).toMatchObject({
      size,
      status: 'ready',
      step: null,
      width: 320,
      height: 180,
      fps: 25,
      videoCodec: 'h264',
      audioCodec: 'aac',
      hasThumbnail: true,
    })
    expect(videos[0]?.duration).toBeCloseTo(2, 1)
    expect(videos[0]?.bitrate).toBe(Math.round((size * 8) / 1000 / (videos[0]?.duration ?? 0)))
    expect(Date.parse(videos[0]?.createdAt ?? '')).toBeGreaterThan(Date.now() - 60_000)
    expect(await unfinished()).toEqual([])
    const page = async (ask: string) => (await call(program.url, 'GET', `/fitur/video?apiKey=${apiKey}&${ask}`)).body
    const { data, nextCursor } = await page('limit=1')
    expect([data, (await page(`cursor=${nextCursor}`)).data]).toEqual([[videos[0]], [videos[1]]])
    expect(await page('cursor=elsewhere')).toMatchObject({ code: 'invalid_input' })
  })

  it('keeps the name as the user knows it, and numbers the second of that name', async () => {
    const { apiKey } = (await signIn(program.url)).user
    const name = 'Liburan "Bali" 🏖️ 100% & résumé.mp4'
    await upload(apiKey, clip, name)
    await upload(apiKey, clip, name)
    const names = (await list(apiKey)).map(({ filename }) => filename)
    expect(names).toEqual(['Liburan "Bali" 🏖️ 100% & résumé (1).mp4', name])
    for (const each of names) {
      expect((await fetch(videoUrl(apiKey, each))).status).toBe(200)
      expect((await remove(apiKey, each)).status).toBe(200)
    }
    expect(await list(apiKey)).toEqual([])
  })

  it.each([
    ['random bytes', async () => new Blob([randomBytes(50_000)]), 422, /tidak bisa dibaca/],
    ['text', async () => new Blob(['halo, ini bukan video\n'.repeat(100)]), 422, /tidak bisa dibaca/],
    ['nothing', async () => new Blob([]), 422, /kosong/],
    ['a disguised playlist', async () => new Blob(['#EXTM3U\n#EXTINF:1,\n/etc/passwd\n']), 422, /daftar putar/],
    ['a disguised concat list', async () => new Blob([`ffconcat version 1.0\nfile ${clip}\n`]), 422, /daftar putar/],
    ['half a video', async () => new Blob([(await readFile(clip)).subarray(0, 500)]), 422, /tidak bisa dibaca/],
    [
      'sound only',
      async () => {
        const file = join(folder.path, 'suara.m4a')
        await makeClip(file, { seconds: 1, extraArgs: ['-vn'] })
        return openAsBlob(file)
      },
      422,
      /tidak berisi gambar/,
    ],
    [
      'a picture',
      async () => {
        const file = join(folder.path, 'gambar.png')
        await makeClip(file, {
          seconds: 1,
          videoCodec: 'png',
          audioCodec: null,
          extraArgs: ['-frames:v', '1', '-pix_fmt', 'rgb24'],
        })
        return openAsBlob(file)
      },
      422,
      /gambar, bukan video/,
    ],
  ])('[API-03] of %s gets a clear refusal and leaves nothing behind', async (_, make, status, message) => {
    const { apiKey, email } = (await signIn(program.url)).user
    const reply = await upload(apiKey, await make())
    expect(reply.status).toBe(status)
    expect(reply.body).toMatchObject({ success: false, message: expect.stringMatching(message) })
    expect(await list(apiKey)).toEqual([])
    expect([await unfinished(), await filesOf(email)]).toEqual([[], []])
  })

  it('without a file, or in another field, is told to pick one', async () => {
    const { apiKey } = (await signIn(program.url)).user
    const other = await upload(apiKey, clip, 'klip.mp4', 'file')
    expect(other).toMatchObject({ status: 400, body: { message: 'Pilih file video.' } })
    const empty = await call(program.url, 'POST', `/fitur/video/upload?apiKey=${apiKey}`, { body: {} })
    expect(empty).toMatchObject({ status: 400, body: { message: 'Pilih file video.' } })
  })

  it.each([
    ['no boundary', 'multipart/form-data', 'anything'],
    ['another boundary', 'multipart/form-data; boundary=one', '--two\r\n\r\nx\r\n--two--\r\n'],
    [
      'no end',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="video"; filename="a.mp4"\r\n\r\nabc',
    ],
  ])('as a form with %s is a clear 400', async (_, type, body) => {
    const { apiKey } = (await signIn(program.url)).user
    const headers = { 'content-type': type, 'x-api-key': apiKey }
    const response = await fetch(`${program.url}/fitur/video/upload`, { method: 'POST', headers, body })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ success: false, code: 'invalid_input' })
  })

  it('that is refused early leaves the connection usable', async () => {
    const { apiKey } = (await signIn(program.url)).user
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const send = (path: string, method: string, headers: Record<string, string>, body: Buffer) =>
      new Promise<number>((resolve, reject) => {
        const call = request(program.url + path, { agent, method, headers }, (response) => {
          response.resume().once('end', () => resolve(response.statusCode ?? 0))
        })
        call.once('error', reject)
        call.end(body)
      })
    const form = Buffer.concat([
      Buffer.from('--b\r\nContent-Disposition: form-data; name="wrong"; filename="a.mp4"\r\n\r\n'),
      randomBytes(8_000_000),
      Buffer.from('\r\n--b--\r\n'),
    ])
    const key = { 'x-api-key': apiKey }
    const upload = { ...key, 'content-type': 'multipart/form-data; boundary=b' }
    expect(await send('/fitur/video/upload', 'POST', upload, form)).toBe(400)
    expect(await send('/fitur/video', 'GET', key, Buffer.alloc(0))).toBe(200)
    agent.destroy()
  })

  it('that is cut off leaves nothing behind', async () => {
    const { apiKey } = (await signIn(program.url)).user
    const { port } = new URL(program.url)
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(
      `POST /fitur/video/upload?apiKey=${apiKey} HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n` +
        'Content-Type: multipart/form-data; boundary=b\r\n\r\n' +
        '--b\r\nContent-Disposition: form-data; name="video"; filename="klip.mp4"\r\n\r\n',
    )
    socket.write(randomBytes(100_000))
    await waitFor('the upload to begin', async () => (await unfinished()).length === 1)
    socket.destroy()
    await waitFor('nothing to be left', async () => (await unfinished()).length === 0)
    expect(await list(apiKey)).toEqual([])
  })
})

describe('a video', () => {
  it('[API-02] is served whole and in ranges, with its type and name', async () => {
    const { apiKey } = (await signIn(program.url)).user
    await upload(apiKey, clip, 'klip é.mp4')
    await ready(apiKey, 'klip é.mp4')
    const bytes = await readFile(clip)
    const whole = await fetch(videoUrl(apiKey, 'klip é.mp4'))
    expect(whole.status).toBe(200)
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'video/mp4',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-disposition': `inline; filename="klip _.mp4"; filename*=UTF-8''klip%20%C3%A9.mp4`,
      etag: expect.any(String),
    })
    expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true)

    const part = await fetch(videoUrl(apiKey, 'klip é.mp4'), { headers: { range: 'bytes=100-199' } })
    expect(part.status).toBe(206)
    expect(part.headers.get('content-range')).toBe(`bytes 100-199/${bytes.length}`)
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(100, 200))).toBe(true)

    const beyond = await fetch(videoUrl(apiKey, 'klip é.mp4'), { headers: { range: `bytes=${bytes.length}-` } })
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${bytes.length}`])
    expect(await beyond.json()).toMatchObject({ success: false })
  })

  it('[API-02] of someone else cannot be had, deleted or even seen, and no path leads out', async () => {
    const owner = await personWithVideo(program, clip)
    const stranger = (await signIn(program.url)).user
    expect((await fetch(videoUrl(stranger.apiKey, 'klip.mp4'))).status).toBe(404)
    expect((await remove(stranger.apiKey, 'klip.mp4')).status).toBe(404)
    for (const path of ['../../siarin.db', '..%2f..%2fsiarin.db', '/etc/passwd', '....//secret']) {
      expect((await fetch(videoUrl(stranger.apiKey, path))).status).toBe(404)
    }
    expect((await fetch(videoUrl(owner.apiKey, 'klip.mp4'))).status).toBe(200)
  })

  it('[API-04] is deleted with every file of it', async () => {
    const { apiKey, email } = (await signIn(program.url)).user
    await upload(apiKey, clip)
    await ready(apiKey)
    // It needed no preparation: the video itself, and its picture.
    expect((await filesOf(email)).sort()).toEqual(['original.mp4', 'thumbnail.jpg'])
    expect(await remove(apiKey, 'klip.mp4')).toMatchObject({
      status: 200,
      body: { success: true, message: 'Video berhasil dihapus.' },
    })
    expect(await filesOf(email)).toEqual([])
    expect((await remove(apiKey, 'klip.mp4')).status).toBe(404)
  })

  it('[API-04] that is on air is not deleted', async () => {
    const rtmp: RtmpServer = await startRtmpServer()
    const { apiKey } = await personWithVideo(program, clip)
    const { body } = await call(program.url, 'POST', '/fitur/steam/start', {
      body: { apiKey, source: 'klip.mp4', platform: 'lain', rtmpStream: `${rtmp.url}/on-air`, looping: true },
    })
    expect(await remove(apiKey, 'klip.mp4')).toMatchObject({
      status: 409,
      body: { success: false, message: 'Video sedang dipakai siaran langsung.' },
    })
    await call(program.url, 'POST', '/fitur/steam/stop', { body: { apiKey, streamId: body.streamId } })
    // A stop is answered after some seconds, also where the broadcast is not off air yet.
    await waitFor('it to go, off air', async () => (await remove(apiKey, 'klip.mp4')).status === 200)
    await rtmp.stop()
  })
})
