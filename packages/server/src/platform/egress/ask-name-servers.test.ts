import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import { afterEach, describe, expect, it } from 'vitest'
import { createNameServers } from './ask-name-servers.ts'

type Replies = (query: Buffer) => readonly Buffer[]

const OK = 0x8180
const TRUNCATED = 0x8380
const SERVFAIL = 0x8182
const REFUSED = 0x8185
const FORMAT_ERROR = 0x8181
const GOOD = '192.0.2.1'
const hasIpv6 = Object.values(networkInterfaces()).some((list) => list?.some(({ address }) => address === '::1'))

const header = (type: number, bytes: number) => [0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes]
const a = (address: string) => Buffer.from([...header(1, 4), ...address.split('.').map(Number)])
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `192.0.2.${index + 1}`)

/** The header and the question of a query, as a response; the records follow. */
function answer(query: Buffer, records: readonly Buffer[] = [], flags = OK): Buffer {
  const message = Buffer.concat([query.subarray(0, query.indexOf(0, 12) + 5), ...records])
  message.writeUInt16BE(flags, 2)
  message.writeUInt16BE(records.length, 6)
  message.writeUInt16BE(0, 10)
  return message
}

function changed(message: Buffer, at: number): Buffer {
  const copy = Buffer.from(message)
  copy.writeUInt8(copy.readUInt8(at) ^ 1, at)
  return copy
}

describe('the question to name servers', () => {
  const stops: (() => void)[] = []
  afterEach(() => {
    for (const stop of stops.splice(0)) stop()
  })

  async function start(replies: Replies, host = '127.0.0.1') {
    const queries: Buffer[] = []
    const askers: RemoteInfo[] = []
    const socket = createSocket(host === '127.0.0.1' ? 'udp4' : 'udp6').on('message', (query, from) => {
      queries.push(query)
      askers.push(from)
      for (const reply of replies(query)) socket.send(reply, from.port, from.address)
    })
    socket.bind(0, host)
    await once(socket, 'listening')
    stops.push(() => socket.close())
    const { port } = socket.address()
    return { address: host === '127.0.0.1' ? `${host}:${port}` : `[${host}]:${port}`, queries, askers }
  }
  const ask = (servers: readonly { address: string }[], name = 'good.test', endMs = 60_000) =>
    createNameServers(servers.map(({ address }) => address))(name, 'A', performance.now() + endMs)

  it('[SAFE-07] hears nobody who does not know its number, its question and its port', async () => {
    const server = await start((query) => {
      const wrong = answer(query, [a('192.0.2.66')])
      return [changed(wrong, 1), changed(wrong, 14), changed(wrong, wrong.length - 17), query, Buffer.alloc(5)]
    })
    const other = createSocket('udp4').unref()
    stops.push(() => other.close())
    const answered = ask([server], 'good.test', 1_000)
    await expect.poll(() => server.askers).toHaveLength(1)
    const [query, from] = [server.queries[0] as Buffer, server.askers[0] as RemoteInfo]
    await new Promise((resolve) => other.send(answer(query, [a('192.0.2.66')]), from.port, from.address, resolve))
    expect(await answered).toBe(null)
  })

  it('[SAFE-07] hears its server among others, and gives up where there are too many of them', async () => {
    const some = (count: number): Replies => {
      return (query) => {
        const right = answer(query, [a(GOOD)])
        return [...Array.from({ length: count }, () => changed(right, 1)), right]
      }
    }
    expect(await ask([await start(some(19))])).toEqual([GOOD])
    expect(await ask([await start(some(20))])).toBe(null)
  })

  it('[SAFE-07] uses what an answer has that is cut, and asks the next where that is nothing', async () => {
    const none = await start((query) => [answer(query, [], TRUNCATED)])
    const some = await start((query) => [answer(query, [a(GOOD)], TRUNCATED)])
    expect(await ask([none, some])).toEqual([GOOD])
    expect(await ask([none])).toBe(null)
    const within = await start((query) => [answer(query, [a(GOOD), a('192.0.2.2')], TRUNCATED).subarray(0, -6)])
    expect(await ask([within])).toEqual([GOOD])
  })

  it('[SAFE-07] reads one packet, and sixteen addresses of it', async () => {
    const text = (bytes: number) =>
      Buffer.concat([Buffer.from(header(16, 0)).fill(bytes >> 8, 10, 11), Buffer.alloc(bytes)])
    const late = await start((query) => [answer(query, [text(1_280), a(GOOD)])])
    expect(await ask([late])).toBe(null)
    expect(await ask([await start((query) => [answer(query, numbered(60).map(a))])])).toEqual(numbered(16))
    expect(await ask([await start((query) => [answer(query, [a(GOOD), text(1_280)])])])).toEqual([GOOD])
  })

  it('finds addresses behind other names', async () => {
    const alias = Buffer.from([...header(5, 4), 1, 'b'.charCodeAt(0), 0xc0, 12])
    const chaos = Buffer.from([0, 0, 1, 0, 3, 0, 0, 0, 0, 0, 4, 192, 0, 2, 3])
    const written = Buffer.concat([Buffer.from('\x01b\x04good\x04test\0', 'latin1'), a(GOOD).subarray(2)])
    const server = await start((query) => [answer(query, [alias, chaos, written, a('192.0.2.2')])])
    expect(await ask([server])).toEqual([GOOD, '192.0.2.2'])
  })

  it('asks the next where one fails, twice each, and first the one that has answered', async () => {
    const failing: Replies[] = [
      (query) => [answer(query, [], SERVFAIL)],
      (query) => [answer(query, [], REFUSED)],
      (query) => [answer(query, [a(GOOD)]).subarray(0, -1)],
      (query) => [answer(query, [Buffer.alloc(3, 64)])],
    ]
    const failed = await Promise.all(failing.map((replies) => start(replies)))
    const gone = createSocket('udp4').bind(0, '127.0.0.1')
    await once(gone, 'listening')
    const nobody = { address: `127.0.0.1:${gone.address().port}` }
    gone.close()
    expect(await ask([...failed, nobody])).toBe(null)
    expect(failed.map(({ queries }) => queries.length)).toEqual([2, 2, 2, 2])
    const good = await start((query) => [answer(query, [a(GOOD)])])
    const all = [...failed, nobody, good].map(({ address }) => address)
    const askAgain = createNameServers(all)
    for (let turn = 0; turn < 3; turn++)
      expect(await askAgain('good.test', 'A', performance.now() + 60_000)).toEqual([GOOD])
    expect(good.queries).toHaveLength(3)
    expect(failed.map(({ queries }) => queries.length)).toEqual([3, 3, 3, 3])
  })

  it('tells its size, but not to a server that does not understand it', async () => {
    const server = await start((query) => {
      return [query.readUInt16BE(10) > 0 ? answer(query, [], FORMAT_ERROR) : answer(query, [a(GOOD)])]
    })
    expect(await ask([server])).toEqual([GOOD])
    expect(server.queries[0]?.subarray(-11).toString('hex')).toBe('00002904d0000000000000')
  })

  it('asks nobody for what cannot be a name', async () => {
    const server = await start((query) => [answer(query, [a(GOOD)])])
    const long = `${'a'.repeat(63)}.`.repeat(4)
    for (const name of ['', '.', 'a..b', '.a', `${'a'.repeat(64)}.test`, long, 'a b.test', 'é.test', 'a\0.test']) {
      expect(await ask([server], name)).toEqual([])
    }
    expect(server.queries).toEqual([])
    expect(await ask([server], `${long.slice(0, 253)}.`)).toEqual([GOOD])
    expect(await ask([server], 'Good.TEST.')).toEqual([GOOD])
  })

  it('keeps neither a socket nor the process', async () => {
    const kept = () =>
      process.getActiveResourcesInfo().filter((kind) => kind === 'UDPWrap' || kind === 'Timeout').length
    const silent = await start(() => [])
    const before = kept()
    const answered = ask([silent], 'good.test', 300)
    expect(kept()).toBe(before)
    expect(await answered).toBe(null)
    const port = silent.askers[0]?.port
    const next = createSocket('udp4').bind(port, '127.0.0.1')
    await once(next, 'listening')
    next.close()
  })

  it.skipIf(!hasIpv6)('asks a server at an IPv6 address', async () => {
    expect(await ask([await start((query) => [answer(query, [a(GOOD)])], '::1')])).toEqual([GOOD])
  })
})
