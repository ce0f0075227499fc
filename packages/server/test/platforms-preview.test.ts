import { monitorEventLoopDelay } from 'node:perf_hooks'
import { startHlsSource } from '@siarin/testkit/hls-source'
import { type LoopbackHttp, serveOnLoopback } from '@siarin/testkit/loopback-http'
import { waitFor } from '@siarin/testkit/wait-for'
import { isWholeRun } from '@siarin/testkit/whole-run'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bearer, call, signIn, startProgram, type TestProgram } from './support/program.ts'

const HOUR_MS = 3_600_000
/** Two programs have it, so that one knows the tickets of the other. */
const APP_SECRET = 'satu rahasia untuk dua program'
/** The longest that everything else may wait, at five times its bound. */
const STILL_MS = 5 * 300

let host: LoopbackHttp
let program: TestProgram
/** What the foreign host was asked for, with the part of it. */
let asked: string[] = []
/** Answers that are held back until the test lets them go. */
let held: (() => void)[] = []

const MEDIA = `#EXTM3U
#EXT-X-TARGETDURATION:2
#EXT-X-KEY:METHOD=AES-128,URI="keys/1.key"
#EXT-X-MAP:URI="init.mp4"
#EXTINF:2,
video.m4s
#EXTINF:2,
evil.html
#EXTINF:2,
huge.ts
#EXTINF:2,
huge-unsaid.ts
#EXTINF:2,
gone.ts
#EXTINF:2,
slow.ts
`
/** Box after box, as an MP4 has it. */
const INIT = '\0\0\0\x10ftypiso5mp42'
const FRAGMENT = `\0\0\0\x08free\0\0\0\x10moof01234567`
/** Two packets of a transport stream. */
const PACKETS = `G${'x'.repeat(187)}`.repeat(2)
const FILES: Record<string, [type: string, body: string]> = {
  '/dir/live.m3u8': ['text/plain', MEDIA],
  '/dir/keys/1.key': ['text/html', '0123456789abcdef'],
  '/dir/init.mp4': ['video/mp4', INIT],
  '/dir/video.m4s': ['video/iso.segment; charset=x', FRAGMENT],
  '/long.m3u8': ['text/plain', `#EXTM3U\n${'#EXT-X-STREAM-INF:\na\n'.repeat(9_900)}`],
  '/dir/evil.html': ['video/mp4', '<script>alert(1)</script>'],
}

beforeAll(async () => {
  host = await serveOnLoopback(async (request, response) => {
    const { url = '', headers } = request
    asked.push(`${url} ${headers.range ?? ''}`.trim())
    const path = url.split('?')[0] ?? ''
    if (path === '/live.m3u8') response.writeHead(302, { location: '/dir/live.m3u8' }).end()
    else if (path.endsWith('slow.ts')) {
      response.writeHead(200).write(PACKETS)
      held.push(() => response.end())
    } else if (path.endsWith('huge.ts'))
      response.writeHead(200, { 'content-length': String(65 * 1024 ** 2) }).flushHeaders()
    else if (path.endsWith('huge-unsaid.ts'))
      for (let mb = 0; mb < 70; mb++) response.write(Buffer.alloc(1024 ** 2, 'G'))
    else if (path in FILES) {
      const [type, body] = FILES[path] ?? ['', '']
      const [, from, to] = /bytes=(\d+)-(\d+)/.exec(headers.range ?? '') ?? []
      if (from && to) {
        const range = `bytes ${from}-${to}/${body.length}`
        response.writeHead(206, { 'content-type': type, 'content-range': range }).end(body.slice(+from, +to + 1))
      } else response.writeHead(200, { 'content-type': type }).end(body)
    } else response.writeHead(404).end()
  })
  program = await startProgram({ APP_SECRET })
})
afterAll(async () => {
  await program.close()
  await host.close()
})

/** The address under which somebody may see a source that they have added. */
async function previewOf(url: string): Promise<string> {
  const { token } = await signIn(program.url)
  const body = { name: 'Sumber', url }
  const added = await call(program.url, 'POST', '/fitur/online/add', { headers: bearer(token), body })
  return added.body.data.previewUrl
}
const get = (path: string, headers: Record<string, string> = {}) => fetch(new URL(path, program.url), { headers })

/** The addresses of a playlist, by the order in which it names them. */
async function addressesOf(path: string): Promise<string[]> {
  const text = await (await get(path)).text()
  return [...text.matchAll(/^(\/.*)$|URI="([^"]*)"/gm)].map(([, line, uri]) => line ?? uri ?? '')
}

describe('the preview of a foreign source', () => {
  it('[LIVE-07] plays a live source whose host lets no other page read it, without any header', async () => {
    const source = await startHlsSource()
    try {
      const master = await get(await previewOf(source.masterUrl))
      expect(master.headers.get('content-type')).toContain('application/vnd.apple.mpegurl')
      expect(master.headers.get('cache-control')).toBe('no-store')
      const [media = ''] = (await master.text()).match(/^\/.*$/gm) ?? []
      expect(media).toMatch(/\/index\.m3u8$/)
      const first = await (await get(media)).text()
      expect(first).toContain('#EXT-X-MEDIA-SEQUENCE')
      const [segment = ''] = first.match(/^\/.*$/gm) ?? []
      expect(segment).toMatch(/\/part\.ts$/)
      const bytes = Buffer.from(await (await get(segment)).arrayBuffer())
      // Each packet of a transport stream begins with this byte.
      expect([bytes[0], bytes[188], bytes.length % 188]).toEqual([0x47, 0x47, 0])
      const later = await waitFor('a later playlist', async () => {
        const text = await (await get(media)).text()
        return text !== first && text
      })
      // A segment keeps its address from one playlist to the next: a player takes it for another one otherwise.
      expect(later).toContain(first.match(/^\/.*$/gm)?.at(-1))
      expect(`${first}${later}`).not.toContain(source.url.split('/')[2])
    } finally {
      await source.dispose()
    }
  })

  it('reads what a playlist names from where it was found, and passes it on as media and nothing else', async () => {
    const [key = '', init = '', video = '', html = ''] = await addressesOf(await previewOf(`${host.url}/live.m3u8`))
    for (const [path, type, body] of [
      [key, 'application/octet-stream', '0123456789abcdef'],
      [init, 'video/mp4', INIT],
      [video, 'video/iso.segment', FRAGMENT],
    ] as const) {
      const reply = await get(path)
      expect([reply.status, reply.headers.get('content-type'), await reply.text()]).toEqual([200, type, body])
      expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
      expect(reply.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
    }
    expect(asked).toContain('/dir/keys/1.key')
    // Whatever its host calls it.
    const refused = await get(html)
    expect([refused.status, await refused.json()]).toMatchObject([
      415,
      { code: 'unsupported_media_type', message: expect.stringContaining('bukan video atau audio') },
    ])
  })

  it('passes on which part was asked for', async () => {
    const [, , video = ''] = await addressesOf(await previewOf(`${host.url}/live.m3u8?part`))
    const reply = await get(video, { range: 'bytes=8-23' })
    expect([reply.status, reply.headers.get('content-range'), await reply.text()]).toEqual([
      206,
      'bytes 8-23/24',
      FRAGMENT.slice(8),
    ])
    await get(video, { range: 'bytes=0-1,3-4' })
    expect(asked.filter((one) => one.startsWith('/dir/video.m4s'))).not.toContain('/dir/video.m4s bytes=0-1,3-4')
  })

  it('passes on what a player says of the playlist that it waits for, and nothing else', async () => {
    const path = await previewOf(`${host.url}/dir/live.m3u8?token=t`)
    asked = []
    await get(`${path}?_HLS_msn=12&_HLS_part=3&_HLS_skip=YES&token=other&x=1`)
    await get(`${path}?_HLS_msn=http://x`)
    expect(asked).toEqual(['/dir/live.m3u8?token=t&_HLS_msn=12&_HLS_part=3&_HLS_skip=YES', '/dir/live.m3u8?token=t'])
  })

  it('ends at 64 MB, and says what its host says no to', async () => {
    const path = await previewOf(`${host.url}/live.m3u8?sizes`)
    const [, , , , huge = '', unsaid = '', gone = ''] = await addressesOf(path)
    expect(await get(huge).then((reply) => reply.json())).toMatchObject({ code: 'payload_too_large' })
    await expect(get(unsaid).then((reply) => reply.arrayBuffer())).rejects.toThrow()
    const reply = await get(gone)
    expect([reply.status, await reply.json()]).toMatchObject([502, { message: expect.stringContaining('404') }])
  })

  it('is over after its time, with all that it named', async () => {
    const path = await previewOf(`${host.url}/live.m3u8?time`)
    const [key = ''] = await addressesOf(path)
    program.clock.move(HOUR_MS - 60_000)
    expect((await get(path)).status).toBe(200)
    program.clock.move(HOUR_MS)
    for (const one of [path, key]) {
      const reply = await get(one)
      expect([reply.status, await reply.json()]).toMatchObject([
        410,
        { code: 'preview_ended', message: 'Pratinjau ini sudah kedaluwarsa. Pilih lagi sumbernya.' },
      ])
    }
  })

  it('shows nothing to whoever makes up an address, and stands in no log', async () => {
    const path = await previewOf(`${host.url}/live.m3u8?log`)
    const [, , , , ticket = ''] = path.split('/')
    const changed = `${ticket.slice(0, -2)}${ticket.at(-2) === 'A' ? 'B' : 'A'}${ticket.at(-1)}`
    asked = []
    for (const made of [changed, 'v1.AAAA', '-', encodeURIComponent(`${host.url}/live.m3u8`), 'x'.repeat(5000)]) {
      const reply = await get(`/fitur/online/preview/${made}/index.m3u8`)
      expect([reply.status, await reply.json()]).toMatchObject([404, { success: false }])
    }
    expect(asked).toEqual([])
    await get(path)
    expect(program.logged()).toContain('/fitur/online/preview/…/index.m3u8')
    expect(program.logged()).not.toContain(ticket)
  })

  it('is bounded for each person: eight at once, and so many in ten seconds', async () => {
    const path = await previewOf(`${host.url}/live.m3u8?busy`)
    const others = await previewOf(`${host.url}/live.m3u8?busy`)
    const slow = (await addressesOf(path)).at(-1) ?? ''
    held = []
    const playing = Array.from({ length: 8 }, () => get(slow))
    await waitFor('eight at once', async () => held.length === 8)
    const ninth = await get(path)
    expect([ninth.status, ninth.headers.get('retry-after'), await ninth.json()]).toMatchObject([
      429,
      '1',
      { code: 'rate_limited', message: 'Terlalu banyak permintaan. Tunggu sebentar, lalu coba lagi.' },
    ])
    expect((await get(others)).status).toBe(200)
    for (const release of held) release()
    for (const reply of await Promise.all(playing)) await reply.arrayBuffer()
    await waitFor('room again', async () => (await get(path)).status === 200)

    // With nothing else under way, so that it is not the bound of eight that speaks.
    await waitFor('too many in ten seconds', async () => {
      const burst = await Promise.all(Array.from({ length: 250 }, () => get(path)))
      await Promise.all(burst.map((reply) => reply.arrayBuffer()))
      return (await get(path)).status === 429
    })
    expect((await get(others)).status).toBe(200)
  })

  it.runIf(isWholeRun)(
    '[SAFE-01] holds up nobody with playlists of ten thousand addresses, however many ask for them',
    async () => {
      const path = await previewOf(`${host.url}/long.m3u8`)
      const delay = monitorEventLoopDelay({ resolution: 10 })
      delay.enable()
      const answers = await Promise.all(
        Array.from({ length: 20 }, async () => {
          const reply = await get(path)
          await reply.arrayBuffer()
          return reply.status
        }),
      )
      delay.disable()
      expect(new Set(answers)).toEqual(new Set([200, 429]))
      // Before, it stood still for seconds: for as long as all of them take.
      expect(delay.max / 1e6).toBeLessThan(STILL_MS)
    },
  )

  it('leads into no private network, by its address or by what it names', async () => {
    const strict = await startProgram({ ALLOW_PRIVATE_NETWORK: 'false', APP_SECRET })
    try {
      const path = await previewOf(`${host.url}/live.m3u8`)
      // A ticket counts with its owner's key only, which the other program has to know.
      const users = await program.db.selectFrom('users').selectAll().execute()
      await strict.db.insertInto('users').values(users).execute()
      asked = []
      const reply = await fetch(new URL(path, strict.url))
      expect([reply.status, await reply.json()]).toMatchObject([400, { code: 'source_forbidden' }])
      expect(asked).toEqual([])
    } finally {
      await strict.close()
    }
  })
})
