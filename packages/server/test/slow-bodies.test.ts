import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { RESUMABLE_UPLOAD_PATH } from '@siarin/contracts/videos'
import { makeClip } from '@siarin/testkit/clips'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signIn, startProgram, type TestProgram } from './support/program.ts'
import { drip, rawCall, requestHead } from './support/raw-http.ts'
import { locationOf, tusOf } from './support/tus.ts'

const BODY_MS = 600
const UPLOAD_WINDOW_MS = 1_200

let program: TestProgram
let folder: TempDir
let clip: Buffer
let apiKey: string

beforeAll(async () => {
  folder = await tempDir('slow-bodies')
  const file = join(folder.path, 'klip.mp4')
  await makeClip(file, { seconds: 2 })
  clip = await readFile(file)
  program = await startProgram({}, { requests: { bodyMs: BODY_MS, uploadWindowMs: UPLOAD_WINDOW_MS } })
  apiKey = (await signIn(program.url)).user.apiKey
})
afterAll(async () => {
  await program.close()
  await folder.remove()
})

const arriving = () => readdir(join(program.dataDir, 'uploads')).catch(() => [])

describe('[SAFE-01] a body that does not come', () => {
  it.each(['/auth/login', '/fitur/video/upload'])('in crumbs is cut by %s', async (path) => {
    const call = await rawCall(
      program.url,
      requestHead(`POST ${path}?apiKey=${apiKey}`, {
        'content-type': path === '/auth/login' ? 'application/json' : 'multipart/form-data; boundary=b',
        'transfer-encoding': 'chunked',
      }) + '1\r\nx\r\n'.repeat(50_000),
    )
    await waitFor('the end of the connection', async () => call.isClosed())
    expect(await arriving()).toEqual([])
  })

  it('is answered 408 in words, and its connection is closed', async () => {
    const call = await rawCall(
      program.url,
      requestHead('POST /auth/login', { 'content-type': 'application/json', 'content-length': 1_000 }),
    )
    void drip(call, 50)
    await waitFor('the end of the connection', async () => call.isClosed())
    expect(call.answer()).toMatch(/^HTTP\/1\.1 408 /)
    expect(call.answer()).toMatch(/connection: close/i)
    expect(call.answer()).toContain('"code":"request_timeout"')
    expect(call.answer()).toContain('took too long')
  })

  it.each([
    ['a call that reads none', 'GET /healthz', {}],
    ['an address that is not there', 'POST /fitur/nowhere', { 'content-type': 'application/json' }],
    ['a type that is not taken', 'POST /auth/login', { 'content-type': 'application/xml' }],
  ])('to %s is cut too', async (_, line, headers) => {
    const call = await rawCall(program.url, requestHead(line, { ...headers, 'content-length': 100_000 }))
    void drip(call, 50)
    await waitFor('the end of the connection', async () => call.isClosed())
    expect(call.answer()).toMatch(/^HTTP\/1\.1 [24]\d\d /)
  })

  it('leaves one that comes in time alone', async () => {
    const body = JSON.stringify({ email: 'siapa@gmail.com', password: 'salah-sekali' })
    const head = requestHead('POST /auth/login', {
      'content-type': 'application/json',
      'content-length': body.length,
      connection: 'close',
      'x-forwarded-for': '10.7.7.7',
    })
    const call = await rawCall(program.url, head + body.slice(0, 10))
    await sleep(BODY_MS / 4)
    call.send(body.slice(10))
    await waitFor('the answer', async () => call.isClosed())
    expect(call.answer()).toMatch(/^HTTP\/1\.1 401 /)
  })
})

describe('[SAFE-01] an upload', () => {
  const BEGIN = '--b\r\ncontent-disposition: form-data; name="video"; filename="pelan.mp4"\r\n\r\n'
  const END = '\r\n--b--\r\n'
  const formHead = (length: number) =>
    requestHead('POST /fitur/video/upload', {
      'x-api-key': apiKey,
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': length,
      connection: 'close',
    })

  it('that goes silent is cut, and nothing of it stays', async () => {
    const call = await rawCall(program.url, formHead(10_000_000) + BEGIN)
    call.send(clip.subarray(0, 50_000))
    await waitFor('the file to arrive', async () => (await arriving()).length > 0)
    await waitFor('the end of the connection', async () => call.isClosed())
    await waitFor('nothing to be left', async () => (await arriving()).length === 0)
  })

  it('that takes many times as long as a call may, and moves, is taken', async () => {
    const call = await rawCall(program.url, formHead(BEGIN.length + clip.length + END.length) + BEGIN)
    const pieces = 25
    const size = Math.ceil(clip.length / pieces)
    for (let piece = 0; piece < pieces; piece++) {
      call.send(clip.subarray(piece * size, (piece + 1) * size))
      await sleep(100)
    }
    call.send(END)
    await waitFor('the answer', async () => call.isClosed())
    expect(call.answer()).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('by tus that goes silent is cut, keeps what has come, and goes on from there', async () => {
    const tus = tusOf(program.url, apiKey)
    const location = locationOf(await tus.create(clip.length, 'diam.mp4'))
    const half = Math.floor(clip.length / 2)
    const call = await rawCall(
      program.url,
      requestHead(`PATCH ${new URL(location, program.url).pathname}`, {
        'x-api-key': apiKey,
        'tus-resumable': '1.0.0',
        'upload-offset': 0,
        'content-type': 'application/offset+octet-stream',
        'content-length': clip.length,
      }),
    )
    call.send(clip.subarray(0, half))
    await waitFor('the end of the connection', async () => call.isClosed())
    const kept = await waitFor('what has come', async () => {
      const offset = Number((await tus.head(location)).headers.get('upload-offset'))
      return offset === half && offset
    })
    expect((await tus.patch(location, kept, clip.subarray(kept))).status).toBe(204)
    expect(location).toContain(RESUMABLE_UPLOAD_PATH)
  })
})
