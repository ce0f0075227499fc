import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { childrenOf, cpuSeconds, isAlive, processesUnder, residentBytes } from '@siarin/testkit/processes'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startDetached } from '../src/platform/process/detached.ts'
import { monotonicMs } from '../src/platform/process/warden/deadline.ts'
import { openWarden, type Warden } from '../src/platform/process/warden/warden.ts'
import {
  endlessFfmpeg,
  goneAfterDeadline,
  overdueIn,
  startWardenProgram,
  type WardenProgram,
} from './support/wardens.ts'

/** Others wait for 8 s from the beat whose deadline is 5 s: this is what is left of it. */
const PROMISED_MS = 3_000
/** The time by which the kernel is too slow to be told from the fence. */
const AT_ONCE_MS = 1_000
const LONG = 120_000
const log = pino({ level: 'silent' })

let folder: TempDir
let wardens: Warden[]
let programs: WardenProgram[]

beforeEach(async () => {
  folder = await tempDir('warden')
  wardens = []
  programs = []
})
afterEach(async () => {
  for (const warden of wardens) await warden.close({ runsOn: false })
  for (const { service } of programs) await service.stop('SIGKILL')
  const left = await processesUnder(folder.path)
  for (const { pid } of left) process.kill(pid, 'SIGKILL')
  await folder.remove()
})

const directory = () => join(folder.path, 'warden')

async function open(): Promise<Warden> {
  const warden = await openWarden({ directory: directory(), dataDir: folder.path, log })
  wardens.push(warden)
  return warden
}

async function program(streams = 3): Promise<WardenProgram> {
  const started = await startWardenProgram(folder.path, streams)
  programs.push(started)
  return started
}

const extend = (warden: Warden, ms: number): void => warden.extend(BigInt(monotonicMs() + ms))

function startIn(warden: Warden, command: string, args: string[], streamId = 'a', epoch = 1) {
  return warden.start(command, args, {
    ...{ errorFile: join(folder.path, `errors-${streamId}-${epoch}`), cwd: folder.path },
    ...{ streamId, epoch },
  })
}

const startFfmpeg = (warden: Warden, streamId = 'a', epoch = 1) =>
  startIn(warden, 'ffmpeg', endlessFfmpeg, streamId, epoch)
const shell = (warden: Warden, script: string, streamId = 'a') => startIn(warden, '/bin/sh', ['-c', script], streamId)

/** No ffmpeg may go before its time, and none may be there when another machine starts it. */
async function expectFenced({ running }: WardenProgram, promisedMs = PROMISED_MS): Promise<void> {
  expect(running.every(({ pid }) => isAlive(pid))).toBe(true)
  const gone = await goneAfterDeadline(
    folder.path,
    running.map(({ pid }) => pid),
  )
  process.stdout.write(`gone ${Math.min(...gone)} to ${Math.max(...gone)} ms after the deadline\n`)
  expect(Math.min(...gone)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...gone)).toBeLessThan(promisedMs)
}

async function expectGoneAtOnce({ running }: WardenProgram): Promise<void> {
  const since = monotonicMs()
  await goneAfterDeadline(
    folder.path,
    running.map(({ pid }) => pid),
  )
  expect(monotonicMs() - since).toBeLessThan(AT_ONCE_MS)
}

describe('the ffmpegs of a worker are fenced', { timeout: LONG }, () => {
  it('[MANY-02] when its program is killed: they end at their deadline, and not before', async () => {
    const killed = await program()
    await killed.service.stop('SIGKILL')
    await expectFenced(killed)
    await waitFor(
      'the guard to end with the last of them',
      async () => (await childrenOf(killed.wardenPid)).length === 0,
    )
  })

  it('[MANY-02] when its program is stopped', async () => {
    const stopped = await program()
    process.kill(stopped.service.pid, 'SIGSTOP')
    await expectFenced(stopped)
  })

  it('[MANY-02] when its program and its warden are both stopped', async () => {
    const stopped = await program()
    for (const pid of [stopped.service.pid, stopped.wardenPid]) process.kill(pid, 'SIGSTOP')
    await expectFenced(stopped)
  })

  it('[MANY-02] when its program and its warden are both killed: at once', async () => {
    const killed = await program()
    process.kill(killed.service.pid, 'SIGKILL')
    process.kill(killed.wardenPid, 'SIGKILL')
    await expectGoneAtOnce(killed)
  })

  it('[MANY-02] when its program is killed while its warden is stopped', async () => {
    const killed = await program()
    process.kill(killed.wardenPid, 'SIGSTOP')
    await killed.service.stop('SIGKILL')
    await expectFenced(killed)
  })

  it('[MANY-02] when all of it was frozen: they end as soon as they wake, also where the program wakes first', async () => {
    const frozen = await program()
    const guard = (await childrenOf(frozen.wardenPid)).filter(({ args }) => args.includes('warden-guard'))
    expect(guard).toHaveLength(1)
    const ffmpegs = frozen.running.map(({ pid }) => pid)
    const all = [...ffmpegs, frozen.service.pid, ...guard.map(({ pid }) => pid), frozen.wardenPid]
    for (const pid of all.toReversed()) process.kill(pid, 'SIGSTOP')
    await sleep(8_000)
    expect(ffmpegs.every((pid) => isAlive(pid))).toBe(true)
    process.kill(frozen.service.pid, 'SIGCONT')
    await waitFor('the program to extend the deadline', async () => overdueIn(folder.path) < 0)
    const since = monotonicMs()
    for (const pid of all) process.kill(pid, 'SIGCONT')
    await goneAfterDeadline(folder.path, ffmpegs)
    process.stdout.write(`gone ${monotonicMs() - since} ms after they woke\n`)
    expect(monotonicMs() - since).toBeLessThan(AT_ONCE_MS)
  })

  it('also one that does not listen', async () => {
    const warden = await open()
    extend(warden, 1_000)
    const { pid, exited } = await shell(warden, 'trap "" TERM; while :; do sleep 0.1; done')
    const [gone = 0] = await goneAfterDeadline(folder.path, [pid])
    expect(gone).toBeGreaterThanOrEqual(900)
    expect(gone).toBeLessThan(PROMISED_MS)
    expect(await exited).toEqual({ code: null, signal: 'SIGKILL' })
  })

  it('also one that an earlier version of the program started without a warden', async () => {
    const options = { errorFile: join(folder.path, 'errors'), cwd: folder.path }
    const old = await startDetached('ffmpeg', endlessFfmpeg, options)
    const warden = await open()
    extend(warden, 1_000)
    const adopted = warden.adopt(old, { streamId: 'a', epoch: 2 })
    const [gone = 0] = await goneAfterDeadline(folder.path, [old.pid])
    expect(gone).toBeGreaterThanOrEqual(0)
    expect(gone).toBeLessThan(PROMISED_MS)
    await adopted?.exited
  })
})

describe('a warden that is gone', { timeout: LONG }, () => {
  const replaced = (warden: Warden, before: number | null) =>
    waitFor('another warden', async () => warden.pid() !== null && warden.pid() !== before, { everyMs: 10 })

  it('[MANY-02] killed: its ffmpegs end at once, their keepers hear of it, and another one starts new ones', async () => {
    const warden = await open()
    extend(warden, 60_000)
    const running = await Promise.all(['a', 'b', 'c'].map((streamId) => startFfmpeg(warden, streamId)))
    const before = warden.pid()
    process.kill(before ?? 0, 'SIGKILL')
    expect(await Promise.all(running.map(({ exited }) => exited))).toEqual(
      running.map(() => ({ code: null, signal: 'SIGKILL' })),
    )
    await replaced(warden, before)
    const next = await startFfmpeg(warden)
    expect(isAlive(next.pid)).toBe(true)
  })

  it('[MANY-02] stopped: it is ended with its ffmpegs, and another one starts new ones', async () => {
    const warden = await open()
    extend(warden, 60_000)
    const { exited } = await startFfmpeg(warden)
    const before = warden.pid()
    const since = monotonicMs()
    process.kill(before ?? 0, 'SIGSTOP')
    await exited
    process.stdout.write(`a stopped warden was noticed after ${monotonicMs() - since} ms\n`)
    expect(monotonicMs() - since).toBeLessThan(10_000)
    await replaced(warden, before)
    expect(isAlive((await startFfmpeg(warden)).pid)).toBe(true)
  })

  it('a start that comes meanwhile waits for the next one', async () => {
    const warden = await open()
    extend(warden, 60_000)
    process.kill(warden.pid() ?? 0, 'SIGKILL')
    await waitFor('the loss to be noticed', async () => warden.pid() === null, { everyMs: 1 })
    expect(isAlive((await startFfmpeg(warden)).pid)).toBe(true)
  })
})

describe('a program that is back', { timeout: LONG }, () => {
  it('[MANY-02] within the deadline takes over what runs, without a drop, and hears how it ends', async () => {
    const before = await program()
    await before.service.stop('SIGKILL')
    await sleep(2_500)
    const warden = await open()
    extend(warden, 5_000)
    const extending = setInterval(() => extend(warden, 5_000), 500)
    try {
      expect(warden.pid()).toBe(before.wardenPid)
      const adopted = before.running.map((left, number) =>
        warden.adopt(left, { streamId: `stream-${number}`, epoch: 2 }),
      )
      await sleep(6_000)
      expect(before.running.map(({ pid }) => isAlive(pid))).toEqual([true, true, true])
      adopted[0]?.signal('SIGTERM')
      expect(await adopted[0]?.exited).toEqual({ code: 255, signal: null })
      await expect(startFfmpeg(warden, 'stream-1', 1)).rejects.toMatchObject({ code: 'old-epoch' })
    } finally {
      clearInterval(extending)
    }
  })

  it('after the deadline finds nothing left to take over', async () => {
    const before = await program(1)
    await before.service.stop('SIGKILL')
    await expectFenced(before)
    const warden = await open()
    const [left] = before.running
    expect(left && warden.adopt(left, { streamId: 'stream-0', epoch: 2 })).toBeNull()
    await expect(startFfmpeg(warden)).rejects.toMatchObject({ code: 'lapsed' })
    extend(warden, 5_000)
    expect(isAlive((await startFfmpeg(warden)).pid)).toBe(true)
  })
})

describe('the warden starts', { timeout: LONG }, () => {
  it('[MANY-02] nothing before a deadline was given, and nothing past it', async () => {
    const warden = await open()
    await expect(startFfmpeg(warden)).rejects.toMatchObject({ code: 'lapsed' })
    extend(warden, 300)
    const { exited } = await startFfmpeg(warden)
    await exited
    await expect(startFfmpeg(warden)).rejects.toMatchObject({ code: 'lapsed' })
  })

  it('[MANY-02] nothing of an older claim; a newer one first ends what the older runs', async () => {
    const warden = await open()
    extend(warden, 60_000)
    const older = await startFfmpeg(warden, 'a', 4)
    const other = await startFfmpeg(warden, 'b', 1)
    await expect(startFfmpeg(warden, 'a', 3)).rejects.toMatchObject({ code: 'old-epoch' })
    expect(isAlive(older.pid)).toBe(true)
    const newer = await startFfmpeg(warden, 'a', 5)
    expect([older, other, newer].map(({ pid }) => isAlive(pid))).toEqual([false, true, true])
    expect(await older.exited).toEqual({ code: null, signal: 'SIGKILL' })
  })

  it('one at a time of a stream, also where several ask together', async () => {
    const warden = await open()
    extend(warden, 60_000)
    const asked = await Promise.allSettled([1, 2, 3].map((epoch) => startFfmpeg(warden, 'a', epoch)))
    const started = asked.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
    expect(asked[2]).toMatchObject({ status: 'fulfilled' })
    expect(started.filter(({ pid }) => isAlive(pid))).toEqual([started.at(-1)])
  })

  it('a crowd, each with its own exit and its own errors', async () => {
    const warden = await open()
    extend(warden, 60_000)
    const crowd = Array.from({ length: 30 }, (_, number) => number)
    const exits = await Promise.all(
      crowd.map(
        async (number) => (await shell(warden, `echo galat ${number} >&2; exit ${number}`, `s${number}`)).exited,
      ),
    )
    expect(exits.map(({ code }) => code)).toEqual(crowd)
    const errors = crowd.map((number) => readFile(join(folder.path, `errors-s${number}-1`), 'utf8'))
    expect(await Promise.all(errors)).toEqual(crowd.map((number) => `galat ${number}\n`))
  })

  it('nothing where it cannot write down the errors, and says so', async () => {
    const warden = await open()
    extend(warden, 60_000)
    const options = { errorFile: join(folder.path, 'no', 'folder'), cwd: folder.path, streamId: 'a', epoch: 1 }
    await expect(warden.start('ffmpeg', endlessFfmpeg, options)).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

describe('a warden', { timeout: LONG }, () => {
  it('ends with the program that asks it to, and leaves nothing behind', async () => {
    const warden = await open()
    extend(warden, 60_000)
    const { pid } = await startFfmpeg(warden)
    const wardenPid = warden.pid() ?? 0
    await warden.close({ runsOn: false })
    expect([isAlive(pid), isAlive(wardenPid), existsSync(directory())]).toEqual([false, false, false])
  })

  it('costs next to nothing', async () => {
    const warden = await open()
    extend(warden, 60_000)
    await startFfmpeg(warden)
    const pid = warden.pid() ?? 0
    await sleep(2_000)
    const [guard] = (await childrenOf(pid)).filter(({ args }) => args.includes('warden-guard'))
    const used = async () => (await cpuSeconds(pid)) + (await cpuSeconds(guard?.pid ?? 0))
    const before = await used()
    await sleep(5_000)
    const cpuPercent = ((await used()) - before) * 20
    const megabytes = (await residentBytes(pid)) / 1024 ** 2
    process.stdout.write(
      `a warden with its guard takes ${megabytes.toFixed(0)} MB and ${cpuPercent.toFixed(1)}% of a core\n`,
    )
    expect(megabytes).toBeLessThan(80)
    expect(cpuPercent).toBeLessThan(5)
  })
})
