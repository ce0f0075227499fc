import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makeClip } from '@siarin/testkit/clips'
import { startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { startPostgres } from '@siarin/testkit/postgres'
import { childrenOf, ffmpegsUnder, isAlive } from '@siarin/testkit/processes'
import { startRedis } from '@siarin/testkit/redis'
import { openReferee } from '@siarin/testkit/referee'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { Redis } from 'ioredis'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

let dir: TempDir
let clip = ''
const pushers = new Set<ChildProcess>()

beforeAll(async () => {
  dir = await tempDir('testkit')
  clip = join(dir.path, 'clip.mp4')
  await makeClip(clip, { seconds: 2 })
})
afterEach(() => {
  for (const pusher of pushers) pusher.kill('SIGKILL')
  pushers.clear()
})
afterAll(() => dir.remove())

function push(url: string): ChildProcess {
  const args = [
    '-nostdin',
    '-loglevel',
    'error',
    '-re',
    '-stream_loop',
    '-1',
    '-i',
    clip,
    '-c',
    'copy',
    '-f',
    'flv',
    url,
  ]
  const child = spawn('ffmpeg', args, { stdio: 'ignore' })
  pushers.add(child)
  return child
}

describe('a clip', () => {
  it('has its sound start with the picture and end inside it', async () => {
    const entries = 'stream=codec_type,codec_name,start_time,duration,width'
    const { stdout } = await promisify(execFile)('ffprobe', [
      '-v',
      'error',
      '-show_entries',
      entries,
      '-of',
      'json',
      clip,
    ])
    const [video, audio] = JSON.parse(stdout).streams
    expect(video).toMatchObject({ codec_name: 'h264', width: 320, start_time: '0.000000', duration: '2.000000' })
    expect(audio).toMatchObject({ codec_name: 'aac', start_time: '0.000000' })
    expect(Number(audio.duration)).toBeLessThanOrEqual(2)
    expect(Number(audio.duration)).toBeGreaterThan(1.95)
  })
})

describe('the RTMP server', () => {
  it('shows a publisher, drops it, and comes back on the same port', async () => {
    const rtmp = await startRtmpServer()
    expect(await rtmp.publishers()).toEqual([])

    const first = push(`${rtmp.url}/one`)
    const ended = once(first, 'exit')
    const session = await rtmp.waitForPublisher('one', { growing: true })
    expect(session).toMatchObject({
      app: 'live',
      videoCodec: 'H264',
      audioCodec: 'AAC',
      width: 320,
      height: 180,
      address: '127.0.0.1',
    })
    expect(await rtmp.publisher('other')).toBeNull()
    expect(await rtmp.dropPublisher('other')).toBe(0)
    expect(await rtmp.dropPublisher('one')).toBe(1)
    await rtmp.waitForNoPublisher('one')
    await ended
    push(`${rtmp.url}/one`)
    const next = await rtmp.waitForPublisher('one', { growing: true, otherThan: session.id })
    expect(next.id).not.toBe(session.id)
    await expect(rtmp.waitForPublisher('one', { otherThan: next.id, timeoutMs: 300 })).rejects.toThrow(/in vain/)

    await rtmp.stop()
    await expect(rtmp.publishers()).rejects.toThrow()
    await rtmp.start()
    push(`${rtmp.url}/two`)
    await rtmp.waitForPublisher('two', { growing: true })
    await rtmp.stop()
  })

  it('can fall silent, and go on', async () => {
    const rtmp = await startRtmpServer()
    push(`${rtmp.url}/one`)
    const { id } = await rtmp.waitForPublisher('one', { growing: true })
    rtmp.pause()
    await expect(fetch(`${rtmp.httpUrl}/stat`, { signal: AbortSignal.timeout(300) })).rejects.toThrow()
    rtmp.resume()
    expect((await rtmp.waitForPublisher('one', { growing: true })).id).toBe(id)
    await rtmp.stop()
  })

  it('refuses whom on_publish refuses', async () => {
    const judge = createServer((req, res) => {
      let body = ''
      req.on('data', (chunk) => {
        body += chunk
      })
      req.on('end', () => res.writeHead(new URLSearchParams(body).get('name') === 'friend' ? 200 : 403).end())
    }).listen(0, '127.0.0.1')
    await once(judge, 'listening')
    const { port } = judge.address() as AddressInfo
    const rtmp = await startRtmpServer({ onPublishUrl: `http://127.0.0.1:${port}/` })

    const [code] = await once(push(`${rtmp.url}/stranger`), 'exit')
    expect(code).not.toBe(0)
    push(`${rtmp.url}/friend`)
    await rtmp.waitForPublisher('friend')
    await rtmp.stop()
    judge.close()
  })

  it('has a place where everyone is refused', async () => {
    const rtmp = await startRtmpServer()
    const [code] = await once(push(`${rtmp.refusingUrl}/anyone`), 'exit')
    expect(code).not.toBe(0)
    expect(await rtmp.publishers()).toEqual([])
    await rtmp.stop()
  })

  it('keeps what it received when asked to', async () => {
    const rtmp = await startRtmpServer({ record: true })
    push(`${rtmp.url}/kept`)
    await rtmp.waitForPublisher('kept', { growing: true })
    const [file = ''] = await rtmp.recordings()
    expect(file).toMatch(/kept.*\.flv$/)
    await rtmp.stop()
    expect(existsSync(file)).toBe(false)
  })
})

describe('the databases', () => {
  it('PostgreSQL gives each caller a database of its own', async () => {
    const postgres = await startPostgres()
    const urls = [await postgres.createDatabase(), await postgres.createDatabase()]
    for (const url of urls) {
      const client = new pg.Client(url)
      await client.connect()
      await client.query('create table only_here (id text)')
      await client.end()
    }
    expect(new Set(urls).size).toBe(2)
    await postgres.stop()
  })

  it('Redis answers, and is gone after stop', async () => {
    const redis = await startRedis()
    const client = new Redis(redis.url, { retryStrategy: () => null })
    expect(await client.set('a', '1')).toBe('OK')
    client.disconnect()
    await redis.stop()
    const late = new Redis(redis.url, { lazyConnect: true, retryStrategy: () => null })
    late.on('error', () => {})
    await expect(late.connect()).rejects.toThrow()
  })
})

describe('the processes', () => {
  it('are found by the folder they work on and by their parent', async () => {
    const pusher = push(join(dir.path, 'out.flv'))
    const pid = pusher.pid ?? 0
    const found = await waitFor('ffmpeg', async () => (await ffmpegsUnder(dir.path)).find((one) => one.pid === pid))
    expect(found.args).toContain(clip)
    expect((await childrenOf(process.pid)).map((child) => child.pid)).toContain(pid)
    pusher.kill('SIGKILL')
    await waitFor('its end', async () => !isAlive(pid))
    expect(await ffmpegsUnder(dir.path)).toEqual([])
  })
})

describe('the referee', () => {
  it('[MANY-02] sees a second publisher of a key, for as long as both send, and how long there was none', async () => {
    const referee = await openReferee()
    const sending = (count: number) =>
      waitFor(`${count} at the key`, async () => referee.sending('key').length === count, { everyMs: 50 })
    const verdict = () => referee.verdicts(['key'])[0]
    const first = push(`${referee.rtmp.url}/key`)
    await sending(1)
    referee.begin()
    expect(verdict()).toMatchObject({ overlapMs: 0, arrivals: 0 })

    const second = push(`${referee.rtmp.url}/key`)
    await sending(2)
    const bothSince = performance.now()
    await waitFor('both to have sent for a while', async () => performance.now() - bothSince > 1_000)
    first.kill('SIGKILL')
    await sending(1)
    const { overlapMs = 0, gapMs = 0, arrivals } = verdict() ?? {}
    expect(overlapMs).toBeGreaterThan(900)
    expect(gapMs).toBeLessThan(500)
    expect(arrivals).toBe(1)

    referee.begin()
    second.kill('SIGKILL')
    await sending(0)
    await waitFor('a while without any', async () => (verdict()?.gapMs ?? 0) > 1_500)
    push(`${referee.rtmp.url}/key`)
    await sending(1)
    expect(verdict()).toMatchObject({ overlapMs: 0, arrivals: 1 })
    await referee.close()
  })
})
