import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TempDir, tempDir } from '@siarin/testkit/temp-dir'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { adoptDetached, processOf, startDetached } from './detached.ts'

let folder: TempDir
beforeEach(async () => {
  folder = await tempDir('detached')
})
afterEach(() => folder.remove())

const start = (script: string, name = 'errors') =>
  startDetached('/bin/sh', ['-c', script], { errorFile: join(folder.path, name), cwd: folder.path })

describe('a process that outlives us', () => {
  it('of a crowd that starts together, each has its own exit and its own errors', async () => {
    const crowd = Array.from({ length: 30 }, (_, number) => number)
    const exits = await Promise.all(
      crowd.map(async (number) => (await start(`echo galat ${number} >&2; exit ${number}`, `errors-${number}`)).exited),
    )
    expect(exits.map(({ code }) => code)).toEqual(crowd)
    const errors = await Promise.all(crowd.map((number) => readFile(join(folder.path, `errors-${number}`), 'utf8')))
    expect(errors).toEqual(crowd.map((number) => `galat ${number}\n`))
  })

  it('that cannot be started says so, also in a crowd', async () => {
    const options = { errorFile: join(folder.path, 'errors'), cwd: folder.path }
    const crowd = await Promise.allSettled([
      start('exit 0', 'one'),
      startDetached('/nowhere/ffmpeg', [], options),
      startDetached('/bin/true', [], { ...options, errorFile: join(folder.path, 'no', 'folder') }),
      start('exit 0', 'other'),
    ])
    expect(crowd.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
  })

  it('is found again by its birth, and by no other', async () => {
    const { pid, birth, exited, signal } = await start('sleep 60')
    expect(adoptDetached(pid, `${birth}0`)).toBeNull()
    const adopted = adoptDetached(pid, birth)
    expect(adopted?.pid).toBe(pid)
    signal('SIGKILL')
    expect(await exited).toEqual({ code: null, signal: 'SIGKILL' })
    expect(await adopted?.exited).toEqual({ code: null, signal: null })
  })

  it('does not send its signals to another that has its pid by now', async () => {
    const { pid, birth, signal, exited } = await start('sleep 60')
    const earlier = processOf({ pid, birth: `${birth}0` }, new Promise(() => {}))
    earlier.signal('SIGKILL')
    expect(await earlier.exited).toEqual({ code: null, signal: 'SIGKILL' })
    expect(adoptDetached(pid, birth)).not.toBeNull()
    signal('SIGTERM')
    expect(await exited).toEqual({ code: null, signal: 'SIGTERM' })
  })
})
