import { type DnsServer, startDnsServer } from '@siarin/testkit/dns-server'
import { type LoopbackHttp, serveOnLoopback } from '@siarin/testkit/loopback-http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DATABASES, startProgramOn } from './support/databases.ts'
import { bearer, call, type Reply, signIn, startProgram, type TestProgram } from './support/program.ts'

const PLAYLIST = '#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\na.ts\n'

let host: LoopbackHttp
/** Knows no name: what the machine's own says of one is the business of its network. */
let dns: DnsServer
let hits: string[] = []

beforeAll(async () => {
  dns = await startDnsServer({})
  host = await serveOnLoopback(async ({ url = '' }, response) => {
    hits.push(url)
    if (url === '/silent') return
    if (url.startsWith('/live')) response.end(PLAYLIST)
    else if (url === '/bom.m3u8') response.end(`\uFEFF${PLAYLIST}`)
    else if (url === '/moved.m3u8') response.writeHead(302, { location: '/live.m3u8' }).end()
    else if (url === '/file.m3u8') response.writeHead(302, { location: 'file:///etc/passwd' }).end()
    else if (url === '/page') response.end('<!doctype html>#EXTM3U')
    else if (url === '/empty') response.end()
    else if (url === '/endless') response.end(`#EXTM3U\n${'#'.repeat(1024 ** 2)}`)
    else if (url === '/cut') response.writeHead(200, { 'content-length': '1000' }).write('#EXTM3U')
    else response.writeHead(url === '/busy' ? 503 : 404).end()
    if (url === '/cut') setImmediate(() => response.destroy())
  })
})
afterAll(async () => {
  await host.close()
  await dns.stop()
})

const headersOfSomeone = async (url: string) => bearer((await signIn(url)).token)

describe.each(DATABASES)('online sources on $name', ({ open }) => {
  let program: TestProgram
  let headers: Record<string, string>

  /** The headers of somebody who is refused whatever they ask for, and so has nothing. */
  let refused: Record<string, string>

  beforeAll(async () => {
    program = await startProgramOn(open, { DNS_SERVERS: dns.address })
    refused = await headersOfSomeone(program.url)
  })
  afterAll(() => program.close())

  const someone = async () => {
    headers = await headersOfSomeone(program.url)
  }
  const add = (url: string, name = 'Kamera toko'): Promise<Reply> =>
    call(program.url, 'POST', '/fitur/online/add', { headers, body: { name, url } })
  const list = (): Promise<Reply> => call(program.url, 'GET', '/fitur/online', { headers })
  const remove = (id: string): Promise<Reply> => call(program.url, 'DELETE', `/fitur/online/${id}`, { headers })

  it('[LIVE-07] are added, listed and deleted', async () => {
    await someone()
    const url = `${host.url}/live.m3u8?token=rahasia`
    const added = await add(` ${url}#t=3 `)
    const source = {
      id: expect.any(String),
      name: 'Kamera toko',
      url,
      previewUrl: expect.stringMatching(/^\/fitur\/online\/preview\/[\w.-]+\/index\.m3u8$/),
      createdAt: expect.stringMatching(/Z$/),
    }
    expect(added).toMatchObject({
      status: 200,
      body: { success: true, message: 'Sumber online ditambahkan.', data: source },
    })
    expect((await list()).body).toEqual({ success: true, message: 'Ditemukan 1 sumber online.', data: [source] })
    expect(`${await program.dump()}${program.logged()}`).not.toContain('token=rahasia')

    expect(await remove(added.body.data.id)).toMatchObject({ status: 200, body: { message: 'Sumber online dihapus.' } })
    expect((await list()).body.data).toEqual([])
    expect(await remove(added.body.data.id)).toMatchObject({
      status: 404,
      body: { message: 'Sumber online tidak ditemukan.' },
    })
  })

  it('may lie behind a redirect, and begin with a byte order mark', async () => {
    await someone()
    expect((await add(`${host.url}/moved.m3u8`)).status).toBe(200)
    expect((await add(`${host.url}/bom.m3u8`)).status).toBe(200)
  })

  it.each([
    ['', 400, 'invalid_input', /^Isi alamat HLS/],
    ['bukan alamat', 400, 'source_invalid', /^Alamat sumber tidak valid/],
    ['ftp://files.example/a.m3u8', 400, 'source_invalid', /^Alamat sumber tidak valid/],
    ['file:///etc/passwd', 400, 'source_invalid', /^Alamat sumber tidak valid/],
    ['http://user:pass@HOST/live.m3u8', 400, 'source_invalid', /^Alamat sumber tidak valid/],
    ['http://HOST/LONG', 400, 'invalid_input', /^Alamat sumber terlalu panjang/],
    ['http://no-such-host.invalid/live.m3u8', 400, 'source_invalid', /^Nama server sumber tidak ditemukan/],
    ['http://HOST/file.m3u8', 400, 'source_forbidden', /tidak boleh dipakai/],
    ['http://HOST/page', 400, 'source_invalid', /^Alamat ini bukan siaran HLS/],
    ['http://HOST/empty', 400, 'source_invalid', /^Alamat ini bukan siaran HLS/],
    ['http://HOST/endless', 400, 'source_invalid', /^Alamat ini bukan siaran HLS/],
    ['http://HOST/gone', 502, 'source_unreachable', /^Sumber menjawab 404/],
    ['http://HOST/busy', 502, 'source_unreachable', /^Sumber menjawab 503/],
    ['http://HOST/cut', 502, 'source_unreachable', /^Sumber tidak bisa dibuka/],
    ['http://127.0.0.9:PORT/live.m3u8', 502, 'source_unreachable', /^Sumber tidak bisa dibuka/],
  ])('at %s are refused in words, and not kept', async (address, status, code, message) => {
    headers = refused
    // Where our host listens, on another address of this machine, nobody does.
    const { host: where, port } = new URL(host.url)
    const reply = await add(address.replace('HOST', where).replace('LONG', 'x'.repeat(4096)).replace('PORT', port))
    expect(reply).toMatchObject({ status, body: { success: false, code } })
    expect(reply.body.message).toMatch(message)
    expect((await list()).body.data).toEqual([])
  })

  it('are one per address and user, and nobody sees those of others', async () => {
    await someone()
    const url = `${host.url}/live/sama.m3u8`
    const { body } = await add(url)
    expect(await add(url, 'Lagi')).toMatchObject({
      status: 409,
      body: { code: 'source_exists', message: 'Alamat ini sudah ada di daftar sumber Anda.' },
    })
    await someone()
    expect((await remove(body.data.id)).status).toBe(404)
    expect((await list()).body.data).toEqual([])
    expect((await add(url)).status).toBe(200)
  })

  it('are at most fifty', async () => {
    await someone()
    for (let number = 1; number <= 50; number++) await add(`${host.url}/live/${number}.m3u8`)
    expect(await add(`${host.url}/live/51.m3u8`)).toMatchObject({
      status: 409,
      body: { code: 'source_limit_reached', message: expect.stringContaining('50 sumber online') },
    })
  })

  it('are nobody’s without a session or a key', async () => {
    headers = {}
    for (const reply of [await list(), await add(`${host.url}/live.m3u8`), await remove('x')]) {
      expect(reply).toMatchObject({ status: 401, body: { message: 'API Key diperlukan.' } })
    }
  })
})

describe('a source that never answers', () => {
  it('is refused before the person gives up', async () => {
    const program = await startProgram()
    try {
      const headers = await headersOfSomeone(program.url)
      const body = { name: 'Diam', url: `${host.url}/silent` }
      expect(await call(program.url, 'POST', '/fitur/online/add', { headers, body })).toMatchObject({
        status: 502,
        body: { code: 'source_unreachable', message: expect.stringContaining('tidak bisa dibuka') },
      })
    } finally {
      await program.close()
    }
  })
})

describe('a program that keeps out of private networks', () => {
  it('opens none of their addresses for a source', async () => {
    const strict = await startProgram({ ALLOW_PRIVATE_NETWORK: 'false' })
    try {
      const headers = await headersOfSomeone(strict.url)
      hits = []
      const { port } = new URL(host.url)
      for (const name of ['127.0.0.1', 'localhost', '0x7f.1', '[::ffff:127.0.0.1]', '2130706433']) {
        const body = { name: 'Dalam', url: `http://${name}:${port}/live.m3u8` }
        expect(await call(strict.url, 'POST', '/fitur/online/add', { headers, body })).toMatchObject({
          status: 400,
          body: { code: 'source_forbidden', message: expect.stringContaining('tidak boleh dipakai') },
        })
      }
      expect(hits).toEqual([])
    } finally {
      await strict.close()
    }
  })
})
