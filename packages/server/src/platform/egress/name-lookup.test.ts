import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type DnsServer, startDnsServer } from '@siarin/testkit/dns-server'
import { tempDir } from '@siarin/testkit/temp-dir'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { onBehalfOf } from '../on-behalf-of.ts'
import { createEgress } from './egress.ts'
import { createNameLookup } from './name-lookup.ts'

const GOOD = { 'good.test': [['192.0.2.1', '2001:db8::1']] } as const
/** Far more than a process has threads. */
const SILENT = Array.from({ length: 60 }, (_, index) => `silent${index}.test`)

describe('the lookup of a name', () => {
  let server: DnsServer | null = null
  afterEach(async () => {
    await server?.stop()
    server = null
  })
  const start = async (names: Parameters<typeof startDnsServer>[0], silent: readonly string[] = []) => {
    server = await startDnsServer(names, { silent })
    return server
  }

  it('finds all addresses of both kinds, and none for a name that nobody has', async () => {
    const lookup = createNameLookup({ servers: [(await start(GOOD)).address] })
    expect([...(await lookup('good.test'))].sort()).toEqual(['192.0.2.1', '2001:db8::1'])
    expect(await lookup('nobody.test')).toEqual([])
  })

  it('[SAFE-07] waits for no other name, however many of them nobody answers for, and gives those up in time', async () => {
    const { address } = await start(GOOD, SILENT)
    const lookup = createNameLookup({ servers: [address], answerMs: 1_000 })
    const begunMs = performance.now()
    const silent = SILENT.map((name) => lookup(name))
    let isAnyOver = false
    void Promise.race(silent).then(() => {
      isAnyOver = true
    })
    expect(await lookup('good.test')).toHaveLength(2)
    expect(isAnyOver).toBe(false)
    expect(await Promise.all(silent)).toEqual(SILENT.map(() => []))
    expect(performance.now() - begunMs).toBeLessThan(5_000)
  })

  it('[SAFE-07] leads where it last led while nobody answers, and nowhere once its server says that there is none', async () => {
    const first = await start(GOOD)
    const lookup = createNameLookup({ servers: [first.address], answerMs: 200 })
    expect(await lookup('good.test')).toHaveLength(2)
    await first.stop()
    const port = Number(first.address.split(':')[1])
    const mute = createSocket('udp4').bind(port, '127.0.0.1')
    await once(mute, 'listening')
    expect(await lookup('good.test')).toHaveLength(2)
    expect(await lookup('other.test')).toEqual([])
    mute.close()
    await once(mute, 'close')
    server = await startDnsServer({}, { port })
    expect(await lookup('good.test')).toEqual([])
  })

  it('[SAFE-07] leads where it last led for a target on air, whatever names have been asked for meanwhile', async () => {
    const others = Array.from({ length: 1_000 }, (_, index) => `typed${index}.test`)
    const first = await start({ ...GOOD, ...Object.fromEntries(others.map((name) => [name, [['192.0.2.2']]])) })
    const { targets, resolve } = createEgress({ allowPrivateNetwork: true, dnsServers: [first.address] })
    expect(await targets.resolve('good.test')).toHaveLength(2)
    for (const name of others) expect(await resolve(name)).toHaveLength(1)
    server = null
    await first.stop()
    expect(await targets.resolve('good.test')).toHaveLength(2)
  })

  it('[SAFE-07] leads where it last led for a stream, whatever sessions of others have begun meanwhile', async () => {
    const others = Array.from({ length: 1_000 }, (_, index) => `began${index}.test`)
    const first = await start({ ...GOOD, ...Object.fromEntries(others.map((name) => [name, [['192.0.2.2']]])) })
    const { targets } = createEgress({ allowPrivateNetwork: true, dnsServers: [first.address] })
    const own = new Map<string, readonly string[]>()
    expect(await targets.resolve('good.test', own)).toHaveLength(2)
    for (const name of others) expect(await targets.resolve(name)).toHaveLength(1)
    server = null
    await first.stop()
    expect(await targets.resolve('good.test', own)).toHaveLength(2)
    await expect(targets.resolve('good.test')).rejects.toThrow('unknown-host')
  })

  it('[SAFE-07] keeps few of the addresses behind a name', async () => {
    const numbers = Array.from({ length: 40 }, (_, index) => index + 1)
    const many = [...numbers.map((n) => `192.0.2.${n}`), ...numbers.map((n) => `2001:db8::${n}`)]
    const lookup = createNameLookup({ servers: [(await start({ 'many.test': [many] })).address] })
    expect(await lookup('many.test')).toHaveLength(32)
  })

  it('[SAFE-07] takes what fits into one packet, and asks for no longer answer by TCP', async () => {
    const many = Array.from({ length: 4_000 }, (_, index) => `198.18.${index >> 8}.${index & 255}`)
    const names = { 'many.test': [many], 'alias.test': [{ cname: 'many.test' }] }
    server = await startDnsServer(names, { mostRecords: 20 })
    let calls = 0
    const tcp = createServer((call) => {
      calls += 1
      call.destroy()
    })
    await once(tcp.listen(Number(server.address.split(':')[1]), '127.0.0.1'), 'listening')
    const lookup = createNameLookup({ servers: [server.address] })
    expect(await lookup('many.test')).toEqual(many.slice(0, 16))
    expect(await lookup('alias.test')).toEqual(many.slice(0, 16))
    expect(calls).toBe(0)
    tcp.close()
  })

  it('does not wait for a kind of address that its server never answers for', async () => {
    const { address } = await start(GOOD, ['AAAA good.test'])
    const lookup = createNameLookup({ servers: [address], answerMs: 60_000 })
    expect(await lookup('good.test')).toEqual(['192.0.2.1'])
  })

  it('takes what this machine knows first where no servers are given', async () => {
    const folder = await tempDir('hosts')
    const hostsFile = join(folder.path, 'hosts')
    await writeFile(
      hostsFile,
      '# 192.0.2.9 ingest.test\n192.0.2.2\tIngest.test ingest # ours\n2001:db8::2 ingest.test\n',
    )
    const lookup = createNameLookup({ servers: [], hostsFile })
    expect(await lookup('ingest.TEST')).toEqual(['192.0.2.2', '2001:db8::2'])
    expect(await lookup('ingest')).toEqual(['192.0.2.2'])
    expect(await lookup('localhost')).toContain('127.0.0.1')
    await folder.remove()
  })
})

it('[SAFE-07] names of this network are asked for by owner, and no more once their caller has given up', async () => {
  const asked: string[] = []
  const ends: ((found: []) => void)[] = []
  const system = (name: string): Promise<string[]> => {
    asked.push(name)
    return name === 'neighbour' ? Promise.resolve(['192.0.2.1']) : new Promise((resolve) => ends.push(resolve))
  }
  const lookup = createNameLookup({ servers: [], answerMs: 1_000, system })
  const slow = onBehalfOf('one', () => ['slow-1', 'slow-2', 'slow-3', 'slow-4'].map((name) => lookup(name)))
  await vi.waitFor(() => expect(asked).toHaveLength(1))
  expect(await onBehalfOf('other', () => lookup('neighbour'))).toEqual(['192.0.2.1'])
  expect(await Promise.all(slow)).toEqual([[], [], [], []])
  // The signal of those that wait is as old as they are.
  await sleep(200)
  for (const end of ends) end([])
  await sleep(50)
  expect(asked.filter((name) => name !== 'neighbour')).toHaveLength(1)
})
