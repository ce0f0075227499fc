import { mkdir, rm } from 'node:fs/promises'
import { get } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { prepareRunDir } from '../data-dir.ts'
import type { Log } from '../log.ts'
import { adoptDetached, startDetached } from '../process/detached.ts'
import { HOLD_PATH } from './source-proxy-server.ts'
import { type ProxyOrder, type ProxySettings, type ProxyState, readProxyState } from './source-proxy-state.ts'

/** What ffmpeg reads its HTTP sources through. */
export interface SourceProxy {
  /** For ffmpeg's `-http_proxy`. Starts it on first need; it keeps its port for as long as it can. */
  url(): Promise<string>
  /** Holds the one that an earlier run of the program left to its broadcasts, or replaces it when the settings are others now. */
  takeOver(): Promise<void>
  /** `runsOn`: broadcasts still read through it; it ends by itself after them. */
  close(options: { runsOn: boolean }): Promise<void>
}

interface SourceProxyDeps {
  dataDir: string
  settings: ProxySettings
  log: Log
  lingerMs?: number
  health?: Health
}

interface Health {
  readonly everyMs: number
  readonly answerMs: number
}

interface Held {
  readonly state: ProxyState
  release(): void
}

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
const LINGER_MS = 180_000
/** A busy machine takes its time to start a program. */
const START_MS = 30_000
const HOLD_MS = 5_000
const END_MS = 3_000
const LOOK_MS = 20
/** One that did not last this long is started anew only when it is needed. */
const LASTED_MS = 5_000
const HEALTH: Health = { everyMs: 10_000, answerMs: 5_000 }
/** One may be lost to a busy machine. */
const MISSES = 2
const LOOKS = 10

export function createSourceProxy({
  dataDir,
  settings: given,
  log,
  lingerMs = LINGER_MS,
  health = HEALTH,
}: SourceProxyDeps): SourceProxy {
  const settings = {
    allowPrivateNetwork: given.allowPrivateNetwork,
    dnsServers: given.dnsServers,
    own: given.own ?? { host: null, addresses: [] },
  }
  let running: Promise<Held> | null = null
  let lastPort = 0
  let closed = false

  const findDirectory = async () => join(await prepareRunDir(dataDir), 'source-proxy')

  async function open(): Promise<Held> {
    const directory = await findDirectory()
    const found = await readProxyState(directory)
    if (found && isDeepStrictEqual(found.settings, settings)) {
      const held = await hold(found).catch(() => null)
      if (held) return held
    }
    if (found) await endProcess(found)
    const port = found?.port ?? lastPort
    // Somebody else may have the port by now.
    return start(directory, port).catch((error) => (port === 0 ? Promise.reject(error) : start(directory, 0)))
  }

  async function start(directory: string, port: number): Promise<Held> {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const order: ProxyOrder = { settings, port, lingerMs }
    const args = [...NODE_FLAGS, MAIN, JSON.stringify(order), directory]
    const child = await startDetached(process.execPath, args, {
      errorFile: join(directory, 'errors'),
      cwd: dataDir,
      env: PROCESS_SETTINGS,
    })
    let ended = false
    child.exited.then(() => {
      ended = true
    })
    for (const until = Date.now() + START_MS; Date.now() < until && !ended; await sleep(LOOK_MS)) {
      const state = await readProxyState(directory)
      if (state && isDeepStrictEqual(state.settings, settings)) {
        log.info({ proxyPid: state.pid, port: state.port }, 'source proxy started')
        return hold(state)
      }
    }
    child.signal('SIGKILL')
    throw new Error('the source proxy could not be started')
  }

  /** As long as this call lasts each side knows that the other is there. */
  function hold(state: ProxyState): Promise<Held> {
    return new Promise((resolve, reject) => {
      const since = performance.now()
      const call = get({ host: '127.0.0.1', port: state.port, path: HOLD_PATH, agent: false })
      const stopWaiting = afterWaking(HOLD_MS, () => call.destroy(new Error('the source proxy does not answer')))
      let endWatch = () => {}
      const lost = () => {
        endWatch()
        lastPort = state.port
        running = null
        if (closed) return
        log.warn({ proxyPid: state.pid }, 'the source proxy has ended')
        if (performance.now() - since > LASTED_MS) reopen()
      }
      call.on('error', reject)
      call.once('close', stopWaiting)
      call.once('response', (answer) => {
        stopWaiting()
        answer.on('error', () => {})
        answer.once('close', lost)
        answer.resume()
        call.socket?.unref()
        endWatch = watch(state)
        resolve({ state, release: () => call.destroy() })
      })
    })
  }

  /** One that hangs keeps its connections: it is ended, so that its end is seen and another one has its port. */
  function watch({ pid, birth, port }: ProxyState): () => void {
    let misses = 0
    const timer = setInterval(async () => {
      misses = (await answers(port, health.answerMs)) ? 0 : misses + 1
      if (misses !== MISSES) return
      log.warn({ proxyPid: pid }, 'the source proxy does not answer and is ended')
      adoptDetached(pid, birth)?.signal('SIGKILL')
    }, health.everyMs)
    timer.unref()
    return () => clearInterval(timer)
  }

  const held = (): Promise<Held> => {
    running ??= open().catch((error) => {
      running = null
      throw error
    })
    return running
  }

  /** Broadcasts read through it and ask for its port again and again. */
  function reopen(): void {
    held().catch((error) => log.error({ err: error }, 'the source proxy could not be started again'))
  }

  return {
    url: async () => `http://127.0.0.1:${(await held()).state.port}`,
    async takeOver() {
      if (await readProxyState(await findDirectory())) reopen()
    },
    async close({ runsOn }) {
      closed = true
      const last = await running?.catch(() => null)
      last?.release()
      if (!last || runsOn) return
      await endProcess(last.state)
      await rm(await findDirectory(), { recursive: true, force: true })
    },
  }
}

/** Whatever it answers, even that it has too many connections, it is not hanging. */
function answers(port: number, withinMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const call = get({ host: '127.0.0.1', port, path: '/', agent: false })
    call.once('socket', (socket) => socket.unref())
    const settle = (answered: boolean) => {
      stopWaiting()
      resolve(answered)
      call.destroy()
    }
    const stopWaiting = afterWaking(withinMs, () => settle(false))
    call.once('response', () => settle(true))
    call.on('error', () => settle(true))
  })
}

/** After so long in which we were awake: while this program stands still, an answer that has come cannot be read, and nobody is to blame. */
function afterWaking(ms: number, late: () => void): () => void {
  let looksLeft = LOOKS
  const timer = setInterval(() => {
    looksLeft--
    if (looksLeft > 0) return
    clearInterval(timer)
    late()
  }, ms / LOOKS).unref()
  return () => clearInterval(timer)
}

async function endProcess({ pid, birth }: ProxyState): Promise<void> {
  const left = adoptDetached(pid, birth)
  if (!left) return
  left.signal('SIGTERM')
  const ended = await Promise.race([left.exited.then(() => true), sleep(END_MS, false, { ref: false })])
  if (!ended) left.signal('SIGKILL')
  await left.exited
}
