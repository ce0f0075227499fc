import { utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import fc from 'fast-check'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DomainError } from '../errors.ts'
import { createLocalStorage } from '../platform/storage/local.ts'
import { storedFile } from '../platform/storage/storage.ts'
import { answerErrors, sendError } from './error-answers.ts'
import { sendStored } from './send-stored.ts'

const BYTES = Buffer.from(Array.from({ length: 50 }, (_, index) => index))
const WRITTEN_AT = new Date('2026-03-01T10:00:00.700Z')

let folder: TempDir
let app: FastifyInstance
let etag: string

beforeAll(async () => {
  folder = await tempDir('send-stored')
  await writeFile(join(folder.path, 'file'), BYTES)
  await utimes(join(folder.path, 'file'), WRITTEN_AT, WRITTEN_AT)
  const storage = createLocalStorage(folder.path)
  app = Fastify()
  answerErrors(app)
  app.setNotFoundHandler((_, reply) => sendError(reply, new DomainError('not_found', 'none')))
  await app.register(fastifyStatic, { root: folder.path, serve: false })
  app.get('/stored/:name', async (request, reply) => {
    const { name } = request.params as { name: string }
    return sendStored(request, reply.type('video/mp4').header('Cache-Control', 'private'), storedFile(storage, name))
  })
  // A static file server that many sites rely on.
  app.get('/static/:name', async (request, reply) => {
    const { name } = request.params as { name: string }
    reply.type('video/mp4').header('Cache-Control', 'private')
    return reply.sendFile(name, folder.path, { cacheControl: false, contentType: false })
  })
  etag = String((await app.inject('/stored/file')).headers.etag)
}, 60_000)
afterAll(async () => {
  await app.close()
  await folder.remove()
})

async function ask(kind: 'stored' | 'static', name: string, method: 'GET' | 'HEAD', headers: Record<string, string>) {
  const answer = await app.inject({ method, url: `/${kind}/${name}`, headers })
  const { date: _, connection: __, ...rest } = answer.headers
  return {
    status: answer.statusCode,
    headers: rest,
    body: answer.rawPayload.toString('hex'),
  }
}

const position = fc.oneof(fc.nat(60), fc.constant(''))
/** The static file server takes a suffix longer than the file for none; RFC 9110 takes it for the whole file, see below. */
const oneRange = fc
  .tuple(position, position)
  .map(([from, to]) => `${from}-${from === '' && to !== '' ? Math.min(to, BYTES.length) : to}`)
const range = fc.oneof(
  fc.array(oneRange, { minLength: 1, maxLength: 4 }).map((ranges) => `bytes=${ranges.join(',')}`),
  fc.constantFrom('bytes=', 'bytes=a-b', 'items=0-1', 'nonsense', 'bytes=0-9, 10-19'),
)
const tags = () => fc.constantFrom('*', etag, etag.slice(2), `"other", ${etag}`, '"other"', 'W/"other"', 'nonsense')
const date = fc
  .constantFrom(-86_400_000, -1_000, 0, 1_000, 86_400_000)
  .map((offset) => new Date(Math.floor(WRITTEN_AT.getTime() / 1000) * 1000 + offset).toUTCString())
const anyDate = fc.oneof(date, fc.constant('nonsense'))
const headersOf = () =>
  fc.record(
    {
      range,
      'if-match': tags(),
      'if-none-match': tags(),
      'if-modified-since': anyDate,
      'if-unmodified-since': anyDate,
      'if-range': fc.oneof(
        tags().filter((tag) => tag !== '*'),
        anyDate,
      ),
      'cache-control': fc.constantFrom('no-cache', 'max-age=0'),
    },
    { requiredKeys: [] },
  )

describe('[API-02] a stored file', () => {
  it('is answered as a static file server answers it, whatever a reader asks for', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('GET', 'HEAD'), headersOf(), async (method, headers) => {
        const expected = await ask('static', 'file', method, headers)
        // Our error answers leave out what the static file server says of it.
        if (expected.status === 416) expected.headers['content-range'] = `bytes */${BYTES.length}`
        expect(await ask('stored', 'file', method, headers)).toEqual(expected)
      }),
      { numRuns: 1_000 },
    )
  })

  it('that is gone is not found', async () => {
    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await ask('stored', 'gone', method, {})
      expect(answer.status).toBe(404)
      expect(answer).toEqual(await ask('static', 'gone', method, {}))
    }
  })

  it('has a length and a range for a reader who asks for both', async () => {
    const answer = await ask('stored', 'file', 'GET', { range: 'bytes=10-19' })
    expect(answer).toMatchObject({ status: 206, body: BYTES.subarray(10, 20).toString('hex') })
    expect(answer.headers).toMatchObject({ 'content-range': 'bytes 10-19/50', 'content-length': '10', etag })
  })

  it('is sent whole to a reader who asks for more of its end than there is', async () => {
    const answer = await ask('stored', 'file', 'GET', { range: 'bytes=-999999999' })
    expect(answer).toMatchObject({ status: 206, body: BYTES.toString('hex') })
    expect(answer.headers).toMatchObject({ 'content-range': 'bytes 0-49/50', 'content-length': '50' })
  })

  it('says how long it is where the range is beyond its end', async () => {
    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await ask('stored', 'file', method, { range: 'bytes=50-' })
      expect([answer.status, answer.headers['content-range']]).toEqual([416, 'bytes */50'])
    }
  })
})
