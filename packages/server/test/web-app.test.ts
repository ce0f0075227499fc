import { mkdir, writeFile } from 'node:fs/promises'
import { get, type IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerErrors } from '../src/http/error-answers.ts'
import { serveWebApp } from '../src/http/web-app.ts'

const SCRIPT = `console.log("${'siaran '.repeat(200)}")`
const VIDEO = Buffer.from(Array.from({ length: 5000 }, (_, index) => index % 251))
const PAGE = '<!doctype html><head><!--siarin-settings--></head><div id="root"></div>'

let folder: TempDir
let app: FastifyInstance
let url: string

beforeAll(async () => {
  folder = await tempDir('web-app')
  const assets = join(folder.path, 'assets')
  await mkdir(assets)
  await writeFile(join(folder.path, 'index.html'), PAGE)
  await writeFile(join(folder.path, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  await writeFile(join(assets, 'app-abc123.js'), SCRIPT)
  await writeFile(join(assets, 'app-abc123.js.br'), brotliCompressSync(SCRIPT))
  await writeFile(join(assets, 'app-abc123.js.gz'), gzipSync(SCRIPT))
  await writeFile(join(assets, 'film-abc123.mp4'), VIDEO)

  app = Fastify()
  answerErrors(app)
  await serveWebApp(app, folder.path, () => ({
    brand: 'Ruang </script> Tayang',
    whatsappNumber: '',
    trialDays: 1,
    server: 'http://siarin.test',
    videoServiceUrl: '',
    sendsMail: false,
  }))
  url = await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  await app.close()
  await folder.remove()
})

interface Reply {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/** Not fetch: that one decompresses and hides the encoding. */
const ask = (path: string, headers: Record<string, string> = {}): Promise<Reply> =>
  new Promise((resolve, reject) => {
    get(`${url}${path}`, { headers, agent: false }, async (reply) => {
      const body = Buffer.concat(await reply.toArray())
      resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body })
    }).on('error', reject)
  })

describe('an asset of the page', () => {
  it('comes as brotli to whoever takes it, also when gzip stands first', async () => {
    const { status, headers, body } = await ask('/assets/app-abc123.js', { 'accept-encoding': 'gzip, deflate, br' })
    expect(status).toBe(200)
    expect(headers['content-encoding']).toBe('br')
    expect(headers['content-type']).toMatch(/\bjavascript\b/)
    expect(brotliDecompressSync(body).toString()).toBe(SCRIPT)
  })

  it('comes as gzip where brotli is not taken, or refused', async () => {
    for (const accepted of ['gzip', 'gzip, br;q=0']) {
      const { headers, body } = await ask('/assets/app-abc123.js', { 'accept-encoding': accepted })
      expect(headers['content-encoding']).toBe('gzip')
      expect(Number(headers['content-length'])).toBe(body.length)
      expect(gunzipSync(body).toString()).toBe(SCRIPT)
    }
  })

  it('comes as it is to whoever takes neither', async () => {
    for (const headers of [{}, { 'accept-encoding': 'identity' }]) {
      const reply = await ask('/assets/app-abc123.js', headers)
      expect(reply.headers['content-encoding']).toBeUndefined()
      expect(reply.body.toString()).toBe(SCRIPT)
    }
  })

  it('tells caches that its encodings differ, and gives each a tag of its own', async () => {
    const accepted = ['br', 'gzip', 'identity']
    const replies = await Promise.all(accepted.map((one) => ask('/assets/app-abc123.js', { 'accept-encoding': one })))
    for (const { headers } of replies) expect(headers.vary?.toLowerCase()).toContain('accept-encoding')
    expect(new Set(replies.map(({ headers }) => headers.etag)).size).toBe(3)
  })

  it('may be kept for a year without asking again', async () => {
    const { headers } = await ask('/assets/app-abc123.js', { 'accept-encoding': 'br' })
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
  })

  it('answers 304 to whoever has it', async () => {
    const { headers } = await ask('/assets/app-abc123.js')
    const again = await ask('/assets/app-abc123.js', { 'if-none-match': headers.etag ?? '' })
    expect(again.status).toBe(304)
    expect(again.body).toHaveLength(0)
  })

  it('is refused with 404 and JSON when an older build had it, even if a page is asked for', async () => {
    for (const accept of ['*/*', 'text/html']) {
      const { status, headers, body } = await ask('/assets/app-older.js', { accept, 'accept-encoding': 'br' })
      expect(status).toBe(404)
      expect(headers['cache-control']).toBeUndefined()
      expect(JSON.parse(body.toString())).toMatchObject({ success: false, code: 'not_found' })
    }
  })
})

describe('a video of the page', () => {
  it('comes in parts, never compressed', async () => {
    const { status, headers, body } = await ask('/assets/film-abc123.mp4', {
      range: 'bytes=1000-1099',
      'accept-encoding': 'gzip, br',
    })
    expect(status).toBe(206)
    expect(headers['content-range']).toBe(`bytes 1000-1099/${VIDEO.length}`)
    expect(headers['content-type']).toBe('video/mp4')
    expect(headers['content-encoding']).toBeUndefined()
    expect(body.equals(VIDEO.subarray(1000, 1100))).toBe(true)
  })

  it('says that parts can be had, and refuses one beyond its end', async () => {
    expect((await ask('/assets/film-abc123.mp4')).headers['accept-ranges']).toBe('bytes')
    expect((await ask('/assets/film-abc123.mp4', { range: 'bytes=9000-' })).status).toBe(416)
  })
})

describe('the page itself', () => {
  it.each(['/', '/login', '/documentation/siaran-pertama'])('is asked for anew each time at %s', async (path) => {
    const { status, headers, body } = await ask(path, { accept: 'text/html,*/*;q=0.8' })
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('no-cache')
    expect(headers.vary?.toLowerCase()).toContain('accept')
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(body.toString()).toContain('<div id="root">')
  })

  it('carries the settings as data that cannot end their own block', async () => {
    const html = (await ask('/', { accept: 'text/html' })).body.toString()
    expect(html.match(/<\/script>/g)).toHaveLength(1)
    const json = /<script type="application\/json"[^>]*>(.*)<\/script>/.exec(html)?.[1] ?? ''
    expect(JSON.parse(json)).toMatchObject({ brand: 'Ruang </script> Tayang', trialDays: 1 })
  })

  it('is not what a program gets at an address that does not exist', async () => {
    const { status, body } = await ask('/fitur/nowhere', { accept: 'application/json' })
    expect(status).toBe(404)
    expect(JSON.parse(body.toString())).toMatchObject({ success: false, code: 'not_found' })
  })

  it('leaves the other files where they are', async () => {
    const { status, headers } = await ask('/favicon.svg')
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('image/svg+xml')
  })
})
