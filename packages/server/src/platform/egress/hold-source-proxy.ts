import { get } from 'node:http'
import type { Log } from '../log.ts'
import { adoptDetached } from '../process/detached.ts'
import { HOLD_PATH } from './source-proxy-server.ts'
import type { ProxyState } from './source-proxy-state.ts'

/** How often it is asked whether it answers, and how long it may take. */
export interface Health {
  readonly everyMs: number
  readonly answerMs: number
}

export interface HeldProxy {
  readonly state: ProxyState
  release(): void
}

interface Holding {
  readonly health: Health
  readonly log: Log
  /** It has ended, or was let go; `heldMs`: after so long. */
  readonly onLost: (state: ProxyState, heldMs: number) => void
}

const HOLD_MS = 5_000
/** One may be lost to a busy machine. */
const MISSES = 2
const CHECKS = 10

/** As long as this call lasts each side knows that the other is there. */
export function holdProxy(state: ProxyState, { health, log, onLost }: Holding): Promise<HeldProxy> {
  return new Promise((resolve, reject) => {
    const since = performance.now()
    const call = get({ host: '127.0.0.1', port: state.port, path: HOLD_PATH, agent: false })
    const stopWaiting = afterWaking(HOLD_MS, () => call.destroy(new Error('the source proxy does not answer')))
    let endWatch = () => {}
    const lost = () => {
      endWatch()
      onLost(state, performance.now() - since)
    }
    call.on('error', reject)
    call.once('close', stopWaiting)
    call.once('response', (answer) => {
      stopWaiting()
      answer.on('error', () => {})
      answer.once('close', lost)
      answer.resume()
      call.socket?.unref()
      endWatch = watch(state, health, log)
      resolve({ state, release: () => call.destroy() })
    })
  })
}

/** One that hangs keeps its connections: it is ended, so that its end is seen and another one has its port. */
function watch({ pid, birth, port }: ProxyState, health: Health, log: Log): () => void {
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
  let checksLeft = CHECKS
  const timer = setInterval(() => {
    checksLeft--
    if (checksLeft > 0) return
    clearInterval(timer)
    late()
  }, ms / CHECKS).unref()
  return () => clearInterval(timer)
}
