import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeClip } from '@siarin/testkit/clips'
import { type LoopbackHttp, serveOnLoopback } from '@siarin/testkit/loopback-http'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { DomainError } from '../src/errors.ts'
import { createArrivalInspector } from '../src/modules/library/inspect-video.ts'
import { createIntake } from '../src/modules/library/intake.ts'
import type { VideoRow } from '../src/modules/library/video-row.ts'
import { systemClock } from '../src/platform/clock.ts'
import type { Timings } from '../src/platform/timings.ts'
import { call, processed, signIn, startProgram, videosOf } from './support/program.ts'
import { freshRedis, migratedPostgres } from './support/shared-servers.ts'

const DRIP_EVERY_MS = 50
/** They take longer than a window of the pace. */
const STEADY_PARTS = 25
const PATIENT_PACE = { bytesPerSecond: 1, windowMs: 600_000 }
const SHORT_PACE = { bytesPerSecond: 1_000, windowMs: 1_500 }

let folder: TempDir
let host: LoopbackHttp
/** The paths that are being dripped from right now. */
let dripping: string[] = []

/** A byte now and then, without an end. */
function drip(path: string, response: ServerResponse): void {
  dripping.push(path)
  response.writeHead(200, { 'content-length': '1000000' })
  const timer = setInterval(() => response.write('x'), DRIP_EVERY_MS)
  response.once('close', () => {
    clearInterval(timer)
    dripping = dripping.filter((other) => other !== path)
  })
}

beforeAll(async () => {
  folder = await tempDir('imports')
  const clip = join(folder.path, 'klip.mp4')
  await makeClip(clip, { seconds: 1 })
  const bytes = await readFile(clip)
  host = await serveOnLoopback(async ({ url = '' }, response) => {
    const name = basename(url)
    if (name.startsWith('tetes')) drip(url, response)
    else if (name.startsWith('pelan')) {
      const part = Math.ceil(bytes.length / STEADY_PARTS)
      for (let from = 0; from < bytes.length; from += part) {
        response.write(bytes.subarray(from, from + part))
        await sleep(100)
      }
      response.end()
    } else response.end(bytes)
  })
})
afterAll(async () => {
  await host.close()
  await folder.remove()
})

/** At once, since most of their time is the pace of what they import from: each has a program and paths of its own. */
describe.concurrent.each([
  { name: 'in process', open: async () => ({}) },
  {
    name: 'on Redis',
    open: async () => ({
      ...{ DATABASE_URL: (await migratedPostgres()).url, REDIS_URL: await freshRedis() },
      APP_SECRET: 'satu rahasia untuk semua',
    }),
  },
])('imports with the queue $name', ({ open }) => {
  async function openProgram({ onTestFinished }: TestContext, imports: Timings['imports']) {
    const program = await startProgram(await open(), { imports })
    const paths = `/${randomUUID()}`
    const drips = () => dripping.filter((path) => path.startsWith(paths)).map((path) => basename(path))
    onTestFinished(async () => {
      await program.close()
      await waitFor('all connections to end', async () => drips().length === 0)
    })
    return {
      ...{ program, drips },
      person: async () => (await signIn(program.url)).user.apiKey,
      importFrom: (apiKey: string, name: string) =>
        call(program.url, 'POST', '/fitur/video/import', { body: { apiKey, url: `${host.url}${paths}/${name}` } }),
    }
  }

  it('of one person, however many and slow, hold up nobody else and run one after the other', async (context) => {
    const { program, drips, person, importFrom } = await openProgram(context, PATIENT_PACE)
    const [greedy, other] = [await person(), await person()]
    for (let number = 0; number < 6; number++) await importFrom(greedy, `tetes-${number}.mp4`)
    await waitFor('the first to be under way', async () => drips().length > 0)
    await importFrom(other, 'klip.mp4')
    expect(await processed(program.url, other, 'klip.mp4')).toMatchObject({ status: 'ready' })
    expect(drips()).toEqual(['tetes-0.mp4'])

    // What is deleted makes room for the next one of the same person.
    await call(program.url, 'DELETE', '/fitur/video/delete/tetes-0.mp4', { body: { apiKey: greedy } })
    await waitFor('the second', async () => drips().join() === 'tetes-1.mp4')
  })

  it('that only drip are ended with words, leave nothing behind, and let the others come', async (context) => {
    const { program, drips, person, importFrom } = await openProgram(context, SHORT_PACE)
    const slow = await Promise.all(Array.from({ length: 17 }, person))
    for (const [number, apiKey] of slow.entries()) await importFrom(apiKey, `tetes-${number}.mp4`)
    await waitFor('them to be under way', async () => drips().length > 0)
    const other = await person()
    await importFrom(other, 'klip.mp4')
    expect(await processed(program.url, other, 'klip.mp4')).toMatchObject({ status: 'ready' })
    for (const [number, apiKey] of slow.entries()) {
      expect(await processed(program.url, apiKey, `tetes-${number}.mp4`)).toMatchObject({
        status: 'failed',
        reason: 'Server di alamat ini mengirim terlalu lambat. Coba lagi nanti, atau upload file videonya langsung.',
        size: 0,
      })
    }
    await waitFor('the connections to end', async () => drips().length === 0)
    expect(await readdir(join(program.dataDir, 'uploads'))).toEqual([])
    const media = await readdir(join(program.dataDir, 'media'), { recursive: true })
    expect(media.filter((name) => name.includes('original'))).toHaveLength(1)
  })

  it('that come slowly but steadily arrive, and one that failed can be tried again', async (context) => {
    const { program, drips, person, importFrom } = await openProgram(context, SHORT_PACE)
    const apiKey = await person()
    await importFrom(apiKey, 'tetes.mp4')
    await importFrom(apiKey, 'pelan.mp4')
    expect(await processed(program.url, apiKey, 'pelan.mp4')).toMatchObject({ status: 'ready' })
    const retry = await call(program.url, 'POST', '/fitur/video/retry/tetes.mp4', { body: { apiKey } })
    expect(retry).toMatchObject({ status: 200, body: { success: true } })
    await waitFor('it to be under way again', async () => drips().length > 0)
    expect(await processed(program.url, apiKey, 'tetes.mp4')).toMatchObject({ status: 'failed' })
    expect(await videosOf(program.url, apiKey)).toHaveLength(2)
  })
})

it('an import that has been fetched waits to be looked into, also where uploads are sent away', async () => {
  const arrivals = await tempDir('fetched')
  const looks = Promise.withResolvers<never>()
  const intake = createIntake({
    ...{ repo: {} as never, storage: {} as never, queue: {} as never, room: {} as never, clock: systemClock },
    inspect: createArrivalInspector(() => looks.promise),
    uploadDir: arrivals.path,
  })
  const arrived = { file: join(arrivals.path, 'file') }
  await writeFile(arrived.file, 'bytes')
  const send = (videoId: string) =>
    intake
      .accept({ videoId, userId: 'u', filename: 'klip.mp4', arrived, reservationId: videoId })
      .catch((error) => error)
  // One is looked into, a hundred wait.
  const sent = Array.from({ length: 101 }, (_, index) => send(`sent-${index}`))
  await waitFor('too many to wait', async () => (await Promise.race([send('late'), sleep(50)]))?.code === 'server_full')

  await mkdir(intake.directoryOf('fetched'))
  await writeFile(intake.arrivalOf('fetched'), 'bytes')
  const fetched = intake.acceptImport({ id: 'fetched', user_id: 'u' } as VideoRow).catch((error) => error)
  expect(await Promise.race([fetched, sleep(200)])).toBeUndefined()
  looks.reject(new DomainError('video_unusable', 'looked into'))
  expect(await fetched).toMatchObject({ message: 'looked into' })
  await Promise.all(sent)
  await arrivals.remove()
})
