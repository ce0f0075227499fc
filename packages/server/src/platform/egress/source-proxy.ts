import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { prepareRunDir } from '../data-dir.ts'
import type { Log } from '../log.ts'
import { type Health, type HeldProxy, holdProxy } from './hold-source-proxy.ts'
import { endProxyProcess, startProxyProcess } from './source-proxy-process.ts'
import { PROXY_RULES, type ProxySettings, type ProxyState, readProxyState } from './source-proxy-state.ts'

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

const LINGER_MS = 180_000
/** One that did not last this long is started anew only when it is needed. */
const LASTED_MS = 5_000
const HEALTH: Health = { everyMs: 10_000, answerMs: 5_000 }

export function createSourceProxy({
  dataDir,
  settings: { allowPrivateNetwork, dnsServers, own = { host: null, addresses: [] } },
  log,
  lingerMs = LINGER_MS,
  health = HEALTH,
}: SourceProxyDeps): SourceProxy {
  const settings = { allowPrivateNetwork, dnsServers, own }
  let running: Promise<HeldProxy> | null = null
  let lastPort = 0
  let closed = false

  const findDirectory = async () => join(await prepareRunDir(dataDir), 'source-proxy')

  async function open(): Promise<HeldProxy> {
    const directory = await findDirectory()
    const found = await readProxyState(directory)
    if (found && isDeepStrictEqual(found.settings, settings)) {
      // It goes on for the broadcasts of the earlier version, none of which breaks off, and ends by itself after them.
      if (found.rules !== PROXY_RULES) return start(directory, 0)
      const held = await hold(found).catch(() => null)
      if (held) return held
    }
    if (found) await endProxyProcess(found)
    const port = found?.port ?? lastPort
    // Somebody else may have the port by now.
    return start(directory, port).catch((error) => (port === 0 ? Promise.reject(error) : start(directory, 0)))
  }

  async function start(directory: string, port: number): Promise<HeldProxy> {
    const order = { settings, port, lingerMs }
    return hold(await startProxyProcess({ order, directory, dataDir, log }))
  }

  const hold = (state: ProxyState): Promise<HeldProxy> => holdProxy(state, { health, log, onLost })

  function onLost({ pid, port }: ProxyState, heldMs: number): void {
    lastPort = port
    running = null
    if (closed) return
    log.warn({ proxyPid: pid }, 'the source proxy has ended')
    if (heldMs > LASTED_MS) reopen()
  }

  const held = (): Promise<HeldProxy> => {
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
      await endProxyProcess(last.state)
      await rm(await findDirectory(), { recursive: true, force: true })
    },
  }
}
