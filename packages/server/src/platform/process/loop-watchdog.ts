import { url as inspectorUrl } from 'node:inspector'
import { Worker } from 'node:worker_threads'

/** How many looks in a row have to find no sign of life. */
const LOOKS = 20

interface ThreadData {
  readonly beats: Int32Array
  readonly lookEveryMs: number
  readonly looks: number
  readonly words: string
}

/**
 * The body of the thread. It is handed over as text, without its types: a file of its own would have to be compiled by a second compiler
 * in the thread, which takes tens of megabytes. So it may use nothing of this module.
 *
 * The thread counts its own looks and not the time that has passed: a process that was stopped, or a machine that slept, stopped the
 * thread too, and has done nothing wrong.
 */
function thread(): void {
  const { workerData } = process.getBuiltinModule('node:worker_threads')
  const { beats, lookEveryMs, looks, words } = workerData as ThreadData
  let seen = Atomics.load(beats, 0)
  let missed = 0
  const end = () => process.kill(process.pid, 'SIGKILL')
  const looking = setInterval(() => {
    const now = Atomics.load(beats, 0)
    missed = now === seen ? missed + 1 : 0
    seen = now
    if (missed < looks) return
    clearInterval(looking)
    // Not written at once by this thread: the reader of our words may be what everything waits for.
    setTimeout(end, 1_000)
    process.getBuiltinModule('node:fs').write(2, words, end)
  }, lookEveryMs)
}

/**
 * Ends the program once its event loop has stood still for so long: then no timer, no request and no signal is served any more, and
 * nothing but another start helps. Broadcasts are processes of their own, and the next start adopts them.
 */
export function watchEventLoop(limitMs: number): { stop(): Promise<void> } {
  // Somebody looks at it step by step.
  if (inspectorUrl() !== undefined) return { stop: async () => {} }
  const beats = new Int32Array(new SharedArrayBuffer(4))
  const lookEveryMs = limitMs / LOOKS
  const beating = setInterval(() => Atomics.add(beats, 0, 1), lookEveryMs / 2).unref()
  const words = `Siarin ends itself: its event loop has stood still for ${limitMs / 1000} s. Broadcasts go on; the next start adopts them.\n`
  const workerData: ThreadData = { beats, lookEveryMs, looks: LOOKS, words }
  const worker = new Worker(`(${thread.toString()})()`, {
    eval: true,
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 },
    // It needs neither the settings nor the flags of the program.
    env: {},
    execArgv: [],
  })
  // Without it the program runs as it did before there was one: no reason to end.
  worker.on('error', (error) => process.stderr.write(`The watchdog of the event loop has ended: ${error.message}\n`))
  worker.unref()
  return {
    async stop() {
      clearInterval(beating)
      await worker.terminate()
    },
  }
}
