import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../log.ts'
import { adoptDetached, startDetached } from '../process/detached.ts'
import { type ProxyOrder, type ProxyState, readProxyState } from './source-proxy-state.ts'

const MAIN = join(import.meta.dirname, 'source-proxy-main.ts')
/** It shuffles bytes: a small heap is enough, and leaves the memory of a small machine to others. */
const NODE_FLAGS = ['--max-old-space-size=64', '--max-semi-space-size=1']
/** Buffers that have passed go back to the machine instead of being kept for later; see name-lookup for the threads. */
const PROCESS_SETTINGS = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_MMAP_THRESHOLD_: '65536',
  UV_THREADPOOL_SIZE: '16',
}
/** A busy machine takes its time to start a program. */
const START_MS = 30_000
const END_MS = 3_000
const POLL_MS = 20

interface Start {
  readonly order: ProxyOrder
  /** Where it keeps its state and its errors. */
  readonly directory: string
  readonly dataDir: string
  readonly log: Log
}

/** A relay waits for the proxy: where Node keeps what it has compiled, the proxy starts in half the time. */
function compiledBefore(): NodeJS.ProcessEnv {
  const { NODE_COMPILE_CACHE } = process.env
  return NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {}
}

/** Returns once it listens. */
export async function startProxyProcess({ order, directory, dataDir, log }: Start): Promise<ProxyState> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const args = [...NODE_FLAGS, MAIN, JSON.stringify(order), directory]
  const child = await startDetached(process.execPath, args, {
    errorFile: join(directory, 'errors'),
    cwd: dataDir,
    env: { ...PROCESS_SETTINGS, ...compiledBefore() },
  })
  let ended = false
  child.exited.then(() => {
    ended = true
  })
  for (const until = Date.now() + START_MS; Date.now() < until && !ended; await sleep(POLL_MS)) {
    const state = await readProxyState(directory)
    // By its pid: an upgrade may have replaced the code on the disk already, and the proxy of that one tells of other rules.
    if (state?.pid === child.pid) {
      log.info({ proxyPid: state.pid, port: state.port }, 'source proxy started')
      return state
    }
  }
  child.signal('SIGKILL')
  throw new Error('the source proxy could not be started')
}

export async function endProxyProcess({ pid, birth }: ProxyState): Promise<void> {
  const left = adoptDetached(pid, birth)
  if (!left) return
  left.signal('SIGTERM')
  const ended = await Promise.race([left.exited.then(() => true), sleep(END_MS, false, { ref: false })])
  if (!ended) left.signal('SIGKILL')
  await left.exited
}
