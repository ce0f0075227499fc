import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
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

  it('is neither forgotten nor spared while this program has no file left to look with', async () => {
    const child = await start('sleep 60')
    const { stdout } = await promisify(execFile)('sh', [
      ...['-c', 'ulimit -n 64; exec "$@"', 'sh', process.execPath, '--input-type=module', '--eval', WITHOUT_FILES],
      ...[new URL('./detached.ts', import.meta.url).href, String(child.pid), child.birth],
    ])
    expect(JSON.parse(stdout)).toEqual({ isFound: true, isOver: false })
    expect(await child.exited).toEqual({ code: null, signal: 'SIGKILL' })
  })
})

/** Kills while it can open no file, and can again after two seconds. */
const WITHOUT_FILES = `
  import { closeSync, openSync } from 'node:fs'
  import { setTimeout as sleep } from 'node:timers/promises'
  const [url, pid, birth] = process.argv.slice(1)
  const { adoptDetached, processBirth, processOf } = await import(url)
  processBirth(process.pid)
  const open = []
  try { for (;;) open.push(openSync('/dev/null')) } catch {}
  setInterval(() => {}, 1_000)
  let isOver = false
  const killed = processOf({ pid: Number(pid), birth }, new Promise(() => {}))
  killed.exited.then(() => { isOver = true })
  killed.signal('SIGKILL')
  const isFound = adoptDetached(Number(pid), birth) !== null
  await sleep(2_000)
  open.forEach((file) => closeSync(file))
  console.log(JSON.stringify({ isFound, isOver }))
  await killed.exited
  process.exit()
`
