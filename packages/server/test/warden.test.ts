import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { childrenOf, isAlive } from '@siarin/testkit/processes'
import { waitFor } from '@siarin/testkit/wait-for'
import { describe, expect, it, type TestContext } from 'vitest'
import { startDetached } from '../src/platform/process/detached.ts'
import { monotonicMs } from '../src/platform/process/warden/deadline.ts'
import type { Warden } from '../src/platform/process/warden/warden.ts'
import {
  endlessFfmpeg,
  extend,
  goneAfterDeadline,
  openWardenStage,
  overdueIn,
  type WardenProgram,
  type WardenStage,
} from './support/wardens.ts'

/** Others wait for 8 s from the beat whose deadline is 5 s: this is what is left of it. */
const PROMISED_MS = 3_000
/** The time by which the kernel is too slow to be told from the fence. */
const AT_ONCE_MS = 1_000
const LONG = 120_000

/** Most of their time is a deadline that is waited for: they run at once, each on a stage of its own. */
async function openStage({ onTestFinished }: TestContext): Promise<WardenStage> {
  const stage = await openWardenStage()
  onTestFinished(() => stage.close())
  return stage
}

/** No ffmpeg may go before its time, and none may be there when another machine starts it. */
async function expectFenced(stage: WardenStage, { running }: WardenProgram): Promise<void> {
  expect(running.every(({ pid }) => isAlive(pid))).toBe(true)
  const gone = await goneAfterDeadline(
    stage.folder,
    running.map(({ pid }) => pid),
  )
  process.stdout.write(`gone ${Math.min(...gone)} to ${Math.max(...gone)} ms after the deadline\n`)
  expect(Math.min(...gone)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...gone)).toBeLessThan(PROMISED_MS)
}

async function expectGoneAtOnce(stage: WardenStage, { running }: WardenProgram): Promise<void> {
  const since = monotonicMs()
  await goneAfterDeadline(
    stage.folder,
    running.map(({ pid }) => pid),
  )
  expect(monotonicMs() - since).toBeLessThan(AT_ONCE_MS)
}

describe.concurrent('the ffmpegs of a worker are fenced', { timeout: LONG }, () => {
  it('[MANY-02] when its program is killed: they end at their deadline, and not before', async (context) => {
    const stage = await openStage(context)
    const killed = await stage.program()
    await killed.service.stop('SIGKILL')
    await expectFenced(stage, killed)
    await waitFor(
      'the guard to end with the last of them',
      async () => (await childrenOf(killed.wardenPid)).length === 0,
    )
  })

  it('[MANY-02] when its program is stopped', async (context) => {
    const stage = await openStage(context)
    const stopped = await stage.program()
    process.kill(stopped.service.pid, 'SIGSTOP')
    await expectFenced(stage, stopped)
  })

  it('[MANY-02] when its program and its warden are both stopped', async (context) => {
    const stage = await openStage(context)
    const stopped = await stage.program()
    for (const pid of [stopped.service.pid, stopped.wardenPid]) process.kill(pid, 'SIGSTOP')
    await expectFenced(stage, stopped)
  })

  it('[MANY-02] when its program and its warden are both killed: at once', async (context) => {
    const stage = await openStage(context)
    const killed = await stage.program()
    process.kill(killed.service.pid, 'SIGKILL')
    process.kill(killed.wardenPid, 'SIGKILL')
    await expectGoneAtOnce(stage, killed)
  })

  it('[MANY-02] when its program is killed while its warden is stopped', async (context) => {
    const stage = await openStage(context)
    const killed = await stage.program()
    process.kill(killed.wardenPid, 'SIGSTOP')
    await killed.service.stop('SIGKILL')
    await expectFenced(stage, killed)
  })

  it('[MANY-02] when all of it was frozen: they end as soon as they wake, also where the program wakes first', async (context) => {
    const stage = await openStage(context)
    const frozen = await stage.program(3, 3_000)
    const guard = (await childrenOf(frozen.wardenPid)).filter(({ args }) => args.includes('warden-guard'))
    expect(guard).toHaveLength(1)
    const ffmpegs = frozen.running.map(({ pid }) => pid)
    const all = [...ffmpegs, frozen.service.pid, ...guard.map(({ pid }) => pid), frozen.wardenPid]
    for (const pid of all.toReversed()) process.kill(pid, 'SIGSTOP')
    await sleep(4_500)
    expect(ffmpegs.every((pid) => isAlive(pid))).toBe(true)
    process.kill(frozen.service.pid, 'SIGCONT')
    await waitFor('the program to extend the deadline', async () => overdueIn(stage.folder) < 0)
    const since = monotonicMs()
    for (const pid of all) process.kill(pid, 'SIGCONT')
    await goneAfterDeadline(stage.folder, ffmpegs)
    process.stdout.write(`gone ${monotonicMs() - since} ms after they woke\n`)
    expect(monotonicMs() - since).toBeLessThan(AT_ONCE_MS)
  })

  it('also one that does not listen', async (context) => {
    const stage = await openStage(context)
    const warden = await stage.open()
    extend(warden, 1_000)
    const { pid, exited } = await stage.shell(warden, 'trap "" TERM; while :; do sleep 0.1; done')
    const [gone = 0] = await goneAfterDeadline(stage.folder, [pid])
    expect(gone).toBeGreaterThanOrEqual(900)
    expect(gone).toBeLessThan(PROMISED_MS)
    expect(await exited).toEqual({ code: null, signal: 'SIGKILL' })
  })

  it('also one that an earlier version of the program started without a warden', async (context) => {
    const stage = await openStage(context)
    const options = { errorFile: join(stage.folder, 'errors'), cwd: stage.folder }
    const old = await startDetached('ffmpeg', endlessFfmpeg, options)
    const warden = await stage.open()
    extend(warden, 1_000)
    const adopted = warden.adopt(old, { streamId: 'a', epoch: 2 })
    const [gone = 0] = await goneAfterDeadline(stage.folder, [old.pid])
    expect(gone).toBeGreaterThanOrEqual(0)
    expect(gone).toBeLessThan(PROMISED_MS)
    await adopted?.exited
  })
})

describe.concurrent('a warden that is gone', { timeout: LONG }, () => {
  const replaced = (warden: Warden, before: number | null) =>
    waitFor('another warden', async () => warden.pid() !== null && warden.pid() !== before, { everyMs: 10 })

  it('[MANY-02] killed: its ffmpegs end at once, their keepers hear of it, and another one starts new ones', async (context) => {
    const stage = await openStage(context)
    const warden = await stage.open()
    extend(warden, 60_000)
    const running = await Promise.all(['a', 'b', 'c'].map((streamId) => stage.ffmpeg(warden, streamId)))
    const before = warden.pid()
    process.kill(before ?? 0, 'SIGKILL')
    expect(await Promise.all(running.map(({ exited }) => exited))).toEqual(
      running.map(() => ({ code: null, signal: 'SIGKILL' })),
    )
    await replaced(warden, before)
    const next = await stage.ffmpeg(warden)
    expect(isAlive(next.pid)).toBe(true)
  })

  it('[MANY-02] stopped: it is ended with its ffmpegs, and another one starts new ones', async (context) => {
    const stage = await openStage(context)
    const warden = await stage.open()
    extend(warden, 60_000)
    const { exited } = await stage.ffmpeg(warden)
    const before = warden.pid()
    const since = monotonicMs()
    process.kill(before ?? 0, 'SIGSTOP')
    await exited
    process.stdout.write(`a stopped warden was noticed after ${monotonicMs() - since} ms\n`)
    expect(monotonicMs() - since).toBeLessThan(10_000)
    await replaced(warden, before)
    expect(isAlive((await stage.ffmpeg(warden)).pid)).toBe(true)
  })

  it('a start that comes meanwhile waits for the next one', async (context) => {
    const stage = await openStage(context)
    const warden = await stage.open()
    extend(warden, 60_000)
    process.kill(warden.pid() ?? 0, 'SIGKILL')
    await waitFor('the loss to be noticed', async () => warden.pid() === null, { everyMs: 1 })
    expect(isAlive((await stage.ffmpeg(warden)).pid)).toBe(true)
  })
})

describe.concurrent('a program that is back', { timeout: LONG }, () => {
  it('[MANY-02] within the deadline takes over what runs, without a drop, and hears how it ends', async (context) => {
    const stage = await openStage(context)
    const before = await stage.program()
    await before.service.stop('SIGKILL')
    await sleep(1_500)
    const warden = await stage.open()
    extend(warden, 5_000)
    const extending = setInterval(() => extend(warden, 5_000), 500)
    try {
      expect(warden.pid()).toBe(before.wardenPid)
      const adopted = before.running.map((left, number) =>
        warden.adopt(left, { streamId: `stream-${number}`, epoch: 2 }),
      )
      // By now the deadline that the first one had set is over.
      await sleep(4_500)
      expect(before.running.map(({ pid }) => isAlive(pid))).toEqual([true, true, true])
      adopted[0]?.signal('SIGTERM')
      expect(await adopted[0]?.exited).toEqual({ code: 255, signal: null })
      await expect(stage.ffmpeg(warden, 'stream-1', 1)).rejects.toMatchObject({ code: 'old-epoch' })
    } finally {
      clearInterval(extending)
    }
  })

  it('after the deadline finds nothing left to take over', async (context) => {
    const stage = await openStage(context)
    const before = await stage.program(1)
    await before.service.stop('SIGKILL')
    await expectFenced(stage, before)
    const warden = await stage.open()
    const [left] = before.running
    expect(left && warden.adopt(left, { streamId: 'stream-0', epoch: 2 })).toBeNull()
    await expect(stage.ffmpeg(warden)).rejects.toMatchObject({ code: 'lapsed' })
    extend(warden, 5_000)
    expect(isAlive((await stage.ffmpeg(warden)).pid)).toBe(true)
  })
})
