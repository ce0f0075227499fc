import { serveOnLoopback } from '@siarin/testkit/loopback-http'
import { expect, it, vi } from 'vitest'
import { createRelaySource } from '../src/modules/broadcasts/relay/relay-source.ts'
import { createEgress } from '../src/platform/egress/egress.ts'
import { programSteps } from '../src/platform/small-steps.ts'

it('reads the variants of a source from where its address led in the end', async () => {
  const pages: Record<string, string> = {
    '/edge/7/master.m3u8': '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nmedia.m3u8\n',
    '/edge/7/media.m3u8': '#EXTM3U\n#EXTINF:2,\na.ts\n',
    '/apart.m3u8': '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="a"\n/edge/7/media.m3u8\n',
  }
  const server = await serveOnLoopback(async ({ url = '' }, response) => {
    if (url === '/live.m3u8') response.writeHead(302, { location: '/edge/7/master.m3u8' }).end()
    else response.writeHead(pages[url] ? 200 : 404).end(pages[url])
  })
  const source = createRelaySource({
    egress: createEgress({ allowPrivateNetwork: true, dnsServers: [] }),
    ffprobePath: 'ffprobe',
    proxyUrl: async () => '',
  })
  const { url } = await source.inspect(new URL(`${server.url}/live.m3u8`))
  expect(url.reveal()).toBe(`${server.url}/edge/7/media.m3u8`)
  // Where the sound lies apart, ffmpeg reads both by way of the master; the proxy is told what the plan allows.
  const apart = await source.inspect(new URL(`${server.url}/apart.m3u8`), 720)
  expect(apart.url.reveal()).toBe(`${server.url}/apart.m3u8#height=720`)
  await server.close()
})

it('[SAFE-01] reads each list of a source in a step of its own, however many of them come at one moment', async () => {
  const waiting: (() => void)[] = []
  const server = await serveOnLoopback(async (_request, response) => {
    waiting.push(() => response.end('#EXTM3U\n#EXTINF:2,\na.ts\n'))
    if (waiting.length === 16) for (const answer of waiting) answer()
  })
  const source = createRelaySource({
    egress: createEgress({ allowPrivateNetwork: true, dnsServers: [] }),
    ffprobePath: 'ffprobe',
    proxyUrl: async () => '',
  })
  const steps = vi.spyOn(programSteps, 'of')
  await Promise.all(Array.from({ length: 16 }, () => source.inspect(new URL(server.url))))
  expect(steps.mock.calls.length).toBeGreaterThanOrEqual(16)
  steps.mockRestore()
  await server.close()
})
