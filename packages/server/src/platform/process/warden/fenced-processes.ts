import type { ChildProcess } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { childEnv } from '../child-env.ts'
import { type Exit, isGone, NEW_LOG, processBirth, sendSignal } from '../detached.ts'
import { startChild } from '../start-child.ts'
import { monotonicMs } from './deadline.ts'
import { createEpochs, dueSignal, type FencedProcess, type FenceState } from './fence.ts'
import { endingWithUs } from './guard.ts'
import type { AdoptOrder, Answer, ProcessId, SpawnOrder } from './messages.ts'

interface FencedProcessesDeps {
  state: () => FenceState
  onExit: (process: ProcessId, exit: Exit) => void
}

type Outcome = Omit<Answer, 'id'>

interface Kept extends FencedProcess {
  termedAtMs: number | null
  epoch: number
  wasKilled: boolean
  /** False: the kernel tells somebody else of its end. */
  readonly isChild: boolean
}

const foreign = { termedAtMs: null, wasKilled: false, isChild: false } as const

/** One that was killed is gone in milliseconds, unless it waits for a disk that hangs. */
const GONE_MS = 2_000
const GONE_POLL_MS = 10

/** Every ffmpeg of a worker: none runs past the deadline, and of a stream only the newest does. */
export function createFencedProcesses({ state, onExit }: FencedProcessesDeps) {
  const kept = new Map<number, Kept>()
  const epochs = createEpochs()

  /** A pid may be another process's by now. Nobody is let in beside one that cannot be looked at. */
  const isThere = ({ pid, birth }: ProcessId): boolean => !isGone(pid, birth)

  function forget(process: Kept, exit: Exit): void {
    if (kept.get(process.pid) !== process) return
    kept.delete(process.pid)
    onExit(process, exit)
  }

  function end(process: Kept, signal: 'SIGTERM' | 'SIGKILL'): void {
    if (!process.isChild && processBirth(process.pid) !== process.birth) return
    if (signal === 'SIGTERM') process.termedAtMs = monotonicMs()
    else process.wasKilled = true
    sendSignal(process.pid, signal)
  }

  const runningOf = (streamId: string, except?: number): Kept[] =>
    [...kept.values()].filter((process) => process.streamId === streamId && process.pid !== except && isThere(process))

  /** False: they do not end. */
  async function endAllOf(streamId: string, except?: number): Promise<boolean> {
    const others = runningOf(streamId, except)
    for (const process of others) end(process, 'SIGKILL')
    const until = monotonicMs() + GONE_MS
    while (others.some(isThere)) {
      if (monotonicMs() > until) return false
      await sleep(GONE_POLL_MS)
    }
    return true
  }

  /** It is kept before anybody else has a turn. */
  function start(order: SpawnOrder, { generation }: FenceState): Promise<Outcome> | Outcome {
    const { streamId, epoch } = order
    const child = startFenced(order)
    const { pid } = child
    if (pid === undefined) return new Promise((_, reject) => child.once('error', reject))
    child.on('error', () => {})
    const of = { pid, birth: processBirth(pid) ?? '', streamId, epoch, generation }
    const process: Kept = { ...of, termedAtMs: null, wasKilled: false, isChild: true }
    kept.set(pid, process)
    child.once('exit', (code, signal) => forget(process, { code, signal }))
    return { pid, birth: process.birth }
  }

  return {
    size: (): number => kept.size,
    async spawn(order: SpawnOrder): Promise<Outcome> {
      for (;;) {
        // Also after each wait: time has passed, and somebody newer may have come.
        const now = state()
        const refused = epochs.judge(order, now)
        if (refused) return { refused }
        epochs.note(order)
        if (runningOf(order.streamId).length === 0) return start(order, now)
        if (!(await endAllOf(order.streamId))) return { refused: 'still-running' }
      }
    },
    async adopt({ pid, birth, streamId, epoch }: AdoptOrder): Promise<Outcome> {
      const now = state()
      const refused = epochs.judge({ streamId, epoch }, now)
      if (refused) return { refused }
      const known = kept.get(pid)
      if (birth === '' || !isThere({ pid, birth })) return { refused: 'not-found' }
      epochs.note({ streamId, epoch })
      if (known) known.epoch = epoch
      else kept.set(pid, { ...foreign, pid, birth, streamId, epoch, generation: now.generation })
      await endAllOf(streamId, pid)
      return { pid, birth }
    },
    /** Ends what has lapsed, and sees who has gone without a word of the kernel. */
    sweep(): void {
      const [now, nowMs] = [state(), monotonicMs()]
      for (const process of [...kept.values()]) {
        const isSilent = !process.isChild || process.wasKilled
        if (isSilent && !isThere(process)) {
          forget(process, { code: null, signal: process.wasKilled ? 'SIGKILL' : null })
          continue
        }
        const signal = dueSignal(process, now, nowMs)
        if (signal) end(process, signal)
      }
    },
    endAll(signal: 'SIGTERM' | 'SIGKILL'): void {
      for (const process of kept.values()) end(process, signal)
    },
  }
}

/** As `startDetached` does, but that it ends with us. */
function startFenced({ command, args, cwd, env, errorFile }: SpawnOrder): ChildProcess {
  const errors = openSync(errorFile, NEW_LOG, 0o600)
  try {
    return startChild(...endingWithUs(command, args), {
      cwd,
      env: { ...childEnv(), ...env },
      detached: true,
      stdio: ['ignore', 'ignore', errors],
    })
  } finally {
    closeSync(errors)
  }
}
