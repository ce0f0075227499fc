import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { request, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { relayProbeArgs } from '@siarin/media/argv/relay'
import { Secret } from '@siarin/media/secret'
import { makeClip } from '@siarin/testkit/clips'
import { type DnsServer, startDnsServer } from '@siarin/testkit/dns-server'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { TEST_CERTIFICATE } from '@siarin/testkit/test-certificate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createGuard } from '../src/platform/egress/guard.ts'
import { createProxyServer } from '../src/platform/egress/source-proxy-server.ts'
import { isOutside, OUTSIDE, type OutsideAndInside, openOutsideAndInside } from './support/outside-inside.ts'

const SWITCH = 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nmore'

let world: OutsideAndInside
let dns: DnsServer
let proxy: Server
let proxyPort: number
let secure: Server
let secureUrl: string
let folder: TempDir
let segmentFile: string
let segment: Buffer
/** What the server outside says, by path. */
const pages = new Map<string, string>()
let folders = 0

/** In a folder of its own, since tests run at once. Answers which. */
function publish(files: (folder: string) => Record<string, string>): string {
  folders += 1
  const folder = `/${folders}`
  for (const [name, page] of Object.entries(files(folder))) pages.set(`${folder}/${name}`, page)
  return folder
}

beforeAll(async () => {
  folder = await tempDir('proxy')
  segmentFile = join(folder.path, 'a.ts')
  await makeClip(segmentFile, { seconds: 2 })
  segment = await readFile(segmentFile)
  world = await openOutsideAndInside((asked, answer) => {
    const { pathname, searchParams } = new URL(asked.url ?? '', 'http://outside')
    if (pathname === '/to') answer.writeHead(302, { location: searchParams.get('url') ?? '' }).end()
    else if (pathname === '/flood') for (let times = 0; times < 50; times++) answer.writeContinue()
    else if (pathname === '/switch') answer.socket?.write(SWITCH)
    else if (pathname === '/endless.ts') answer.write(segment)
    else if (pathname === '/once') answer.writeHead(200, { connection: 'close' }).end()
    else if (basename(pathname) === 'packed.m3u8') {
      answer.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(pages.get(pathname) ?? ''))
    } else if (basename(pathname) === 'radio.m3u8') {
      // Each byte is followed by a title without a letter.
      answer.writeHead(200, { 'icy-metaint': '1' }).end([...(pages.get(pathname) ?? '')].join('\0'))
    } else answer.end(pages.get(pathname) ?? segment)
  })
  secure = createTlsServer(TEST_CERTIFICATE, (asked, answer) => answer.end(pages.get(asked.url ?? '') ?? segment))
  secure.listen(0, OUTSIDE)
  await once(secure, 'listening')
  secureUrl = `https://${TEST_CERTIFICATE.name}:${(secure.address() as AddressInfo).port}`
  setDefaultCACertificates([...getCACertificates('default'), TEST_CERTIFICATE.cert])
  dns = await startDnsServer({
    'secure.test': [[OUTSIDE]],
    'other.test': [[OUTSIDE]],
    'inner.test': [['127.0.0.1']],
    'turning.test': [[OUTSIDE], ['127.0.0.1']],
  })
  proxy = createProxyServer(
    createGuard({ allowPrivateNetwork: false, dnsServers: [dns.address], isAllowed: isOutside }),
  ).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  proxyPort = (proxy.address() as AddressInfo).port
})

afterAll(async () => {
  proxy.close()
  proxy.closeAllConnections()
  secure.close()
  secure.closeAllConnections()
  world.close()
  await dns.stop()
  await folder.remove()
})

const playlist = (...lines: string[]): string =>
  ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-TARGETDURATION:2', ...lines, '#EXT-X-ENDLIST', ''].join('\n')
const listing = (address: string, ...before: string[]): string => playlist(...before, '#EXTINF:2,', address)

/** What ffprobe finds in a source, as a relay asks it. */
async function probe(address: string): Promise<string> {
  return text(startProbe(address).stdout)
}

function startProbe(address: string) {
  const args = relayProbeArgs(new Secret(address), { proxy: `http://127.0.0.1:${proxyPort}`, share: address })
  return spawn(process.env['FFPROBE_PATH'] || 'ffprobe', args, { stdio: ['ignore', 'pipe', 'ignore'] })
}

describe.concurrent('[LIVE-14] a source that ffmpeg reads through the proxy', () => {
  it('is read: playlist and segments', async () => {
    const folder = publish(() => ({ 'live.m3u8': listing('a.ts') }))
    expect(await probe(`${world.outside}${folder}/live.m3u8`)).toContain('"h264"')
    expect(world.asked()).toContain(`${folder}/a.ts`)
  })

  it('is read over TLS, with everything that it names', async () => {
    const folder = publish((own) => ({
      'live.m3u8': `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n${secureUrl}${own}/media.m3u8`,
      'media.m3u8': listing('a.ts'),
    }))
    expect(await probe(`${secureUrl}${folder}/live.m3u8`)).toContain('"h264"')
    const media = encodeURIComponent(`${secureUrl}${folder}/media.m3u8`)
    expect(await probe(`${world.outside}/to?url=${media}`)).toContain('"h264"')
  })

  it('is not read over TLS where the certificate is of another name', async () => {
    const folder = publish(() => ({ 'live.m3u8': listing('a.ts') }))
    expect(await probe(`${secureUrl.replace('secure.test', 'other.test')}${folder}/live.m3u8`)).not.toContain('"h264"')
  })

  const inward: [string, () => string][] = [
    ['segment', () => listing(`${world.inside}/a.ts`)],
    ['segment by name', () => listing(`${world.inside.replace('127.0.0.1', 'inner.test')}/a.ts`)],
    ['segment over TLS', () => listing(`${world.inside.replace('http:', 'https:')}/a.ts`)],
    ['segment without its scheme', () => listing(`${world.inside.replace('http:', '')}/a.ts`)],
    ['segment in hex', () => listing(`${world.inside.replace('127.0.0.1', '0x7f000001')}/a.ts`)],
    ['segment behind a redirect', () => listing(`/to?url=${encodeURIComponent(`${world.inside}/a.ts`)}`)],
    ['key', () => listing('a.ts', `#EXT-X-KEY:METHOD=AES-128,URI="${world.inside}/k"`)],
    ['map', () => listing('a.ts', `#EXT-X-MAP:URI="${world.inside}/i.mp4"`)],
    ['variant', () => `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n${world.inside}/live.m3u8\n`],
    [
      'sound that lies apart',
      () =>
        `#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="a",URI="${world.inside}/live.m3u8"\n#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="a"\nmedia.m3u8\n`,
    ],
    ["segment by ffmpeg's httpproxy", () => listing(`httpproxy://127.0.0.1:${world.insidePort}/a.ts`)],
    ["segment by ffmpeg's tcp", () => listing(`tcp://127.0.0.1:${world.insidePort}/a.ts`)],
    ["segment by ffmpeg's crypto", () => listing(`crypto+${world.inside}/a.ts`)],
    [
      "key by ffmpeg's httpproxy",
      () => listing('a.ts', `#EXT-X-KEY:METHOD=AES-128,URI="httpproxy://127.0.0.1:${world.insidePort}/k"`),
    ],
    ['segment by the proxy itself', () => listing(`http://127.0.0.1:${proxyPort}/hold`)],
  ]
  it.each(inward)('reaches nothing inside: %s', async (_what, page) => {
    const folder = publish(() => ({ 'live.m3u8': page(), 'media.m3u8': listing('a.ts') }))
    await probe(`${world.outside}${folder}/live.m3u8`)
    expect(world.asked()).toContain(`${folder}/live.m3u8`)
    expect(world.reached()).toBe(0)
  })

  it('reads no file of this machine', async () => {
    const folder = publish(() => ({ 'live.m3u8': listing(`file://${segmentFile}`) }))
    expect(await probe(`${world.outside}${folder}/live.m3u8`)).not.toContain('"h264"')
    expect(world.asked()).toContain(`${folder}/live.m3u8`)
  })

  const byTcp = () => `tcp://127.0.0.1:${world.insidePort}/live.m3u8`
  const variantByTcp = () => `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n${byTcp()}\n`
  const soundByTcp = (uri: string) =>
    `#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="a",${uri}\n#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="a"\nmedia.m3u8\n`
  const pastTheProxy: [string, string, () => string][] = [
    ['variant', 'live.m3u8', variantByTcp],
    ['variant after a lone carriage return', 'live.m3u8', () => variantByTcp().replaceAll('\n', '\r')],
    ['variant after a zero', 'live.m3u8', () => variantByTcp().replaceAll('\n', '\0')],
    ['sound that lies apart', 'live.m3u8', () => soundByTcp(`URI="${byTcp()}"`)],
    ['sound without quotes', 'live.m3u8', () => soundByTcp(`URI=${byTcp()}`)],
    ['sound behind a backslash', 'live.m3u8', () => soundByTcp(`URI="\\${byTcp()}"`)],
    ['variant in a packed playlist', 'packed.m3u8', variantByTcp],
    ['variant in a playlist between titles of a radio', 'radio.m3u8', variantByTcp],
    [
      'variant in a playlist behind a tag',
      'live.m3u8',
      () => `ID3\x04${'\0'.repeat(5)}\x0a${'\0'.repeat(10)}${variantByTcp()}`,
    ],
  ]
  it.each(pastTheProxy)("reaches nothing by ffmpeg's tcp: %s", async (_what, name, page) => {
    const folder = publish(() => ({ [name]: page(), 'media.m3u8': listing('a.ts') }))
    await probe(`${world.outside}${folder}/${name}`)
    expect(world.asked()).toContain(`${folder}/${name}`)
    expect(world.reached()).toBe(0)
  })

  it.each([
    ['as it is', '', ''],
    ['behind a redirect', '/to?url=', ''],
    ['that also names segments', '', listing('/endless.ts')],
  ])('[SAFE-07] is read in one variant and its sound, however many it names: %s', async (_how, before, more) => {
    const sounds = Array.from(
      { length: 40 },
      (_, at) => `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="${at}",URI="sound.m3u8?${at}"\n`,
    )
    const variants = Array.from(
      { length: 300 },
      (_, at) => `#EXT-X-STREAM-INF:BANDWIDTH=${at},RESOLUTION=1x${at},AUDIO="a"\npicture.m3u8?${at}\n`,
    )
    const folder = publish(() => ({
      'live.m3u8': `#EXTM3U\n${sounds.join('')}${variants.join('')}${more}`,
      'picture.m3u8': listing('a.ts'),
      'sound.m3u8': listing('b.ts'),
    }))
    const found = await probe(`${world.outside}${before}${folder}/live.m3u8#height=200`)
    expect(found).toContain('"h264"')
    expect(new Set(world.asked().filter((path) => path.startsWith(`${folder}/`)))).toEqual(
      new Set(['live.m3u8', 'picture.m3u8?200', 'sound.m3u8?0', 'a.ts', 'b.ts'].map((name) => `${folder}/${name}`)),
    )
  })

  it('may hold such addresses and is read without them', async () => {
    const folder = publish(() => ({
      'live.m3u8': playlist('#EXTINF:2,', 'a.ts', '#EXTINF:2,', `${world.inside}/b.ts`),
    }))
    expect(await probe(`${world.outside}${folder}/live.m3u8`)).toContain('"h264"')
    expect(world.reached()).toBe(0)
  })
})

describe('[LIVE-14] the proxy', () => {
  const ask = async (path: string, method = 'GET', headers = {}): Promise<number> => {
    const call = request({ host: '127.0.0.1', port: proxyPort, path, method, headers, agent: false }).end()
    return new Promise((resolve, reject) => {
      call.once('error', reject)
      call.once('response', (answer) => {
        answer.resume()
        resolve(answer.statusCode ?? 0)
      })
      call.once('connect', (answer) => resolve(answer.statusCode ?? 0))
    })
  }

  it.each([
    ['an inner address', () => world.inside, 403],
    ['an inner name', () => world.inside.replace('127.0.0.1', 'inner.test'), 403],
    ['an inner address over TLS', () => `http://127.0.0.1.tls.invalid:${world.insidePort}/`, 403],
    ['a port of mail', () => `http://${OUTSIDE}:25/`, 403],
    ['a password', () => world.outside.replace('//', '//a:b@'), 403],
    ['another scheme', () => 'ftp://example.com/', 403],
    ['https as it is', () => 'https://example.com/', 403],
    ['no host', () => '/x', 403],
    ['a redirect to a file', () => `${world.outside}/to?url=file:///etc/passwd`, 403],
    ['a name that is not known', () => 'http://unknown.test/', 502],
    ['nobody there', () => `http://${OUTSIDE}:2/`, 502],
    ['one that says nothing but that we may go on', () => `${world.outside}/flood`, 502],
    ['one that switches to another protocol', () => `${world.outside}/switch`, 502],
  ])('answers %s', async (_what, address, status) => {
    expect(await ask(address())).toBe(status)
    expect(world.reached()).toBe(0)
  })

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'CONNECT'])('answers %s with 405', async (method) => {
    expect(await ask(method === 'CONNECT' ? `127.0.0.1:${world.insidePort}` : world.outside, method)).toBe(405)
  })

  it('does not follow a name that leads inside by now', async () => {
    const address = `${world.outside.replace(OUTSIDE, 'turning.test')}/once`
    expect(await ask(address)).toBe(200)
    expect(await ask(address)).toBe(403)
    expect(world.reached()).toBe(0)
  })

  it.each([
    ['that is packed', 'packed.m3u8', ''],
    ['of too many lines', 'live.m3u8', '//a\n'.repeat(20_000)],
    ['of too many bytes', 'live.m3u8', `#${'a'.repeat(512 * 1024)}`],
  ])('answers a playlist %s with 502', async (_what, name, rest) => {
    const folder = publish(() => ({ [name]: `#EXTM3U\n${rest}` }))
    expect(await ask(`${world.outside}${folder}/${name}`)).toBe(502)
  })

  it('[SAFE-07] refuses a stream that has too many connections, and no other', async () => {
    const open = (name: string): Promise<number> =>
      new Promise((resolve, reject) => {
        const options = { host: '127.0.0.1', port: proxyPort, agent: false, headers: { 'proxy-share': name } }
        request({ ...options, path: `${world.outside}/endless.ts` }, ({ statusCode }) => resolve(statusCode ?? 0))
          .once('error', reject)
          .end()
      })
    const statuses = await Promise.all(Array.from({ length: 40 }, () => open('greedy')))
    expect(statuses.filter((status) => status === 200)).toHaveLength(32)
    expect(new Set(statuses)).toEqual(new Set([200, 503]))
    expect(await open('modest')).toBe(200)
  })

  it('believes the address, not the header', async () => {
    expect(await ask(world.inside, 'GET', { host: OUTSIDE })).toBe(403)
    expect(await ask(world.outside, 'GET', { host: '127.0.0.1' })).toBe(200)
  })
})
