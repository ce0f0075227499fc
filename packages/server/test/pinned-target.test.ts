import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { makeClip } from '@siarin/testkit/clips'
import { type DnsServer, startDnsServer } from '@siarin/testkit/dns-server'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { ffmpegsUnder } from '@siarin/testkit/processes'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { personWithVideo, startProgram, type TestProgram } from './support/program.ts'
import { streamCalls } from './support/streams.ts'

let folder: TempDir
let dns: DnsServer
let hook: Server
let rtmp: RtmpServer
let program: TestProgram
let apiKey: string
/** What nginx was told of each publisher. */
const published: URLSearchParams[] = []

beforeAll(async () => {
  folder = await tempDir('pinned')
  const clip = join(folder.path, 'klip.mp4')
  await makeClip(clip, { seconds: 3 })
  dns = await startDnsServer({
    'ingest.test': [['127.0.0.1']],
    // No route leads to the first: a documentation address.
    'several.test': [['2001:db8::1', '127.0.0.1']],
    'fading.test': [['127.0.0.1'], []],
  })
  hook = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      published.push(new URLSearchParams(body))
      response.end()
    })
  }).listen(0, '127.0.0.1')
  await once(hook, 'listening')
  rtmp = await startRtmpServer({ onPublishUrl: `http://127.0.0.1:${(hook.address() as AddressInfo).port}/` })
  program = await startProgram({ DNS_SERVERS: dns.address })
  apiKey = (await personWithVideo(program, clip)).apiKey
})

afterEach(() => streamCalls(program.url, rtmp).stopAll(apiKey))

afterAll(async () => {
  await program.close()
  await rtmp.stop()
  hook.close()
  await dns.stop()
  await folder.remove()
})

const seen = (key: string) => published.find((fields) => fields.get('name') === key)

describe('a broadcast to a name', () => {
  it.each([
    ['ingest.test', 'kunci-1'],
    ['ingest.test', 'kunci-2?masa=1&tanda=a%2Fb'],
    ['several.test', 'kunci-3'],
  ])(
    'goes to the address that was judged, and the server at %s is still called by its name (%s)',
    async (host, key) => {
      const calls = streamCalls(program.url, { url: `rtmp://${host}:${rtmp.port}/live` })
      expect((await calls.start(apiKey, key)).status).toBe(200)
      const [name = '', query = ''] = key.split('?')
      await rtmp.waitForPublisher(name, { growing: true })
      expect(seen(name)?.get('tcurl')).toBe(`rtmp://${host}:${rtmp.port}/live`)
      for (const [field, value] of new URLSearchParams(query)) expect(seen(name)?.get(field)).toBe(value)
      const [ffmpeg] = await ffmpegsUnder(program.dataDir)
      expect(ffmpeg?.args.at(-1)).toBe(`rtmp://127.0.0.1:${rtmp.port}/live/${key}`)
      await calls.stopAll(apiKey)
      expect(program.logged()).not.toContain(name)
    },
  )

  it('that is not found any more says so, without an ffmpeg that would ask for it again', async () => {
    const calls = streamCalls(program.url, { url: `rtmp://fading.test:${rtmp.port}/live` })
    await calls.start(apiKey, 'kunci-4')
    const stream = await waitFor('the stream to wait', async () =>
      (await calls.active(apiKey)).find(({ state }) => state === 'waiting'),
    )
    expect(stream.reason).toBe(
      'Alamat server platform tidak ditemukan. Periksa ejaan alamat RTMP-nya, bila Anda yang mengisinya.',
    )
    expect(await ffmpegsUnder(program.dataDir)).toEqual([])
  })
})
