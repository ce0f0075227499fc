import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../log.ts'
import { type ExitNews, PROTOCOL, type ProcessId } from './messages.ts'
import { connectToWarden, type WardenConnection } from './warden-connection.ts'
import { killWardenProcess, startWardenProcess } from './warden-process.ts'
import { pathsIn, readWardenState, type WardenState } from './warden-state.ts'

interface HeldWardenDeps {
  readonly directory: string
  readonly dataDir: string
  readonly log: Log
  /** Right before a new one is started. */
  readonly beforeStart: () => void
  /** A new one holds the place. */
  readonly afterStart: (connection: WardenConnection) => Promise<void>
  readonly onExit: (news: ExitNews) => void
  readonly onLost: () => void
}

const START_WAIT_MS = 10_000
const RETRY_MS = 1_000

/** Finds the warden that an earlier run of the program left, or starts one; and another one whenever it is gone. */
export async function holdWarden({ directory, dataDir, log, onExit, ...deps }: HeldWardenDeps) {
  let held: WardenConnection | null = null
  let isReleased = false

  const connect = (state: WardenState): Promise<WardenConnection> =>
    connectToWarden(state, pathsIn(directory).socket, {
      onExit,
      onLost(why) {
        log.warn({ wardenPid: state.pid, why }, 'the warden of the broadcasts is lost')
        held = null
        deps.onLost()
        // One after the other: two that open would start two.
        opening = opening.then(() => reopen(state))
      },
    })

  async function open(): Promise<void> {
    const found = readWardenState(directory)
    if (found?.protocol === PROTOCOL) {
      held = await connect(found).catch(() => null)
      if (held) return
    }
    if (found) await killWardenProcess(found)
    deps.beforeStart()
    const started = await startWardenProcess(directory, dataDir)
    log.info({ wardenPid: started.pid }, 'warden of the broadcasts started')
    held = await connect(started)
    await deps.afterStart(held)
  }

  async function reopen(lost: ProcessId): Promise<void> {
    await killWardenProcess(lost)
    while (!isReleased && held === null) {
      await open().catch(async (error) => {
        log.error({ err: error }, 'the warden of the broadcasts could not be started')
        await sleep(RETRY_MS, undefined, { ref: false })
      })
    }
  }

  let opening = open()
  await opening

  return {
    pid: (): number | null => held?.warden.pid ?? null,
    /** Null: none could be started for long. */
    async connection(): Promise<WardenConnection | null> {
      await Promise.race([opening, sleep(START_WAIT_MS, undefined, { ref: false })])
      return held
    },
    /** Lets it go, for good; answers which one it was. */
    async release(): Promise<ProcessId | null> {
      isReleased = true
      await opening
      const last = held
      held = null
      last?.close()
      return last?.warden ?? null
    },
  }
}
