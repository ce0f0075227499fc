import { readFile, readlink, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { waitFor } from '@siarin/testkit/wait-for'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Log } from '../log.ts'
import { processBirth, sendSignal, startDetached } from './detached.ts'
import { processesWithArgument } from './find-processes.ts'
import { createSpawner } from './spawner.ts'

let folder: TempDir
let spawner: ReturnType<typeof createSpawner>
/** One for each time that a spawner was lost. */
let lost: { spawnerPid: number }[]

beforeEach(async () => {
  folder = await tempDir('spawner')
  lost = []
  const log = { warn: (fields: { spawnerPid: number }) => void lost.push(fields) } as unknown as Log
  // To begin one takes half a second where the machine is busy.
  spawner = createSpawner({ dataDir: folder.path, log, answerMs: 2_500 })
})
afterEach(async () => {
  for (const pid of await sleepers()) sendSignal(pid, 'SIGKILL')
  await folder.remove()
})

const optionsOf = (name: string, within = folder.path) => ({
  ...{ errorFile: join(within, name), cwd: within },
  ...{ streamId: name, epoch: 1 },
})
const run = (script: string, name: string) => spawner.start('/bin/sh', ['-c', script], optionsOf(name))
const sleepLong = (name = 'errors', within = folder.path) =>
  spawner.start('/bin/sleep', ['60'], optionsOf(name, within))

async function sleepers(): Promise<number[]> {
  const found = await processesWithArgument('60')
  const inFolder = await Promise.all(
    found.map(async ({ pid }) => (await readlink(`/proc/${pid}/cwd`).catch(() => '')) === folder.path),
  )
  return found.flatMap(({ pid }, index) => (inFolder[index] ? [pid] : [])).toSorted()
}

const parentOf = async (pid: number): Promise<number> =>
  Number(/PPid:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1])

describe('processes that a spawner has started', () => {
  it('each have their own exit and their own errors', async () => {
    const crowd = Array.from({ length: 30 }, (_, number) => number)
    const exits = await Promise.all(
      crowd.map(async (number) => (await run(`echo galat ${number} >&2; exit ${number}`, `errors-${number}`)).exited),
    )
    expect(exits).toEqual(crowd.map((code) => ({ code, signal: null })))
    const errors = await Promise.all(crowd.map((number) => readFile(join(folder.path, `errors-${number}`), 'utf8')))
    expect(errors).toEqual(crowd.map((number) => `galat ${number}\n`))
  })

  it('are not children of the program, and end by its signals', async () => {
    const { pid, exited, signal } = await sleepLong()
    expect(await parentOf(pid)).not.toBe(process.pid)
    signal('SIGTERM')
    expect(await exited).toEqual({ code: null, signal: 'SIGTERM' })
  })

  it('run on when it is killed, their end is still seen, and the next start comes from another one', async () => {
    const first = await sleepLong('first')
    const spawnerPid = await parentOf(first.pid)
    sendSignal(spawnerPid, 'SIGKILL')
    await vi.waitFor(() => expect(lost).toEqual([{ spawnerPid }]))
    expect(processBirth(first.pid)).toBe(first.birth)
    const second = await sleepLong('second')
    expect([spawnerPid, process.pid]).not.toContain(await parentOf(second.pid))
    first.signal('SIGKILL')
    expect(await first.exited).toEqual({ code: null, signal: null })
    second.signal('SIGKILL')
    expect(await second.exited).toEqual({ code: null, signal: 'SIGKILL' })
  })

  it('are each started once, whenever it is killed', async () => {
    for (let round = 0; round < 6; round++) {
      const probe = await sleepLong(`probe-${round}`)
      const spawnerPid = await parentOf(probe.pid)
      const crowd = Array.from({ length: 10 }, (_, number) => sleepLong(`${round}-${number}`))
      // Somewhere between the first order and the last answer.
      setTimeout(() => sendSignal(spawnerPid, 'SIGKILL'), round)
      const pids = (await Promise.all(crowd)).map(({ pid }) => pid)
      await vi.waitFor(() => expect(lost.map((fields) => fields.spawnerPid)).toContain(spawnerPid))
      const running = await sleepers()
      expect(running).toEqual([probe.pid, ...pids].toSorted())
      for (const pid of running) sendSignal(pid, 'SIGKILL')
      await waitFor('all to be gone', async () => (await sleepers()).length === 0)
    }
  })

  it('are found where a link leads to their folder, so that a lost answer starts no second one', async () => {
    const linked = join(folder.path, 'linked')
    await symlink(folder.path, linked)
    const { pid } = await sleepLong('probe', linked)
    sendSignal(await parentOf(pid), 'SIGSTOP')
    // As if it had started this one before it stopped.
    const begun = await startDetached('/bin/sleep', ['60'], optionsOf('begun', linked))
    const found = await sleepLong('begun', linked)
    expect(found.pid).toBe(begun.pid)
    expect(await sleepers()).toEqual([pid, begun.pid].toSorted())
  })

  it('are started all the same when it hangs, each once', async () => {
    const { pid, signal } = await sleepLong('probe')
    sendSignal(await parentOf(pid), 'SIGSTOP')
    const late = await sleepLong('late')
    expect(await sleepers()).toEqual([pid, late.pid].toSorted())
    expect(await parentOf(late.pid)).not.toBe(process.pid)
    signal('SIGKILL')
    late.signal('SIGKILL')
    expect(await late.exited).toMatchObject({ signal: 'SIGKILL' })
  })
})

describe('[SEC-12] a program that a spawner cannot start', () => {
  it('is told of without its arguments', async () => {
    const target = 'rtmp://host/live/kunci-rahasia'
    const options = optionsOf('errors')
    const refusals = await Promise.allSettled([
      spawner.start('/nowhere/ffmpeg', ['-f', 'flv', target], options),
      spawner.start('/bin/true', [target, 'a'.repeat(200_000)], options),
      spawner.start('/bin/true', [`${target}\0`], options),
    ])
    const told = refusals.map((each) => (each.status === 'rejected' ? each.reason : 'started'))
    expect(told).toMatchObject([{ code: 'ENOENT' }, { code: 'E2BIG' }, { code: 'ERR_INVALID_ARG_VALUE' }])
    expect(inspect(told, { showHidden: true, depth: 9 })).not.toContain('kunci-rahasia')
  })
})
