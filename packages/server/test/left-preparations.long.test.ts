import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { isAlive } from '@siarin/testkit/processes'
import { startSiarin } from '@siarin/testkit/siarin-server'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createWorkFolders, workNameOf } from '../src/modules/library/work-folders.ts'
import { createLocalStorage } from '../src/platform/storage/local.ts'
import { freshRedis, migratedPostgres } from './support/shared-servers.ts'
import { sureOf } from './support/sure-clock.ts'

const DAY_MS = 86_400_000

let folder: TempDir
let children: ChildProcess[] = []
let endings: (() => Promise<unknown>)[] = []

beforeEach(async () => {
  folder = await tempDir('left-work')
})
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  children = []
  for (const end of endings) await end()
  endings = []
  await folder.remove()
})

const work = (...parts: string[]) => join(folder.path, 'work', ...parts)
const original = (name: string) => join(folder.path, 'media', ...name.split('~').slice(-2), 'original.mp4')
const sizeOf = async (name: string) => (await stat(work(name, 'master.mp4'))).size

/** Half a master and its original, and no row any more. */
async function leave(name: string, { touchedAgoMs = 0 } = {}): Promise<string> {
  await mkdir(work(name), { recursive: true })
  await mkdir(join(original(name), '..'), { recursive: true })
  await writeFile(original(name), 'video')
  await writeFile(work(name, 'master.mp4'), 'half')
  const then = new Date(Date.now() - touchedAgoMs)
  for (const path of [work(name, 'master.mp4'), work(name)]) await utimes(path, then, then)
  return name
}

/** The same while its ffmpeg still works on it. */
async function leaveRunning(name: string): Promise<number> {
  await leave(name)
  const picture = ['-re', '-f', 'lavfi', '-i', 'testsrc2=size=64x64:rate=10', '-c:v', 'mpeg4', '-g', '10']
  const output = ['-flush_packets', '1', '-f', 'mpegts', '-y', `file:${work(name, 'master.mp4')}`]
  const { FFMPEG_PATH = '' } = process.env
  const args = ['-nostdin', '-loglevel', 'error', ...picture, ...output]
  const child = spawn(FFMPEG_PATH || 'ffmpeg', args, { stdio: 'ignore' })
  children.push(child)
  await waitFor('it to write', async () => (await sizeOf(name)) > 100, { timeoutMs: 120_000 })
  return child.pid ?? 0
}

const originals = async () =>
  (await readdir(join(folder.path, 'media'), { recursive: true })).filter((path) => path.endsWith('.mp4')).sort()

describe('what a preparation left, at the start of a worker', () => {
  const [ours, theirs] = ['mesin-kita', 'mesin~lain']
  const startOf = (machine: string, abandonedAfterMs: number) =>
    createWorkFolders({
      repo: { byId: async () => null },
      storage: createLocalStorage(join(folder.path, 'media')),
      trust: sureOf({ now: () => Date.now() }),
      log: pino({ level: 'silent' }),
      workDir: work(),
      abandonedAfterMs,
      worker: machine,
    }).clearLeft()

  it("stays where it is another machine's, which may be at it, and goes where it is this one's", async () => {
    const [ourPid, theirPid] = [await leaveRunning(`${ours}~ani~video1`), await leaveRunning(`${theirs}~ani~video2`)]
    await leave(`${ours}~ani~video3`)
    await leave(`${theirs}~ani~video4`)
    await startOf(ours, DAY_MS)
    await waitFor('the end of ours', async () => !isAlive(ourPid))
    expect(isAlive(theirPid)).toBe(true)
    expect((await readdir(work())).sort()).toEqual([`${theirs}~ani~video2`, `${theirs}~ani~video4`])
    expect(await originals()).toEqual(['ani/video2/original.mp4', 'ani/video4/original.mp4'])
  })

  it('goes too where the other machine has not touched it for a day', async () => {
    await leave(`${theirs}~ani~video1`, { touchedAgoMs: DAY_MS })
    const fresh = await leave(`${theirs}~ani~video2`, { touchedAgoMs: DAY_MS / 2 })
    await startOf(ours, DAY_MS)
    expect(await readdir(work())).toEqual([fresh])
    expect(await originals()).toEqual(['ani/video2/original.mp4'])
  })

  it('of an older version, which named no machine, goes where its process ran here or nobody touched it for a day', async () => {
    const pid = await leaveRunning('ani~video1')
    await leave('ani~video2', { touchedAgoMs: DAY_MS })
    const fresh = await leave('ani~video3')
    await startOf(ours, DAY_MS)
    await waitFor('its end', async () => !isAlive(pid))
    expect(await readdir(work())).toEqual([fresh])
    expect(await originals()).toEqual(['ani/video3/original.mp4'])
  })

  it('goes whosever it was where there is no other worker: a container has another name each time', async () => {
    await leave('ani~video1')
    await leave(`${theirs}~ani~video2`)
    await startOf(ours, 0)
    expect(await readdir(work())).toEqual([])
    expect(await originals()).toEqual([])
  })
})

it('a worker that starts leaves the preparation of another machine on the same folder alone', {
  timeout: 600_000,
}, async () => {
  const [theirs, ours] = ['mesin-lain', hostname()].map((machine) =>
    workNameOf(machine, { user_id: 'ani', id: machine }),
  )
  const pid = await leaveRunning(theirs ?? '')
  await leave(ours ?? '')
  const database = await migratedPostgres()
  const env = {
    ...{
      ROLE: 'worker',
      DATABASE_URL: database.url,
      REDIS_URL: await freshRedis(),
      APP_SECRET: 'satu untuk semua mesin',
    },
    SHARED_DATA_DIR: 'true',
  }
  // It is ready when it has cleared away what it will.
  const worker = await startSiarin({ dataDir: folder.path, env })
  expect(isAlive(pid)).toBe(true)
  expect(await readdir(work())).toEqual([theirs])
  const size = await sizeOf(theirs ?? '')
  await waitFor('it to go on', async () => (await sizeOf(theirs ?? '')) > size, { timeoutMs: 120_000 })
  await worker.stop()
  await database.drop()
})
