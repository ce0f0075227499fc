import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { ONLINE_TEXTS, STREAM_TEXTS, VIDEO_TEXTS } from '@siarin/contracts/texts'
import { makeClip } from '@siarin/testkit/clips'
import { type DnsServer, startDnsServer } from '@siarin/testkit/dns-server'
import { ffmpegsUnder } from '@siarin/testkit/processes'
import { tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOSTILE_ADDRESSES, HOSTILE_TARGETS, INWARD_NAMES } from './support/hostile-urls.ts'
import { call, personWithVideo, processed, startProgram, type TestProgram } from './support/program.ts'

let dns: DnsServer
let program: TestProgram
let inside: Server
let port: number
let apiKey: string
let reached = 0

beforeAll(async () => {
  // Every address of this machine, of both kinds.
  inside = createServer((socket) => {
    reached++
    socket.on('error', () => {})
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\n#EXTM3U\n')
  }).listen(0, '::')
  await once(inside, 'listening')
  port = (inside.address() as AddressInfo).port
  dns = await startDnsServer({
    ...INWARD_NAMES,
    'turning.test': [['8.8.8.8'], ['127.0.0.1']],
    'turning-source.test': [['8.8.8.8'], ['127.0.0.1']],
  })
  program = await startProgram({ ALLOW_PRIVATE_NETWORK: 'false', DNS_SERVERS: dns.address })
  const folder = await tempDir('hostile')
  const clip = join(folder.path, 'klip.mp4')
  await makeClip(clip, { seconds: 2 })
  apiKey = (await personWithVideo(program, clip)).apiKey
  await folder.remove()
})

afterAll(async () => {
  await program.close()
  await dns.stop()
  inside.close()
})

const post = (path: string, body: object) => call(program.url, 'POST', path, { body: { apiKey, ...body } })
const start = (body: object) =>
  post('/fitur/steam/start', {
    source: 'klip.mp4',
    platform: 'lain',
    rtmpStream: 'rtmp://8.8.8.8/live/kunci',
    looping: true,
    ...body,
  })

describe('[LIVE-14] an address that leads inside', () => {
  it('has many forms', () => {
    expect(new Set(HOSTILE_ADDRESSES.map(([, address]) => address(1))).size).toBeGreaterThanOrEqual(60)
    expect(new Set(HOSTILE_TARGETS.map(([, address]) => address(1))).size).toBeGreaterThanOrEqual(60)
  })

  const targetWords: string[] = [
    STREAM_TEXTS.targetPrivate,
    STREAM_TEXTS.targetUnknownHost,
    STREAM_TEXTS.keyInvalid,
    STREAM_TEXTS.wholeUrlRequired,
  ]
  it.each(HOSTILE_TARGETS)('is refused as a target: %s', async (_what, address) => {
    const { status, body } = await start({ rtmpStream: address(port) })
    expect(targetWords).toContain(body.message)
    expect(status).toBe(400)
  })

  it.each(HOSTILE_TARGETS)('is refused as a target over TLS: %s', async (_what, address) => {
    const { status, body } = await start({ rtmpStream: address(port).replace(/^rtmp:/, 'rtmps:') })
    expect(targetWords).toContain(body.message)
    expect(status).toBe(400)
  })

  const importWords: string[] = [VIDEO_TEXTS.urlInvalid, VIDEO_TEXTS.urlForbidden, VIDEO_TEXTS.urlUnreachable]
  it.each(HOSTILE_ADDRESSES)('is not imported: %s', async (_what, address) => {
    const { status, body } = await post('/fitur/video/import', { url: address(port) })
    if (status !== 200) {
      expect(importWords).toContain(body.message)
      expect(status).toBe(400)
      return
    }
    const video = await processed(program.url, apiKey, body.data.filename)
    expect(video.status).toBe('failed')
    expect(importWords).toContain(video.reason)
  })

  const sourceWords: string[] = [ONLINE_TEXTS.urlInvalid, ONLINE_TEXTS.urlForbidden, ONLINE_TEXTS.urlUnknownHost]
  it.each(HOSTILE_ADDRESSES)('is not added as a source: %s', async (_what, address) => {
    const { status, body } = await post('/fitur/online/add', { name: 'Sumber', url: address(port) })
    expect(sourceWords).toContain(body.message)
    expect(status).toBe(400)
  })

  const relayWords: string[] = [...sourceWords, STREAM_TEXTS.sourceInvalid, ONLINE_TEXTS.urlUnreachable]
  it.each(HOSTILE_ADDRESSES)('is not relayed: %s', async (_what, address) => {
    const { status, body } = await start({ source: address(port) })
    expect(relayWords).toContain(body.message)
    // A name that nobody knows is as good as a server that does not answer.
    expect(status).toBe(body.message === ONLINE_TEXTS.urlUnreachable ? 502 : 400)
  })
})

describe('[LIVE-14] a name that led outside when it was looked at', () => {
  it('is no target any more once it leads inside', async () => {
    const { status, body } = await start({ rtmpStream: `rtmp://turning.test:${port}/live/kunci` })
    expect(status).toBe(200)
    const stream = await waitFor('the stream to wait', async () => {
      const { streams } = (await call(program.url, 'GET', `/fitur/steam/active?apiKey=${apiKey}`)).body
      return streams.find(({ state }: { state: string }) => state === 'waiting')
    })
    expect(stream.reason).toBe('Alamat tujuan ini tidak boleh dipakai. Gunakan alamat RTMP milik platform.')
    await post('/fitur/steam/stop', { streamId: body.streamId })
  })

  it('is no source any more once it leads inside', async () => {
    const url = `http://turning-source.test:${port}/x.m3u8`
    const { status, body } = await post('/fitur/online/add', { name: 'Sumber', url })
    expect([status, body.message]).toEqual([400, ONLINE_TEXTS.urlForbidden])
    expect(dns.asked('turning-source.test')).toBe(2)
  })
})

describe('[LIVE-14] what waits inside', () => {
  it('was never reached, and no ffmpeg was let loose', async () => {
    expect(reached).toBe(0)
    expect(await ffmpegsUnder(program.dataDir)).toEqual([])
  })

  it.each(['127.0.0.1', '::1', '0.0.0.0'])('could have been, at %s', async (host) => {
    const before = reached
    const socket = connect(port, host).resume()
    await once(socket, 'close')
    expect(reached).toBe(before + 1)
  })
})
