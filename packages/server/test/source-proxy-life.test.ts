import { readFile, rm } from 'node:fs/promises'
import { get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type LoopbackHttp, serveOnLoopback } from '@siarin/testkit/loopback-http'
import { isAlive, processesUnder } from '@siarin/testkit/processes'
import { startSiarin } from '@siarin/testkit/siarin-server'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { isWholeRun } from '@siarin/testkit/whole-run'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { prepareRunDir } from '../src/platform/data-dir.ts'
import { createSourceProxy, type SourceProxy } from '../src/platform/egress/source-proxy.ts'

type Pace = Pick<Parameters<typeof createSourceProxy>[0], 'lingerMs' | 'health'>

const log = pino({ level: 'silent' })
const OPEN = { allowPrivateNetwork: true, dnsServers: [] }
const FLOOD = `#EXTM3U\n${'https://a\n'.repeat(200_000)}`
const CLOSED = { allowPrivateNetwork: false, dnsServers: [] }

let page: LoopbackHttp
let folder: TempDir
let proxies: SourceProxy[]

beforeAll(async () => {
  page = await serveOnLoopback(
    async (request, response) => void response.end(request.url === '/flood.m3u8' ? FLOOD : 'isi'),
  )
})
afterAll(() => page.close())

beforeEach(async () => {
  folder = await tempDir('proxy-life')
  proxies = []
})
afterEach(async () => {
  vi.restoreAllMocks()
  for (const proxy of proxies) await proxy.close({ runsOn: false })
  expect(await running()).toEqual([])
  await rm(await prepareRunDir(folder.path), { recursive: true, force: true })
  await folder.remove()
})

/** A program's view of it; several on one folder are several runs of the program. */
function open(settings = OPEN, pace: Pace = { lingerMs: 60_000 }): SourceProxy {
  const proxy = createSourceProxy({ dataDir: folder.path, settings, log, ...pace })
  proxies.push(proxy)
  return proxy
}

const running = async (dataDir = folder.path): Promise<number[]> =>
  (await processesUnder(dataDir))
    .filter(({ args }) => args.some((arg) => arg.endsWith('source-proxy-main.ts')))
    .map(({ pid }) => pid)

const only = async (): Promise<number> => {
  const [pid = 0, ...others] = await running()
  expect(others).toEqual([])
  return pid
}

/** What did not last is not started again by itself. */
function letItHaveLasted(): void {
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 6_000)
}

const answeredAgain = (url: string) =>
  waitFor('its answer', async () => (await statusThrough(url).catch(() => 0)) === 200)

const statusThrough = (proxyUrl: string, address = `${page.url}/`): Promise<number> =>
  new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port: new URL(proxyUrl).port, path: address, agent: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    }).once('error', reject)
  })

describe('the proxy of online sources', () => {
  it('is started on first need, once, and ends with the program', async () => {
    const proxy = open()
    expect(await running()).toEqual([])
    const [url, again] = await Promise.all([proxy.url(), proxy.url()])
    expect(again).toBe(url)
    expect(await statusThrough(url)).toBe(200)
    const pid = await only()
    await proxy.close({ runsOn: false })
    expect(isAlive(pid)).toBe(false)
    await expect(readFile(join(await prepareRunDir(folder.path), 'source-proxy', 'state.json'))).rejects.toThrow()
  })

  it.runIf(isWholeRun)('is taken over by the next run of the program', async () => {
    const before = open()
    const url = await before.url()
    const pid = await only()
    await before.close({ runsOn: true })
    expect(await statusThrough(url)).toBe(200)
    const after = open()
    await after.takeOver()
    expect(await after.url()).toBe(url)
    expect(await only()).toBe(pid)
  })

  it('is not started by a run that finds none', async () => {
    await open().takeOver()
    expect(await running()).toEqual([])
  })

  it('comes back on its port when it was killed, by need at the latest', async () => {
    const proxy = open()
    const url = await proxy.url()
    const pid = await only()
    process.kill(pid, 'SIGKILL')
    // The end is heard of a moment after it: who asks in between is still told of the old one.
    const told = new Set<string>()
    await waitFor('another one', async () => {
      told.add(await proxy.url())
      return (await running()).some((other) => other !== pid)
    })
    expect([...told]).toEqual([url])
    await answeredAgain(url)
    expect(isAlive(pid)).toBe(false)
  })

  it.runIf(isWholeRun)(
    'comes back by itself when it had lasted, since ffmpeg asks for its port again and again',
    async () => {
      const url = await open().url()
      const pid = await only()
      letItHaveLasted()
      process.kill(pid, 'SIGKILL')
      await waitFor('another one', async () => (await running()).some((other) => other !== pid))
      await answeredAgain(url)
    },
  )

  it('is replaced on its port when it hangs', async () => {
    const url = await open(OPEN, { health: { everyMs: 1_000, answerMs: 500 } }).url()
    const pid = await only()
    letItHaveLasted()
    process.kill(pid, 'SIGSTOP')
    await waitFor('another one', async () => (await running()).some((other) => other !== pid))
    await answeredAgain(url)
    expect(isAlive(pid)).toBe(false)
  })

  it.runIf(isWholeRun)(
    '[SAFE-01] outlives a program that stands still again and again: what cannot be read is no silence of the proxy',
    async () => {
      const url = await open(OPEN, { health: { everyMs: 200, answerMs: 100 } }).url()
      const pid = await only()
      letItHaveLasted()
      for (let round = 0; round < 8; round++) {
        for (const until = Date.now() + 300; Date.now() < until; );
        await sleep(1)
      }
      expect(await statusThrough(url)).toBe(200)
      expect(await only()).toBe(pid)
    },
  )

  it('outlives a playlist of nothing but short addresses', async () => {
    const url = await open().url()
    const pid = await only()
    expect(await statusThrough(url, `${page.url}/flood.m3u8`)).toBe(502)
    expect(await statusThrough(url)).toBe(200)
    expect(await only()).toBe(pid)
  })

  it.runIf(isWholeRun)('is replaced when it was started with other settings', async () => {
    const before = open(OPEN)
    const url = await before.url()
    const pid = await only()
    await before.close({ runsOn: true })
    const after = open(CLOSED)
    await after.takeOver()
    expect(await statusThrough(await after.url())).toBe(403)
    expect(await after.url()).toBe(url)
    expect(await only()).not.toBe(pid)
  })

  it('stays while a program holds it, and ends by itself when it is alone', async () => {
    const proxy = open(OPEN, { lingerMs: 1_000 })
    await proxy.url()
    const pid = await only()
    await sleep(1_500)
    expect(isAlive(pid)).toBe(true)
    await proxy.close({ runsOn: true })
    await waitFor('its end', async () => !isAlive(pid))
    expect(await running()).toEqual([])
  })

  it('keeps little memory of its own', async () => {
    const url = await open().url()
    for (let count = 0; count < 50; count++) await statusThrough(url)
    const status = await readFile(`/proc/${await only()}/status`, 'utf8')
    expect(Number(/RssAnon:\s+(\d+)/.exec(status)?.[1])).toBeLessThan(60_000)
  })
})

describe('a program that is killed', () => {
  it('leaves the proxy to its relays, and its next run has it again', async () => {
    const siarin = await startSiarin({ dataDir: folder.path })
    // As a relay would have it started.
    const relay = open()
    const url = await relay.url()
    await siarin.kill9()
    expect(await statusThrough(url)).toBe(200)
    await siarin.restart()
    expect(await statusThrough(url)).toBe(200)
    await relay.close({ runsOn: true })
    // Only its holder ends it; it would stay alone for a while otherwise.
    await siarin.stop()
    expect(await running()).toEqual([])
    await siarin.dispose()
  })
})
