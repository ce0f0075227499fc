import { once } from 'node:events'
import { type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createGuard } from '../src/platform/egress/guard.ts'
import { createProxyServer } from '../src/platform/egress/source-proxy-server.ts'
import type { ShareBounds } from '../src/platform/egress/source-shares.ts'
import { isOutside, type OutsideAndInside, openOutsideAndInside } from './support/outside-inside.ts'

const chunked = (part: string, times: number): string =>
  `HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${`${part.length.toString(16)}\r\n${part}\r\n`.repeat(times)}0\r\n\r\n`

/** What is taken does not come back while a test runs. */
const BOUNDS: ShareBounds = {
  ...{ each: 32, crowdedFrom: 1_000, eachInCrowd: 16, unnamed: 1_000 },
  ...{ bytesPerSecond: 1, overSeconds: 250_000 },
}

let world: OutsideAndInside
let proxy: Server

beforeAll(async () => {
  world = await openOutsideAndInside(({ url }, answer) => {
    if (url === '/crumbs.ts') answer.socket?.write(chunked('x', 100_000))
    else if (url === '/small-parts.ts') answer.socket?.write(chunked('x'.repeat(200), 400))
    else answer.end(url === '/live.m3u8' ? `#EXTM3U${'\n'.repeat(300)}` : '')
  })
})
afterAll(() => world.close())
afterEach(() => {
  proxy.close()
  proxy.closeAllConnections()
})

async function openProxy(bounds?: ShareBounds): Promise<(path: string) => Promise<string>> {
  const guard = createGuard({ allowPrivateNetwork: false, dnsServers: [], isAllowed: isOutside })
  proxy = createProxyServer(guard, bounds).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const { port } = proxy.address() as AddressInfo
  const options = { host: '127.0.0.1', port, agent: false, headers: { 'proxy-share': 'one' } }
  return async (path) => {
    const call = request({ ...options, path: `${world.outside}/${path}` }).end()
    const [answer] = (await once(call, 'response')) as [IncomingMessage]
    return text(answer)
  }
}

describe('[SAFE-07] the proxy of sources', () => {
  it('breaks off an answer in crumbs', async () => {
    const read = await openProxy()
    expect(await read('crumbs.ts').catch(() => '')).toBe('')
  })

  it.each([
    ['requests', 'empty.ts', 7],
    ['small parts', 'small-parts.ts', 1],
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
})
