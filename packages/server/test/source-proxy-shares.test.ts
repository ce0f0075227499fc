import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createGuard } from '../src/platform/egress/guard.ts'
import { createProxyServer } from '../src/platform/egress/source-proxy-server.ts'
import type { ShareBounds } from '../src/platform/egress/source-shares.ts'
import { isOutside, type OutsideAndInside, openOutsideAndInside } from './support/outside-inside.ts'

const chunked = (part: string, times: number): string =>
  `HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${`${part.length.toString(16)}\r\n${part}\r\n`.repeat(times)}0\r\n\r\n`

/** Each of its parts has 4 kB beside it that belong to no body. */
const wordy = `HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${`200;${'x'.repeat(4_000)}\r\n${'x'.repeat(512)}\r\n`.repeat(30)}0\r\n\r\n`

/** What is taken does not come back while a test runs. */
const BOUNDS: ShareBounds = {
  ...{ each: 32, crowdedFrom: 1_000, eachInCrowd: 16, unnamed: 1_000 },
  ...{ bytesPerSecond: 1, overSeconds: 385_000 },
  kept: { each: 2, inAll: 3 },
}

let world: OutsideAndInside
let proxy: Server

beforeAll(async () => {
  world = await openOutsideAndInside(({ url }, answer) => {
    if (url === '/crumbs.ts') answer.socket?.write(chunked('x', 100_000))
    else if (url === '/small-parts.ts') answer.socket?.write(chunked('x'.repeat(200), 400))
    else if (url === '/wordy.ts') answer.socket?.write(wordy)
    else if (url === '/endless.ts')
      answer.socket?.write(`${chunked('x'.repeat(1_024), 1).slice(0, -5)}${'0'.repeat(500_000)}`)
    else if (url === '/closed.ts') answer.writeHead(200, { connection: 'close' }).end()
    else answer.end(url === '/live.m3u8' ? `#EXTM3U${'\n'.repeat(300)}` : '')
  })
})
afterAll(() => world.close())
afterEach(() => {
  proxy.close()
  proxy.closeAllConnections()
})

async function openProxy(bounds?: ShareBounds, isAllowed = isOutside) {
  const guard = createGuard({ allowPrivateNetwork: false, dnsServers: [], isAllowed })
  proxy = createProxyServer(guard, bounds).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const { port } = proxy.address() as AddressInfo
  const options = { host: '127.0.0.1', port, agent: false }
  return async (path: string, { server = world.outside, share = 'one' } = {}): Promise<string> => {
    const call = request({ ...options, headers: { 'proxy-share': share }, path: `${server}/${path}` }).end()
    const [answer] = (await once(call, 'response')) as [IncomingMessage]
    return text(answer)
  }
}

/** One server at many addresses, which tells to which of them there are connections, the newest last. It ends none by itself. */
async function serveManyHosts() {
  const open = new Set<Socket>()
  let connections = 0
  const server = createServer((_asked, answer) => answer.end('x')).listen(0, '0.0.0.0')
  server.keepAliveTimeout = 0
  server.on('connection', (socket) => {
    connections++
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    host: (number: number) => `http://127.0.1.${number}:${port}`,
    open: () => [...open].map(({ localAddress }) => Number(localAddress?.split('.').at(-1))),
    connections: () => connections,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

describe('[SAFE-07] the proxy of sources', () => {
  it('breaks off an answer in crumbs', async () => {
    const read = await openProxy()
    expect(await read('crumbs.ts').catch(() => '')).toBe('')
  })

  it('breaks off an answer with a size of a part that has no end', async () => {
    const read = await openProxy()
    expect(await Promise.race([read('endless.ts').catch(() => 'ended'), sleep(10_000, 'open')])).toBe('ended')
  })

  it.each([
    ['requests', 'empty.ts', 7],
    ['connections', 'closed.ts', 3],
    ['small parts', 'small-parts.ts', 1],
    ['what stands between parts', 'wordy.ts', 1],
    ['empty lines of playlists', 'live.m3u8', 1],
  ])('counts %s in the share of a stream', async (_what, path, times) => {
    const read = await openProxy(BOUNDS)
    const isRead = () =>
      Promise.race([
        read(path).then(
          () => true,
          () => false,
        ),
        sleep(3_000, false),
      ])
    let count = 0
    while (count < 12 && (await isRead())) count++
    expect(count).toBe(times)
  })

  it('keeps few connections to sources, of a stream and in all, and those that were used last', async () => {
    const source = await serveManyHosts()
    const read = await openProxy({ ...BOUNDS, overSeconds: 2_000_000 }, () => true)
    const readFrom = (share: string, hosts: readonly number[]) =>
      hosts.reduce(
        (before, host) => before.then(() => read('', { share, server: source.host(host) })),
        Promise.resolve(''),
      )
    const areOpen = (...hosts: number[]) =>
      waitFor(`connections to ${hosts}`, async () => isDeepStrictEqual(source.open(), hosts), { timeoutMs: 10_000 })
    await readFrom('one', [1, 2, 3, 4, 5])
    await areOpen(4, 5)
    await readFrom('other', [6])
    await areOpen(4, 5, 6)
    // Used again, the connection to this one is no longer what was kept longest.
    await readFrom('one', [4])
    await readFrom('third', [7])
    await areOpen(4, 6, 7)
    expect(source.connections()).toBe(7)
    source.close()
  })
})
