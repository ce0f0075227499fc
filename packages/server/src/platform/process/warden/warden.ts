import { mkdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../log.ts'
import { adoptDetached, type DetachedProcess, processOf } from '../detached.ts'
import { NO_DEADLINE, openDeadlineFile } from './deadline.ts'
import { holdWarden } from './held-warden.ts'
import { createKnownExits, keyOf } from './known-exits.ts'
import type { AdoptOrder, ProcessId, RefusalCode } from './messages.ts'
import { loadRunMark } from './run-mark.ts'
import type { WardenConnection } from './warden-connection.ts'
import { endWardenProcess } from './warden-process.ts'
import { pathsIn } from './warden-state.ts'

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
  /** The same for every run of a program that finds what this one has started. */
  readonly runMark: string
  /** For a thread that extends the deadline too. */
  readonly deadlinePath: string
  /** Null: it is just being replaced. */
  pid(): number | null
  start(command: string, args: string[], options: StartOptions): Promise<DetachedProcess>
  /** Takes over what runs already; null: it is gone. */
  adopt(process: ProcessId, of: Pick<StartOptions, 'streamId' | 'epoch'>): DetachedProcess | null
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
class WardenRefused extends Error {
  readonly code: string
  constructor(refused: RefusalCode, cause?: string) {
    super(`the warden did not start an ffmpeg (${refused})`)
    this.code = cause ?? refused
  }
}

/** The news of an exit comes at once; what a look at the processes sees may come before it. */
const NEWS_MS = 300

export async function openWarden({ directory, dataDir, log }: WardenDeps): Promise<Warden> {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const runMark = loadRunMark(directory)
  const { deadline: deadlinePath } = pathsIn(directory)
  const deadline = openDeadlineFile(deadlinePath)
  const exits = createKnownExits()
  /** They may outlive a warden: not every one of them was started by it. */
  const adopted = new Map<string, AdoptOrder>()
  /** By this program: before that the file may have a deadline that an earlier run has left. */
  let isExtended = false
  let isClosed = false

  /** What may not run is ended: nobody would end it in time. */
  async function fence({ ask }: WardenConnection, order: AdoptOrder): Promise<void> {
    const { pid, birth, streamId } = order
    const { refused } = await ask(order)
    if (!refused || refused === 'not-found') return
    log.warn({ streamId, ffmpegPid: pid, refused }, 'ending an ffmpeg that may not run')
    adoptDetached(pid, birth)?.signal('SIGKILL')
  }

  const held = await holdWarden({
    ...{ directory, dataDir, log },
    // Nobody but this program has promised the new one anything.
    beforeStart() {
      if (!isExtended) deadline.write(NO_DEADLINE)
    },
    async afterStart(connection) {
      for (const order of adopted.values()) await fence(connection, order)
    },
    onExit: (news) => exits.tell(news, { code: news.code, signal: news.signal }),
    onLost: exits.watchAll,
  })

  return {
    runMark,
    deadlinePath,
    pid: held.pid,
    async start(command, args, { errorFile, cwd, env = {}, streamId, epoch }) {
      const connection = await held.connection()
      if (!connection) throw new WardenRefused('failed')
      const order = { type: 'spawn', command, args, cwd, env, errorFile, streamId, epoch } as const
      const { refused, cause, pid, birth } = await connection.ask(order)
      if (refused || pid === undefined || birth === undefined) throw new WardenRefused(refused ?? 'failed', cause)
      return processOf({ pid, birth }, exits.follow({ pid, birth }))
    },
    adopt({ pid, birth }, { streamId, epoch }) {
      const seen = adoptDetached(pid, birth)
      if (!seen) return null
      const order: AdoptOrder = { type: 'adopt', pid, birth, streamId, epoch }
      adopted.set(keyOf(seen), order)
      held
        .connection()
        .then((connection) => connection && fence(connection, order))
        .catch((error) => log.warn({ err: error, streamId, ffmpegPid: pid }, 'an ffmpeg is not fenced yet'))
      const told = exits.follow(seen)
      const gone = seen.exited.then((exit) => Promise.race([told, sleep(NEWS_MS, exit, { ref: false })]))
      gone.then(() => {
        exits.forget(seen)
        adopted.delete(keyOf(seen))
      })
      return { ...seen, exited: Promise.race([told, gone]) }
    },
    extend(untilMonotonicMs) {
      if (isClosed) return
      isExtended = true
      deadline.extend(Number(untilMonotonicMs))
    },
    async close({ runsOn }) {
      if (isClosed) return
      isClosed = true
      const last = await held.release()
      deadline.close()
      if (last && !runsOn) await endWardenProcess(last, directory)
    },
  }
}
