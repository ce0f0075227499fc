import { mkdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../log.ts'
import { adoptDetached, type DetachedProcess, type Exit, processOf, whenGone } from '../detached.ts'
import { deadlineAt, machineTime, NO_DEADLINE, openDeadlineFile } from './deadline.ts'
import { type AdoptOrder, type Answer, PROTOCOL, type ProcessId, type RefusalCode } from './messages.ts'
import { connectToWarden, type WardenConnection } from './warden-connection.ts'
import { endWardenProcess, killWardenProcess, startWardenProcess } from './warden-process.ts'
import { pathsIn, readWardenState, type WardenState } from './warden-state.ts'

interface StartOptions {
  readonly errorFile: string
  readonly cwd: string
  readonly env?: NodeJS.ProcessEnv
  /** Whose ffmpeg it is: of a stream only the newest claim may have one. */
  readonly streamId: string
  readonly epoch: number
}

/** What the program knows of the process that fences its ffmpegs. */
export interface Warden {
  readonly pid: () => number | null
  start(command: string, args: string[], options: StartOptions): Promise<DetachedProcess>
  /** Takes over what runs already; null: it is gone. */
  adopt(process: ProcessId, of: { streamId: string; epoch: number }): DetachedProcess | null
  /** All ffmpegs may run until then, by `process.hrtime`. */
  extend(untilMonotonicMs: bigint): void
  /** `runsOn`: the next start of the program takes it over, if that comes before the deadline. */
  close(options: { runsOn: boolean }): Promise<void>
}

interface WardenDeps {
  /** Its own, in memory. */
  readonly directory: string
  /** Where it runs, so that a look at the processes tells whose it is. */
  readonly dataDir: string
  readonly log: Log
}

/** The warden did not start it. */
export class WardenRefused extends Error {
  readonly code: string
  constructor(refused: RefusalCode, cause?: string) {
    super(`the warden refused to start an ffmpeg (${refused})`)
    this.code = cause ?? refused
  }
}

const START_WAIT_MS = 10_000
const RETRY_MS = 1_000
/** The end of one that nobody knows yet is kept for so long: the news may overtake the answer to its start. */
const UNKNOWN_EXIT_MS = 10_000
/** The news of an exit comes at once; what a look at the processes sees may come before it. */
const NEWS_MS = 300

const keyOf = ({ pid, birth }: ProcessId): string => `${pid} ${birth}`

/** Finds the warden that an earlier run of the program left, or starts one; and another one whenever it is gone. */
export async function openWarden({ directory, dataDir, log }: WardenDeps): Promise<Warden> {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const paths = pathsIn(directory)
  const deadline = openDeadlineFile(paths.deadline)
  const exits = new Map<string, PromiseWithResolvers<Exit>>()
  /** They may outlive a warden: not every one of them was started by it. */
  const adopted = new Map<string, AdoptOrder>()
  let until = NO_DEADLINE
  let held: WardenConnection | null = null
  let isClosed = false

  function exitOf(process: ProcessId): PromiseWithResolvers<Exit> {
    const key = keyOf(process)
    const known = exits.get(key)
    if (known) return known
    const exit = Promise.withResolvers<Exit>()
    exits.set(key, exit)
    return exit
  }

  /** Known until it has ended. */
  function follow(process: ProcessId): Promise<Exit> {
    const { promise } = exitOf(process)
    promise.then(() => exits.delete(keyOf(process)))
    return promise
  }

  const hold = (state: WardenState): Promise<WardenConnection> =>
    connectToWarden(state, paths.socket, {
      onExit({ pid, birth, code, signal }) {
        exitOf({ pid, birth }).resolve({ code, signal })
        setTimeout(() => exits.delete(keyOf({ pid, birth })), UNKNOWN_EXIT_MS).unref()
      },
      onLost(why) {
        log.warn({ wardenPid: state.pid, why }, 'the warden of the broadcasts is lost')
        held = null
        // Its ffmpegs end with it, and nobody tells how.
        for (const [key, { resolve }] of exits) {
          const [pid = '', birth = ''] = key.split(' ')
          whenGone(Number(pid), birth, resolve)
        }
        opening = reopen(state)
      },
    })

  async function open(): Promise<void> {
    const found = readWardenState(directory)
    if (found?.protocol === PROTOCOL) {
      held = await hold(found).catch(() => null)
      if (held) return
    }
    if (found) await killWardenProcess(found)
    // Nobody has promised the new one anything but this program.
    deadline.write(until)
    const started = await startWardenProcess(directory, dataDir)
    log.info({ wardenPid: started.pid }, 'warden of the broadcasts started')
    held = await hold(started)
    for (const order of adopted.values()) await fence(order)
  }

  /** What may not run is ended: nobody would end it in time. */
  async function fence(order: AdoptOrder): Promise<void> {
    const { pid, birth, streamId } = order
    const { refused } = (await held?.ask(order)) ?? {}
    if (!refused || refused === 'not-found') return
    log.warn({ streamId, ffmpegPid: pid, refused }, 'ending an ffmpeg that may not run')
    adoptDetached(pid, birth)?.signal('SIGKILL')
  }

  const unfenced = (error: unknown): void => log.warn({ err: error }, 'an ffmpeg is not fenced yet')

  async function reopen(lost: ProcessId): Promise<void> {
    await killWardenProcess(lost)
    while (!isClosed && held === null) {
      await open().catch(async (error) => {
        log.error({ err: error }, 'the warden of the broadcasts could not be started')
        await sleep(RETRY_MS, undefined, { ref: false })
      })
    }
  }

  async function connection(): Promise<WardenConnection> {
    await Promise.race([opening, sleep(START_WAIT_MS, undefined, { ref: false })])
    if (!held) throw new WardenRefused('failed', 'EAGAIN')
    return held
  }

  let opening = open()
  await opening

  return {
    pid: () => held?.warden.pid ?? null,
    async start(command, args, { errorFile, cwd, env = {}, streamId, epoch }) {
      const { ask } = await connection()
      const answer: Answer = await ask({ type: 'spawn', command, args, cwd, env, errorFile, streamId, epoch })
      const { refused, cause, pid, birth } = answer
      if (refused || pid === undefined || birth === undefined) throw new WardenRefused(refused ?? 'failed', cause)
      return processOf({ pid, birth }, follow({ pid, birth }))
    },
    adopt({ pid, birth }, { streamId, epoch }) {
      const seen = adoptDetached(pid, birth)
      if (!seen) return null
      const key = keyOf(seen)
      const order: AdoptOrder = { type: 'adopt', pid, birth, streamId, epoch }
      adopted.set(key, order)
      fence(order).catch(unfenced)
      const known = follow(seen)
      const gone = seen.exited.then((exit) => Promise.race([known, sleep(NEWS_MS, exit, { ref: false })]))
      gone.then(() => {
        exits.delete(key)
        adopted.delete(key)
      })
      return { ...seen, exited: Promise.race([known, gone]) }
    },
    extend(untilMonotonicMs) {
      until = deadlineAt(Number(untilMonotonicMs), machineTime())
      deadline.write(until)
    },
    async close({ runsOn }) {
      isClosed = true
      await opening.catch(() => {})
      const last = held
      last?.close()
      held = null
      deadline.close()
      if (last && !runsOn) await endWardenProcess(last.warden, directory)
    },
  }
}
