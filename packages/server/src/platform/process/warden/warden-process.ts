import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { processBirth, sendSignal, startDetached } from '../detached.ts'
import type { ProcessId } from './messages.ts'
import { pathsIn, readWardenState, type WardenState } from './warden-state.ts'

const MAIN = join(import.meta.dirname, 'warden-main.ts')
/** It passes orders on: a small heap is enough, and leaves the memory of a small machine to others. */
const NODE_FLAGS = ['--max-old-space-size=64', '--max-semi-space-size=1']
const PROCESS_SETTINGS = { MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '1' }
/** A busy machine takes its time to start a program. */
const START_MS = 30_000
const POLL_MS = 10
/** It gives its ffmpegs a second to end. */
const END_MS = 4_000

/** Broadcasts wait for it: where Node keeps what it has compiled, it starts in half the time. */
function compiledBefore(): NodeJS.ProcessEnv {
  const { NODE_COMPILE_CACHE } = process.env
  return NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}
}

/** Answers once it listens. There must be no other. */
export async function startWardenProcess(directory: string, cwd: string): Promise<WardenState> {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const child = await startDetached(process.execPath, [...NODE_FLAGS, MAIN, directory], {
    errorFile: pathsIn(directory).errors,
    cwd,
    env: { ...PROCESS_SETTINGS, ...compiledBefore() },
  })
  let ended = false
  child.exited.then(() => {
    ended = true
  })
  for (const until = performance.now() + START_MS; performance.now() < until && !ended; await sleep(POLL_MS)) {
    const state = readWardenState(directory)
    if (state?.pid === child.pid) return state
  }
  child.signal('SIGKILL')
  throw new Error('the warden of the broadcasts could not be started')
}

/** False: it was there for all that time. */
async function isGoneWithin({ pid, birth }: ProcessId, ms: number): Promise<boolean> {
  for (const until = performance.now() + ms; performance.now() < until; await sleep(POLL_MS)) {
    if (processBirth(pid) !== birth) return true
  }
  return false
}

/** The kernel ends what it has started. */
export async function killWardenProcess(warden: ProcessId): Promise<void> {
  if (processBirth(warden.pid) !== warden.birth) return
  sendSignal(warden.pid, 'SIGKILL')
  await isGoneWithin(warden, END_MS)
}

/** Asks it to end with all that it still runs, and removes its folder. */
export async function endWardenProcess(warden: ProcessId, directory: string): Promise<void> {
  if (processBirth(warden.pid) === warden.birth) sendSignal(warden.pid, 'SIGTERM')
  if (!(await isGoneWithin(warden, END_MS))) await killWardenProcess(warden)
  rmSync(directory, { recursive: true, force: true })
}
