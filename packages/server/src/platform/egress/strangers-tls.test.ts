import { once } from 'node:events'
import https from 'node:https'
import { type AddressInfo, createServer } from 'node:net'
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls'
import { paddedCertificate } from '@siarin/testkit/padded-certificate'
import { TEST_CERTIFICATE } from '@siarin/testkit/test-certificate'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { programSteps } from '../small-steps.ts'
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
const post = createPost(guard)
const CALLS: [string, (url: URL) => Promise<unknown>, object][] = [
  ['a download', (url) => openDownload(url, { guard, signal }), { why: 'unreachable' }],
  [
    'a post',
    (url) => post(url, { headers: {}, body: '', timeoutMs: 5_000, mostBytes: 100, signal }),
    { why: 'tls-failed' },
  ],
  ['a small call', (url) => smallCall(url, guard, { method: 'GET', signal, mostBytes: 100 }), { code: 'EPROTO' }],
  ['a source', sourceCall, { code: 'EPROTO' }],
]

it.each(CALLS)('[SAFE-07] no server chooses the numbers of Diffie-Hellman for %s', async (_, begin) => {
  offered = []
  await expect(begin(new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}`))).rejects.toThrow()
  expect(offered.length).toBeGreaterThan(5)
  expect(offered.filter((cipher) => DHE_RSA.has(cipher))).toEqual([])
})

it.each(CALLS)('[SAFE-07] %s speaks no TLS 1.3', async (_, begin, fault) => {
  const strict = createTlsServer({ ...TEST_CERTIFICATE, minVersion: 'TLSv1.3' }).listen(0, '127.0.0.1')
  await once(strict, 'listening')
  const ended = once(strict, 'tlsClientError')
  await expect(begin(new URL(`https://127.0.0.1:${(strict.address() as AddressInfo).port}`))).rejects.toMatchObject(
    fault,
  )
  expect((await ended)[0]).toMatchObject({ code: 'ERR_SSL_UNSUPPORTED_PROTOCOL' })
  strict.close()
})

const { cert, key, name } = TEST_CERTIFICATE
const LONG = paddedCertificate(cert, 2_800)
const CHAINS: [string, string[]][] = [
  ['more than 16 kB', [paddedCertificate(cert, 9_000), LONG, LONG, LONG]],
  ['more than six certificates', [cert, cert, cert, cert, cert, cert, cert]],
  ['a certificate of more than 4 kB behind its own', [cert, paddedCertificate(cert, 4_000)]],
]

it.each(CALLS.flatMap(([call, begin]) => CHAINS.map(([what, chain]) => [call, what, begin, chain] as const)))(
  '[SAFE-07] %s looks at no chain of certificates with %s',
  async (_call, _what, begin, chain) => {
    const chained = https.createServer({ key, cert: chain.join('') }).listen(0, '127.0.0.1')
    await once(chained, 'listening')
    const { port } = chained.address() as AddressInfo
    const error = await begin(new URL(`https://127.0.0.1:${port}`)).then(String, (failed) => failed)
    expect(error.cause?.code ?? error.code).toBe('ERR_TLS_HANDSHAKE_TOO_LONG')
    chained.close()
  },
)

it('[SAFE-07] a server with an ordinary chain of certificates is read, each piece of its handshake in its turn', async () => {
  const chain = [cert, LONG, LONG, paddedCertificate(cert, 500)].join('')
  const body = Buffer.alloc(1024 ** 2, 'siarin')
  const chained = https.createServer({ key, cert: chain }, (_, answer) => answer.end(body)).listen(0, '127.0.0.1')
  await once(chained, 'listening')
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, cert])
  const steps = vi.spyOn(programSteps, 'of')
  const url = new URL(`https://${name}:${(chained.address() as AddressInfo).port}`)
  const download = await openDownload(url, { guard: { ...guard, resolve: async () => ['127.0.0.1'] }, signal })
  expect(steps.mock.calls.length).toBeGreaterThan(1)
  const inHandshake = steps.mock.calls.length
  expect(Buffer.concat(await download.body.toArray()).equals(body)).toBe(true)
  expect(steps.mock.calls.length - inHandshake).toBeLessThan(2)
  steps.mockRestore()
  setDefaultCACertificates(trusted)
  chained.close()
})

it('[SAFE-07] a server that asks for a second handshake loses its connection', async () => {
  const asking = createTlsServer({ ...TEST_CERTIFICATE, maxVersion: 'TLSv1.2' }).listen(0, '127.0.0.1')
  await once(asking, 'listening')
  const answered = new Promise((resolve) => {
    asking.once('secureConnection', (socket: TLSSocket) => {
      socket.resume().once('close', () => resolve('ended'))
      socket.on('error', () => {})
      socket.renegotiate({}, (error) => {
        if (!error) resolve('done')
        socket.destroy()
      })
    })
  })
  const { port } = asking.address() as AddressInfo
  const url = new URL(`https://${TEST_CERTIFICATE.name}:${port}`)
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, TEST_CERTIFICATE.cert])
  const download = openDownload(url, { guard: { ...guard, resolve: async () => ['127.0.0.1'] }, signal })
  const cause = { message: 'the server asks for a second handshake' }
  await expect(download).rejects.toMatchObject({ why: 'unreachable', cause })
  expect(await answered).toBe('ended')
  setDefaultCACertificates(trusted)
  asking.close()
})
