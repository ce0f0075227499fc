import { once } from 'node:events'
import https from 'node:https'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createEgress } from './egress.ts'
import { openDownload } from './guarded-download.ts'
import { createPost } from './guarded-post.ts'
import { smallCall } from './small-call.ts'
import { createSourceAgents } from './source-agents.ts'

/** Those of TLS 1.2 for RSA where the server chooses the numbers of Diffie-Hellman, by their numbers in TLS. */
const DHE_RSA = new Set([0x16, 0x33, 0x39, 0x67, 0x6b, 0x9e, 0x9f, 0xcc_aa])
const CIPHERS_BEGIN = 5 + 4 + 2 + 32

/** What the first message of a client offers. */
function offeredIn(hello: Buffer): number[] {
  const lengthAt = CIPHERS_BEGIN + 1 + hello.readUInt8(CIPHERS_BEGIN)
  const count = hello.readUInt16BE(lengthAt) / 2
  return Array.from({ length: count }, (_, index) => hello.readUInt16BE(lengthAt + 2 + 2 * index))
}

let offered: number[] = []
const server = createServer((socket) => {
  socket.on('error', () => {})
  socket.once('data', (hello) => {
    offered = offeredIn(hello)
    socket.destroy()
  })
})
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => void server.close())

const { signal } = new AbortController()
const guard = createEgress({ allowPrivateNetwork: true, dnsServers: [] })
const sourceCall = (url: URL) =>
  new Promise((resolve, reject) => {
    const agent = createSourceAgents({ each: 1, inAll: 1 })()['https:']
    https.get(url, { agent }, resolve).once('error', reject)
  })

it.each([
  ['a download', (url: URL) => openDownload(url, { guard, signal })],
  ['a post', (url: URL) => createPost(guard)(url, { headers: {}, body: '', timeoutMs: 5_000, mostBytes: 100, signal })],
  ['a small call', (url: URL) => smallCall(url, guard, { method: 'GET', signal, mostBytes: 100 })],
  ['a source', sourceCall],
])('[SAFE-07] no server chooses the numbers of Diffie-Hellman for %s', async (_, begin) => {
  offered = []
  await expect(begin(new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}`))).rejects.toThrow()
  expect(offered.length).toBeGreaterThan(5)
  expect(offered.filter((cipher) => DHE_RSA.has(cipher))).toEqual([])
})
