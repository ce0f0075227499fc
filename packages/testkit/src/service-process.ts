import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { waitFor } from './wait-for.ts'

const OUTPUT_LIMIT = 256 * 1024
/** A machine that is busy with other tests takes its time to load the program. */
const START_TIMEOUT_MS = 90_000
const LAST_WORDS_MS = 500

export type Exit = { code: number | null; signal: NodeJS.Signals | null }

export type ServiceOptions = {
  command: string
  args: string[]
  cwd: string
  env?: NodeJS.ProcessEnv
  /** Run as this user; only root may ask for it. */
  user?: string
  /** What the process gets when the test process dies without a word. */
  deathSignal: 'KILL' | 'TERM' | 'QUIT'
}

export type Service = {
  pid: number
  output(): string
  exit(): Exit | null
  ended: Promise<Exit>
  signal(signal: NodeJS.Signals): void
  /** Sends the signal, and kills what has not ended after `graceMs`. */
  stop(signal: NodeJS.Signals, graceMs?: number): Promise<Exit>
}

/** A server of a test's own: its output is kept, bounded, and it does not outlive the test process. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { cwd, env } = options
  const [file = '', ...argv] = [...wrapper(options), options.command, ...options.args]
  const child = spawn(file, argv, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-OUTPUT_LIMIT)
    })
  }
  const ended = exitOf(child)
  await once(child, 'spawn')
  let exit: Exit | null = null
  ended.then((value) => {
    exit = value
  })
  return {
    pid: child.pid ?? 0,
    output: () => output,
    exit: () => exit,
    ended,
    signal: (signal) => void child.kill(signal),
    async stop(signal, graceMs = 15_000) {
      child.kill(signal)
      const overdue = new AbortController()
      sleep(graceMs, undefined, { signal: overdue.signal }).then(
        () => child.kill('SIGKILL'),
        () => {},
      )
      const value = await ended
      overdue.abort()
      return value
    },
  }
}

/** Waits until a service answers; one that ends instead is reported with its own words. */
export async function waitUntilUp(name: string, service: Service, probe: () => Promise<boolean>): Promise<void> {
  const end = service.ended.then(() => 'ended' as const)
  // Raced: where a service could not start, another holder of its port may accept the probe and never answer it.
  const up = () => Promise.race([end, probe().then((answers) => answers && ('up' as const))])
  const state = await waitFor(name, up, { timeoutMs: START_TIMEOUT_MS, everyMs: 30 }).catch(async (error: Error) => {
    await service.stop('SIGKILL')
    throw new Error(`${error.message}\n${service.output()}`)
  })
  if (state === 'up') return
  const { code, signal } = service.exit() ?? {}
  throw new Error(`${name} ended early (${signal ?? `exit code ${code}`}):\n${service.output()}`)
}

/** The sbin folders are not on an ordinary user's PATH. */
export function findProgram(name: string, folders: string[] = []): string {
  const { PATH = '' } = process.env
  const all = [...folders, ...PATH.split(delimiter), '/usr/local/sbin', '/usr/sbin', '/sbin']
  const folder = all.find((candidate) => candidate !== '' && existsSync(join(candidate, name)))
  if (!folder) throw new Error(`${name} is not installed; npm test installs it`)
  return join(folder, name)
}

/** Waits for the last words too, but not for a grandchild that holds the same pipe open. */
async function exitOf(child: ChildProcess): Promise<Exit> {
  const closed = once(child, 'close')
  const [code, signal] = await once(child, 'exit')
  await Promise.race([closed, sleep(LAST_WORDS_MS)])
  return { code, signal }
}

/** The kernel ends the process with its parent; elsewhere than on Linux we do without. */
function wrapper({ user, deathSignal }: ServiceOptions): string[] {
  const wrap = ['setpriv', '--pdeathsig', deathSignal]
  if (user) return [...wrap, '--reuid', user, '--regid', user, '--init-groups']
  return hasSetpriv() ? wrap : []
}

let setprivWorks: boolean | undefined

/** Asked once: each asking is a process. */
function hasSetpriv(): boolean {
  setprivWorks ??= process.platform === 'linux' && spawnSync('setpriv', ['--pdeathsig', 'TERM', 'true']).status === 0
  return setprivWorks
}
