import { mkdir, writeFile } from 'node:fs/promises'
import { get, type IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { type BuiltPage, PAGE_LIST_FILE } from '@siarin/contracts/prerendered'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerErrors } from '../src/http/error-answers.ts'
import { servePagesAtCalls } from '../src/http/pages-at-calls.ts'
import { serveWebApp } from '../src/http/web-app.ts'

const SCRIPT = `console.log("${'siaran '.repeat(200)}")`
const VIDEO = Buffer.from(Array.from({ length: 5000 }, (_, index) => index % 251))
const page = (words: string): string =>
  `<!doctype html><head><title>⟦brand⟧ - ${words}</title><!--siarin-settings--></head><div id="root">${words}</div>`
const EVERY_WAY = ['no-mail no-chat', 'no-mail chat', 'mail no-chat', 'mail chat']
const builtPage = (path: string, file: string): BuiltPage => ({
  path,
  listed: path !== '*',
  files: Object.fromEntries(EVERY_WAY.map((key) => [key, `pages/${file}.html`])),
})

let folder: TempDir
let app: FastifyInstance
let url: string

beforeAll(async () => {
  folder = await tempDir('web-app')
  const assets = join(folder.path, 'assets')
  await mkdir(assets)
  await mkdir(join(folder.path, 'pages'))
  const pages = [
    builtPage('/', 'home'),
    builtPage('/login', 'login'),
    builtPage('/fitur/both', 'both'),
    builtPage('*', 'not-found'),
  ]
  await writeFile(join(folder.path, PAGE_LIST_FILE), JSON.stringify(pages))
  for (const name of ['home', 'login', 'both', 'not-found'])
    await writeFile(join(folder.path, 'pages', `${name}.html`), page(name))
  await writeFile(join(folder.path, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  await writeFile(join(assets, 'app-abc123.js'), SCRIPT)
  await writeFile(join(assets, 'app-abc123.js.br'), brotliCompressSync(SCRIPT))
  await writeFile(join(assets, 'app-abc123.js.gz'), gzipSync(SCRIPT))
  await writeFile(join(assets, 'film-abc123.mp4'), VIDEO)

  app = Fastify()
  answerErrors(app)
  servePagesAtCalls(app, true)
  app.get('/fitur/both', { config: { alsoPage: true } }, async () => ({ success: true }))
  await serveWebApp(
    app,
    folder.path,
    { brand: 'Ruang </script> Tayang', whatsappNumber: '', trialDays: 1, videoServiceUrl: '', sendsMail: false },
    () => 'http://siarin.test',
  )
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

describe('[SAFE-07] what a stranger sends', () => {
  it.each<[string, string, Record<string, string>, number]>([
    ['a path of slashes', `${'/'.repeat(15_000)}x`, {}, 404],
    ['a tag with spaces in it', '/', { 'if-none-match': `"a${' '.repeat(15_000)}b"` }, 200],
    ['encodings with spaces between them', '/', { 'accept-encoding': `gzip${' '.repeat(15_000)}b` }, 200],
  ])('holds nobody up: %s', async (_, path, headers, status) => {
    const begun = process.cpuUsage()
    expect((await ask(path, { ...headers, accept: 'text/html' })).status).toBe(status)
    const { user, system } = process.cpuUsage(begun)
    // Twenty milliseconds, at five times that bound.
    expect((user + system) / 1000).toBeLessThan(100)
  })
})

describe('an address that is a screen and a call', () => {
  it('gives the page to a browser that goes there, and the answer to everybody else; neither is kept for the other', async () => {
    const shown = await ask('/fitur/both?a=b', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' })
    expect(shown).toMatchObject({ status: 200, headers: { vary: 'Accept, Accept-Encoding' } })
    expect(shown.body.toString()).toContain('<div id="root">both</div>')
    for (const accept of ['application/json, text/plain, */*', '*/*']) {
      const { headers, body } = await ask('/fitur/both', { accept })
      expect(JSON.parse(body.toString())).toEqual({ success: true })
      expect(headers).toMatchObject({ vary: 'Accept, Accept-Encoding', 'cache-control': 'no-store' })
    }
  })
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

describe('a page', () => {
  it.each([
    ['/', 'text/html,*/*;q=0.8'],
    ['/login', '*/*'],
    ['/login?from=chat', 'application/json'],
    ['/Login/', 'nonsense'],
  ])('comes at %s to who accepts %s, and is asked for anew each time', async (path, accept) => {
    const { status, headers, body } = await ask(path, { accept })
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('no-cache')
    expect(headers.vary).toBe('Accept-Encoding')
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(body.toString()).toContain(`<div id="root">${path === '/' ? 'home' : 'login'}</div>`)
  })

  it('comes packed to who takes that, in the same words', async () => {
    const plain = await ask('/login')
    expect(plain.headers['content-encoding']).toBeUndefined()
    const br = await ask('/login', { 'accept-encoding': 'gzip, deflate, br' })
    expect(br.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(br.body).toString()).toBe(plain.body.toString())
    for (const accepted of ['gzip', 'br;q=0, gzip;q=0.5', 'br; q=0.0,gzip']) {
      const gz = await ask('/login', { 'accept-encoding': accepted })
      expect(gz.headers['content-encoding'], accepted).toBe('gzip')
      expect(gunzipSync(gz.body).toString()).toBe(plain.body.toString())
    }
  })

  it('answers 304 to who has it', async () => {
    const { headers } = await ask('/login')
    const again = await ask('/login', { 'if-none-match': headers.etag ?? '' })
    expect(again.status).toBe(304)
    expect(again.body).toHaveLength(0)
    expect((await ask('/', { 'if-none-match': headers.etag ?? '' })).status).toBe(200)
  })

  it('carries the settings as data that cannot end their own block', async () => {
    const html = (await ask('/', { accept: 'text/html' })).body.toString()
    expect(html.match(/<\/script>/g)).toHaveLength(1)
    expect(html).toContain('<title>Ruang &lt;/script&gt; Tayang - home</title>')
    const json = /<script type="application\/json"[^>]*>(.*)<\/script>/.exec(html)?.[1] ?? ''
    expect(JSON.parse(json)).toMatchObject({ brand: 'Ruang </script> Tayang', trialDays: 1 })
  })

  it('that does not exist is 404, with words for people and JSON for programs', async () => {
    for (const [path, accept] of [
      ['/tidak-ada', '*/*'],
      ['/tidak-ada', 'text/html'],
      ['/fitur/tidak-ada', 'text/html,*/*;q=0.8'],
    ] as const) {
      const { status, headers, body } = await ask(path, { accept })
      expect(status, path).toBe(404)
      expect(headers.vary).toContain('Accept')
      expect(body.toString()).toContain('<div id="root">not-found</div>')
    }
    for (const [path, accept] of [
      ['/fitur/nowhere', '*/*'],
      ['/tidak-ada', 'application/json'],
    ] as const) {
      const { status, body } = await ask(path, { accept })
      expect(status).toBe(404)
      expect(JSON.parse(body.toString())).toMatchObject({ success: false, code: 'not_found' })
    }
  })

  it('is no file that can be had as it was built', async () => {
    for (const path of ['/pages/home.html', '/pages/pages.json']) expect((await ask(path)).status, path).toBe(404)
  })

  it('leaves the other files where they are', async () => {
    const { status, headers } = await ask('/favicon.svg')
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('image/svg+xml')
  })
})
