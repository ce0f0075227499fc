import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { RESUMABLE_UPLOAD_PATH } from '@siarin/contracts/videos'
import { makeClip } from '@siarin/testkit/clips'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  bearer,
  call,
  newUser,
  personWithVideo,
  type Reply,
  signIn,
  startProgram,
  type TestProgram,
} from './support/program.ts'
import { rawCall } from './support/raw-http.ts'
import { locationOf, tusOf } from './support/tus.ts'

let program: TestProgram
let folder: TempDir
let apiKey: string

beforeAll(async () => {
  folder = await tempDir('odd-requests')
  const clip = join(folder.path, 'klip.mp4')
  await makeClip(clip, { seconds: 2 })
  program = await startProgram()
  apiKey = (await personWithVideo(program, clip)).apiKey
})
afterAll(async () => {
  await program.close()
  await folder.remove()
})

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  call(program.url, method, path, { headers: { 'x-api-key': apiKey, ...headers } })

function expectRefused(reply: Reply, status: number, code: string, message: RegExp | string = /^[A-Z][^<>{}]+\.$/) {
  expect(reply).toMatchObject({ status, body: { success: false, code, message: expect.stringMatching(message) } })
}

describe('[SAFE-01] a request that nobody foresaw', () => {
  it.each([
    ['If-Match', { 'if-match': '"another"' }],
    ['If-Unmodified-Since', { 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }],
  ])('for a video with %s of another one is 412', async (_, headers) => {
    expectRefused(await get('/fitur/video/klip.mp4', headers), 412, 'precondition_failed', /berubah/)
  })

  it.each([
    ['%zz', '/fitur/video/%zz'],
    ['half a character', '/fitur/video/%c3'],
    ['on a sign-in path', '/auth/%zz'],
  ])('with an address that cannot be decoded (%s) is 400 in our words', async (_, path) => {
    const reply = await get(path)
    expectRefused(reply, 400, 'invalid_input')
    expect(JSON.stringify(reply.body)).not.toMatch(/FST|component|%/)
  })

  it('with an endless parameter is 400 in our words', async () => {
    expectRefused(await get(`/fitur/video/${'a'.repeat(9_000)}`), 400, 'invalid_input', 'Alamat ini terlalu panjang.')
  })

  it.each([
    ['no HTTP at all', 'HALO\r\n\r\n', 400, 'invalid_input'],
    ['a header without an end', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'invalid_input'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
      400,
      'invalid_input',
    ],
    ['no host', 'GET /healthz HTTP/1.1\r\n\r\n', 400, null],
  ])('that is %s gets an answer in our shape', async (_, bytes, status, code) => {
    const raw = await rawCall(program.url, bytes)
    await waitFor('the end of the connection', async () => raw.isClosed())
    expect(raw.answer()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    if (code === null) return
    const body = JSON.parse(raw.answer().split('\r\n\r\n')[1] ?? '')
    expect(body).toMatchObject({ success: false, code, message: expect.stringMatching(/^[A-Z][\w ]+\.$/) })
  })

  it('that is too large, on a connection that has been answered before, gets its answer too', async () => {
    const raw = await rawCall(program.url, 'GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n')
    await waitFor('the first answer', async () => raw.answer().includes('alive'))
    raw.send(`GET /${'x'.repeat(20_000)} HTTP/1.1\r\nhost: a\r\n\r\n`)
    await waitFor('the end of the connection', async () => raw.isClosed())
    expect(raw.answer()).toMatch(/HTTP\/1\.1 431 /)
    expect(raw.answer()).toContain('"code":"invalid_input"')
  })

  it('for the head of something too large is answered without a body', async () => {
    const raw = await rawCall(program.url, `HEAD /${'x'.repeat(20_000)} HTTP/1.1\r\nhost: a\r\n\r\n`)
    await waitFor('the end of the connection', async () => raw.isClosed())
    expect(raw.answer()).toMatch(/^HTTP\/1\.1 431 /)
    expect(raw.answer().split('\r\n\r\n')[1]).toBe('')
  })

  it('for the head of a feed is answered, and ends', async () => {
    const response = await fetch(`${program.url}/fitur/steam/live?apiKey=${apiKey}`, { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toContain('text/event-stream')
  })

  it.each([
    ['GET', '/', ''],
    ['HEAD', '/', 'text/html;q=2, */*;q=,'],
    ['GET', '/dashboard', 'nonsense'],
    ['HEAD', '/fitur/video', '%00/%ff'],
    ['GET', '/assets/none.js', 'text/html'],
  ])('%s %s that accepts "%s" is answered', async (method, path, accept) => {
    const response = await fetch(new URL(path, program.url), { method, headers: { accept, 'accept-encoding': accept } })
    expect(response.status).toBeLessThan(500)
  })
})

describe('[SAFE-01] a form that is none', () => {
  const send = async (boundary: string, body: string): Promise<Reply> => {
    const response = await fetch(`${program.url}/fitur/video/upload`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': `multipart/form-data; boundary=${boundary}` },
      body,
    })
    return { status: response.status, headers: response.headers, body: await response.json() }
  }

  it.each([
    ['a part without headers', 'x', '--x\r\n\r\n--x--'],
    ['the same with an end of line', 'x', '--x\r\n\r\n--x--\r\n'],
    ['a boundary of 300 characters', 'b'.repeat(300), `--${'b'.repeat(300)}--\r\n`],
    ['nothing but an end', 'x', '--x--\r\n'],
    [
      'a field of a forbidden name',
      'x',
      '--x\r\ncontent-disposition: form-data; name="__proto__"\r\n\r\nv\r\n--x--\r\n',
    ],
  ])('%s is 400 and not silence', async (_, boundary, body) => {
    expectRefused(await send(boundary, body), 400, 'invalid_input')
  })
})

describe('[SAFE-01] tus', () => {
  const resumable = () => readdir(join(program.dataDir, 'resumable'))
  const begin = async () => {
    const tus = tusOf(program.url, apiKey)
    return { tus, location: locationOf(await tus.create(1_000)) }
  }

  it('refuses uploads that are to be joined', async () => {
    for (const concat of ['partial', 'final;/a /b']) {
      const response = await fetch(program.url + RESUMABLE_UPLOAD_PATH, {
        method: 'POST',
        headers: { 'x-api-key': apiKey, 'tus-resumable': '1.0.0', 'upload-length': '10', 'upload-concat': concat },
      })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ success: false, code: 'invalid_input' })
    }
  })

  it('knows no record beside an upload', async () => {
    const { tus, location } = await begin()
    const before = await resumable()
    expect((await tus.remove(`${location}.json`)).status).toBe(404)
    expect((await tus.head(`${location}.json`)).status).toBe(404)
    expect((await tus.patch(`${location}.json`, 0, Buffer.from('x'))).status).toBe(404)
    expect(await resumable()).toEqual(before)
    expect((await tus.remove(location)).status).toBe(204)
  })

  it('writes no more than was announced, however the bytes come', async () => {
    const { tus, location } = await begin()
    const response = await fetch(new URL(location, program.url), {
      method: 'PATCH',
      headers: {
        'x-api-key': apiKey,
        'tus-resumable': '1.0.0',
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
      },
      // Without a length of its own.
      body: ReadableStream.from([Buffer.alloc(900), Buffer.alloc(900)]),
      duplex: 'half',
    })
    expect(response.status).toBe(413)
    expect(Number((await tus.head(location)).headers.get('upload-offset'))).toBeLessThanOrEqual(1_000)
    expect((await tus.remove(location)).status).toBe(204)
  })

  it('takes the key from the query too', async () => {
    const { tus, location } = await begin()
    const response = await fetch(`${new URL(location, program.url)}?apiKey=${apiKey}`, {
      method: 'PATCH',
      headers: { 'tus-resumable': '1.0.0', 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
      body: 'x'.repeat(10),
    })
    expect(response.status).toBe(204)
    expect((await tus.head(location)).headers.get('upload-offset')).toBe('10')
    expect((await tus.remove(location)).status).toBe(204)
  })
})

describe('[SAFE-01] a field of the wrong kind says so in Indonesian', () => {
  const start = { source: 'klip.mp4', platform: 'lain', rtmpStream: 'rtmp://127.0.0.1:1/live/x' }
  it.each([
    ['targetOf', '/fitur/steam/start', { ...start, targetOf: 7 }, /Stream ID/],
    ['looping', '/fitur/steam/start', { ...start, looping: 'ya' }, /putar berulang/],
    ['title', '/fitur/steam/start', { ...start, title: [] }, /Judul/],
    ['accountId', '/fitur/steam/start', { ...start, accountId: {} }, /Akun/],
    ['fallback', '/fitur/steam/start', { ...start, fallback: 1 }, /Video cadangan/],
    ['accountId of TikTok', '/fitur/steamlabs/start', { accountId: 1 }, /Akun TikTok/],
    ['token', '/fitur/steamlabs/start', { token: 1 }, /Token TikTok/],
    ['title of TikTok', '/fitur/steamlabs/start', { accountId: 'a', title: 1 }, /Judul/],
  ])('%s', async (_, path, body, message) => {
    const headers = { 'x-api-key': apiKey }
    expectRefused(await call(program.url, 'POST', path, { body, headers }), 400, 'invalid_input', message)
  })

  it('half of a character in a name is refused', async () => {
    const user = { ...newUser(), username: 'budi\ud800' }
    const registered = await call(program.url, 'POST', '/auth/register', { body: user })
    expectRefused(registered, 400, 'invalid_input', /cannot be shown/)
    const { token } = await signIn(program.url)
    const renamed = await call(program.url, 'POST', '/auth/profile/username', {
      body: { username: 'ani\udc00' },
      headers: bearer(token),
    })
    expectRefused(renamed, 400, 'invalid_input', /cannot be shown/)
    const body = { ...start, title: 'judul \ud83d' }
    const titled = await call(program.url, 'POST', '/fitur/steam/start', { body, headers: { 'x-api-key': apiKey } })
    expectRefused(titled, 400, 'invalid_input')
  })
})
