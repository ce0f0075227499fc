import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Secret } from '@siarin/media/secret'
import type { Log } from '../../../platform/log.ts'
import type { FromThread, ThreadSettings, ToThread } from './beat-messages.ts'
import type { Beats, BeatsOf } from './beats.ts'
import { BEAT_MS } from './lease-state.ts'

interface BeatThreadDeps extends BeatsOf {
  readonly databaseUrl: Secret
  readonly redisUrl: Secret
  readonly deadlinePath: string
  /** After which a program whose event loop stands still is ended. */
  readonly watchdogMs: number
  readonly log: Log
}

/** Built, it lies beside the program's own file. */
const FILE = new URL(import.meta.url.endsWith('.ts') ? './beat-thread.ts' : './beat-thread.js', import.meta.url)
/** Above what the watchdog needs to look, to say why and to end the program. */
const WATCHDOG_LATE_MS = 5_000
const RETRY_MS = 500

/**
 * Beats in a thread of the program: it goes on while the program's event loop stands still, it ends with the program, and it stops with it.
 * A thread that ends by itself is replaced; if that takes longer than the lease, the lease lapses.
 */
export function startBeatThread({ worker, onState, watchdogMs, log, ...stores }: BeatThreadDeps): Beats {
  const settings: ThreadSettings = {
    worker,
    databaseUrl: stores.databaseUrl.reveal(),
    redisUrl: stores.redisUrl.reveal(),
    deadlinePath: stores.deadlinePath,
    mostUnheard: Math.ceil((watchdogMs + WATCHDOG_LATE_MS) / BEAT_MS),
  }
  const ready = Promise.withResolvers<void>()
  let kept: Extract<ToThread, { type: 'keep' }> | null = null
  let isStopped = false
  let thread = open()

  function open(): Worker {
    const next = new Worker(FILE, {
      workerData: settings,
      resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 4 },
      // Not the program's: a module that is loaded into that one has no business here.
      execArgv: [],
    })
    next.on('message', (message: FromThread) => {
      if (message.type === 'ready') ready.resolve()
      else if (message.type === 'state') onState(message.incarnation, message.state)
      else log[message.level](message.fields, message.text)
    })
    next.on('error', (error) => log.error({ err: error.message }, 'the thread that renews the lease has failed'))
    next.once('exit', () => void replace())
    next.unref()
    if (kept) next.postMessage(kept)
    return next
  }

  async function replace(): Promise<void> {
    await sleep(RETRY_MS, undefined, { ref: false })
    if (!isStopped) thread = open()
  }

  const send = (message: ToThread): void => thread.postMessage(message)
  return {
    ready: () => ready.promise,
    keep({ incarnation, buffer }, told) {
      kept = { type: 'keep', incarnation, buffer, told }
      send(kept)
    },
    tell: (told) => send({ type: 'tell', told }),
    async stop() {
      isStopped = true
      await thread.terminate()
    },
  }
}
