import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { childrenOf, cpuSeconds, isAlive, residentBytes } from '@siarin/testkit/processes'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { endlessFfmpeg, extend, openWardenStage, type WardenStage } from './support/wardens.ts'

const LONG = 120_000

let stage: WardenStage

beforeEach(async () => {
  stage = await openWardenStage()
})
afterEach(() => stage.close())

describe('the warden starts', { timeout: LONG }, () => {
  it('[MANY-02] nothing before a deadline was given, and nothing past it', async () => {
    const warden = await stage.open()
    await expect(stage.ffmpeg(warden)).rejects.toMatchObject({ code: 'lapsed' })
    extend(warden, 300)
    const { exited } = await stage.ffmpeg(warden)
    await exited
    await expect(stage.ffmpeg(warden)).rejects.toMatchObject({ code: 'lapsed' })
  })

  it('[MANY-02] nothing of an older claim; a newer one first ends what the older runs', async () => {
    const warden = await stage.open()
    extend(warden, 60_000)
    const older = await stage.ffmpeg(warden, 'a', 4)
    const other = await stage.ffmpeg(warden, 'b', 1)
    await expect(stage.ffmpeg(warden, 'a', 3)).rejects.toMatchObject({ code: 'old-epoch' })
    expect(isAlive(older.pid)).toBe(true)
    const newer = await stage.ffmpeg(warden, 'a', 5)
    expect([older, other, newer].map(({ pid }) => isAlive(pid))).toEqual([false, true, true])
    expect(await older.exited).toEqual({ code: null, signal: 'SIGKILL' })
  })

  it('one at a time of a stream, also where several ask together', async () => {
    const warden = await stage.open()
    extend(warden, 60_000)
    const asked = await Promise.allSettled([1, 2, 3].map((epoch) => stage.ffmpeg(warden, 'a', epoch)))
    const started = asked.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
    expect(asked[2]).toMatchObject({ status: 'fulfilled' })
    expect(started.filter(({ pid }) => isAlive(pid))).toEqual([started.at(-1)])
  })

  it('a crowd, each with its own exit and its own errors', async () => {
    const warden = await stage.open()
    extend(warden, 60_000)
    const crowd = Array.from({ length: 30 }, (_, number) => number)
    const exits = await Promise.all(
      crowd.map(
        async (number) => (await stage.shell(warden, `echo galat ${number} >&2; exit ${number}`, `s${number}`)).exited,
      ),
    )
    expect(exits.map(({ code }) => code)).toEqual(crowd)
    const errors = crowd.map((number) => readFile(join(stage.folder, `errors-s${number}-1`), 'utf8'))
    expect(await Promise.all(errors)).toEqual(crowd.map((number) => `galat ${number}\n`))
  })

  it('nothing where it cannot write down the errors, and says so', async () => {
    const warden = await stage.open()
    extend(warden, 60_000)
    const options = { errorFile: join(stage.folder, 'no', 'folder'), cwd: stage.folder, streamId: 'a', epoch: 1 }
    await expect(warden.start('ffmpeg', endlessFfmpeg, options)).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

describe('a warden', { timeout: LONG }, () => {
  it('ends with the program that asks it to, and leaves nothing behind', async () => {
    const warden = await stage.open()
    extend(warden, 60_000)
    const { pid } = await stage.ffmpeg(warden)
    const wardenPid = warden.pid() ?? 0
    await warden.close({ runsOn: false })
    expect([isAlive(pid), isAlive(wardenPid), existsSync(stage.directory)]).toEqual([false, false, false])
  })

  it('costs next to nothing', async () => {
    const warden = await stage.open()
    extend(warden, 60_000)
    await stage.ffmpeg(warden)
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
