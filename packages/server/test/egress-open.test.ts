import { type AddressInfo, createServer, Socket } from 'node:net'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { startDnsServer } from '@siarin/testkit/dns-server'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createEgress } from '../src/platform/egress/egress.ts'
import { smallCall } from '../src/platform/egress/small-call.ts'
import { isOutside, type OutsideAndInside, openOutsideAndInside } from './support/outside-inside.ts'

let world: OutsideAndInside
const egress = createEgress({ allowPrivateNetwork: false, dnsServers: [], isAllowed: isOutside })
const signal = () => AbortSignal.timeout(20_000)
const open = (address: string) => egress.open(new URL(address), { signal: signal() })

beforeAll(async () => {
  world = await openOutsideAndInside((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://outside')
    if (pathname === '/to') response.writeHead(302, { location: searchParams.get('url') ?? '' }).end()
    else if (pathname === '/round') response.writeHead(301, { location: '/round' }).end()
    else if (pathname === '/away') response.writeHead(410).end()
    else response.end('isi')
  })
})
afterAll(() => world.close())

const via = (address: string): string => `${world.outside}/to?url=${encodeURIComponent(address)}`

describe('[SAFE-01] a server that plays tricks', () => {
  const dripping = (socket: Socket, words: string) => {
    const timer = setInterval(() => socket.write(words), 50)
    socket.once('close', () => clearInterval(timer))
  }
  const TRICKS: Record<string, (socket: Socket) => void> = {
    'switches to another protocol': (socket) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nmore'),
    'switches without a connection that is to be': (socket) =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n'),
    'says nothing but that we may go on': (socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\n'.repeat(50)),
    'sends its head byte by byte': (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nx: ')
      dripping(socket, 'x')
    },
    'sends its body byte by byte': (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      dripping(socket, 'x')
    },
    'sends parts of one byte': (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
      dripping(socket, '1\r\nx\r\n')
    },
    'switches without saying to what': (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
    'sends no word': () => {},
  }

  it.each(Object.entries(TRICKS))(
    '%s is waited for no longer than was said',
    async (_what, answer) => {
      const server = createServer((socket) => {
        socket.on('error', () => {})
        socket.once('data', () => answer(socket))
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as AddressInfo
      const free = createEgress({ allowPrivateNetwork: true, dnsServers: [] })
      const fetched = free
        .open(new URL(`http://127.0.0.1:${port}/`), { signal: AbortSignal.timeout(1_000) })
        .then(({ body }) => text(body))
      await expect(fetched).rejects.toThrow()
      server.close()
    },
    20_000,
  )
})

describe('[SAFE-07] an answer', () => {
  const free = createEgress({ allowPrivateNetwork: true, dnsServers: [] })
  const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
  const chunked = (part: string, times: number): string =>
    `${CHUNKED}${`${part.length.toString(16)}\r\n${part}\r\n`.repeat(times)}0\r\n\r\n`
  const crumbs = chunked('x', 100_000)

  /** A server that says this. */
  async function serving<T>(answer: string, work: (url: URL) => Promise<T>): Promise<T> {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.write(answer))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      return await work(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`))
    } finally {
      server.close()
    }
  }
  const opened = async (url: URL) => text((await free.open(url, { signal: signal() })).body)
  const posted = (url: URL) =>
    free.post(url, { headers: {}, body: '', timeoutMs: 10_000, mostBytes: 1_000_000, signal: signal() })
  const called = (url: URL) => smallCall(url, free, { method: 'GET', signal: signal(), mostBytes: 1_000_000 })

  /** The largest piece of what has been read that the parser was given. */
  function largestPiece(): () => number {
    const push = vi.spyOn(Readable.prototype, 'push')
    return () => {
      const sizes = push.mock.calls.map(([part], at) => (push.mock.contexts[at] instanceof Socket && part?.length) || 0)
      return Math.max(...sizes)
    }
  }
  afterEach(() => void vi.restoreAllMocks())

  it('in crumbs is broken off, in small pieces, wherever it is read', async () => {
    const largest = largestPiece()
    await expect(serving(crumbs, opened)).rejects.toThrow()
    await expect(serving(crumbs, called)).rejects.toThrow()
    // Its head was an answer.
    const { status, text: read } = await serving(crumbs, posted)
    expect(status).toBe(200)
    expect(read.length).toBeLessThan(1_000)
    expect(largest()).toBeLessThan(10_000)
  })

  it('that comes line by line, or packet by packet, is read', async () => {
    const line = `${'x'.repeat(39)}\n`
    for (const [part, times] of [
      [line, 600],
      ['x'.repeat(188), 10_000],
    ] as const) {
      expect(await serving(chunked(part, times), opened)).toHaveLength(part.length * times)
    }
  })

  it.each([
    ['before its first part', CHUNKED],
    ['between two parts', `${CHUNKED}400\r\n${'x'.repeat(1_024)}\r\n`],
  ])('with a size of a part that has no end is given up: %s', async (_where, begin) => {
    const endless = begin + '0'.repeat(500_000)
    await expect(serving(endless, opened)).rejects.toThrow('unreachable')
    await expect(serving(endless, called)).rejects.toMatchObject({ code: 'closed' })
    const { status, text: read } = await serving(endless, posted)
    expect(status).toBe(200)
    expect(read).toBe('x'.repeat(begin.length > 500 ? 1_024 : 0))
  })

  it('with many words beside its parts is read, and its connection is used again', async () => {
    let connections = 0
    const answer = `${CHUNKED}${`1000;${'x'.repeat(8_000)}\r\n${'x'.repeat(4_096)}\r\n`.repeat(20)}0\r\n\r\n`
    const server = createServer((socket) => {
      connections++
      socket.on('error', () => {})
      socket.on('data', () => socket.write(answer))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    for (let time = 0; time < 3; time++) expect((await posted(url)).text).toHaveLength(20 * 4_096)
    expect(connections).toBe(1)
    server.close()
  })

  it('of a length that was said is read as it comes', async () => {
    const largest = largestPiece()
    await serving(`HTTP/1.1 200 OK\r\nContent-Length: 5000000\r\n\r\n${'x'.repeat(5_000_000)}`, opened)
    expect(largest()).toBeGreaterThan(10_000)
  })
})

describe('[LIVE-14] a redirect', () => {
  it('is followed where it leads outside, also in several steps', async () => {
    const { body, url } = await open(via(via(`${world.outside}/isi`)))
    expect(await text(body)).toBe('isi')
    expect(url.href).toBe(`${world.outside}/isi`)
  })

  it.each([
    ['to an inner address', () => world.inside],
    ['to an inner address, in short', () => world.inside.replace('127.0.0.1', '127.1')],
    ['to an inner address without its scheme', () => world.inside.replace('http:', '')],
    ['to an inner name', () => world.inside.replace('127.0.0.1', 'localhost')],
    ['to an inner address by way of an outer one', () => via(world.inside)],
    ['to a file', () => 'file:///etc/passwd'],
    ['to another protocol', () => world.inside.replace('http:', 'ftp:')],
    ['with a password', () => world.outside.replace('//', '//a:b@')],
    ['to nowhere', () => 'http://'],
  ])('%s is refused', async (_what, address) => {
    await expect(open(via(address()))).rejects.toMatchObject({ why: 'forbidden' })
    expect(world.reached()).toBe(0)
  })

  it('that goes round is given up', async () => {
    await expect(open(`${world.outside}/round`)).rejects.toMatchObject({ why: 'too-many-redirects' })
  })
})

describe('what cannot be had', () => {
  it.each([
    ['an answer that is none', () => `${world.outside}/away`, { why: 'status', status: 410 }],
    ['nobody there', () => 'http://127.0.0.2:1/', { why: 'forbidden' }],
    ['nobody there on a port of the web', () => 'http://127.0.0.2:2/', { why: 'unreachable' }],
    ['a name that is not known', () => 'http://name.invalid/', { why: 'unreachable' }],
  ])('is told apart: %s', async (_what, address, fault) => {
    await expect(open(address())).rejects.toMatchObject(fault)
  })
})

describe('[LIVE-14] a name', () => {
  it('that leads outside first and then inside is connected to where it was judged', async () => {
    const dns = await startDnsServer({ 'turning.test': [['127.0.0.2'], ['127.0.0.1']] })
    const asking = createEgress({ allowPrivateNetwork: false, dnsServers: [dns.address], isAllowed: isOutside })
    const url = new URL(world.outside.replace('127.0.0.2', 'turning.test'))
    const { body } = await asking.open(url, { signal: signal() })
    expect(await text(body)).toBe('isi')
    expect(dns.asked('turning.test')).toBe(1)
    await expect(asking.open(url, { signal: signal() })).rejects.toMatchObject({ why: 'forbidden' })
    expect(world.reached()).toBe(0)
    await dns.stop()
  })

  it('is refused when only one of its addresses lies inside', async () => {
    const dns = await startDnsServer({ 'mixed.test': [['127.0.0.2', '127.0.0.1']], 'outer.test': [['127.0.0.2']] })
    const asking = createEgress({ allowPrivateNetwork: false, dnsServers: [dns.address], isAllowed: isOutside })
    await expect(asking.resolve('mixed.test')).rejects.toMatchObject({ why: 'forbidden' })
    await expect(asking.resolve('unknown.test')).rejects.toMatchObject({ why: 'unknown-host' })
    expect(await asking.resolve('outer.test')).toEqual(['127.0.0.2'])
    await dns.stop()
  })
})
