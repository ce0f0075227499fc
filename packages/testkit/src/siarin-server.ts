import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from './free-port.ts'
import { isAlive, processesUnder } from './processes.ts'
import { type Exit, type Service, startService, waitUntilUp } from './service-process.ts'
import { tempDir } from './temp-dir.ts'
import { waitFor } from './wait-for.ts'

export type Settings = Record<string, string>

export type SiarinOptions = {
  env?: Settings
  /** Without it the server gets a folder of its own, which `dispose` removes. */
  dataDir?: string
  port?: number
  /** More of Node's own flags, such as a module of the test's to load first. */
  flags?: string[]
  /** The main file of another version; without it that of these sources. */
  main?: string
  /** As operators run it: with little memory, and what it prepares gives way to all else. Tests beside browsers would wait for that for minutes. */
  givesWay?: boolean
  /** A shell that sets limits before it becomes the program, such as `ulimit -n 256`. */
  shell?: string
}

export type Siarin = {
  url: string
  port: number
  dataDir: string
  readonly pid: number
  /** What it wrote since its last start: the newest part, when that is much. */
  output(): string
  /** Once it has ended, by whatever. */
  ended(): Promise<Exit>
  stop(signal?: NodeJS.Signals): Promise<Exit>
  kill9(): Promise<void>
  /** On the same port and data folder; `env` replaces single settings, from now on. */
  restart(env?: Settings): Promise<void>
  /** Ends it, and whatever it has left running, and removes its folder. For the end of a suite. */
  dispose(): Promise<void>
}

const ROOT = join(import.meta.dirname, '..', '..', '..')
/** As `npm start` runs it, see scripts/lib/server-command.mjs. */
export const OPERATORS_ENV = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072', UV_THREADPOOL_SIZE: '16' }
const OPERATORS_FLAGS = ['--max-semi-space-size=8', '--heap-growing-percent=50']
/** Room for all that a start allocates: collecting garbage takes an eighth of its CPU time. */
const ROOMY_FLAGS = ['--min-semi-space-size=32', '--max-semi-space-size=32']
const MAIN = join(ROOT, 'packages', 'server', 'dist', 'main.js')
const USUAL_PRIORITY = ['--import', join(import.meta.dirname, 'usual-priority.mjs')]
const BUILD = join(ROOT, 'scripts', 'build-server.mjs')

const LEFT_BY_DESIGN = /(^|\/)(ffmpeg|source-proxy-main\.ts|warden-main\.ts)$/
const NOBODY = 'http://127.0.0.1:1'

/** All that comes from the developer's shell: PORT, DATABASE_URL and their like would change what is tested. */
const INHERITED = ['PATH', 'HOME', 'USER', 'LANG', 'LC_ALL', 'TMPDIR', 'FFMPEG_PATH', 'FFPROBE_PATH']

/** Builds what `startSiarin` runs, if the sources have changed: once before all tests. */
export async function buildSiarin(): Promise<void> {
  await promisify(execFile)(node24(), [BUILD])
}

/** The whole program as a user runs it, on loopback. */
export async function startSiarin(options: SiarinOptions = {}): Promise<Siarin> {
  const ownDir = options.dataDir === undefined ? await tempDir('siarin') : null
  const dataDir = options.dataDir ?? ownDir?.path ?? ''
  const port = options.port ?? (await freePort())
  const url = `http://127.0.0.1:${port}`
  let env = { ...usualSettings(port, dataDir), ...options.env }
  if (ownDir && !options.env?.['DATABASE_URL']) await putDatabase(dataDir)
  let service = await launch(url, env, options).catch(async (error) => {
    await ownDir?.remove()
    throw error
  })

  const stop = (signal: NodeJS.Signals = 'SIGTERM') => service.stop(signal)
  return {
    url,
    port,
    dataDir,
    get pid() {
      return service.pid
    },
    output: () => service.output(),
    ended: () => service.ended,
    stop,
    async kill9() {
      await stop('SIGKILL')
    },
    async restart(changes = {}) {
      await stop()
      env = { ...env, ...changes }
      service = await launch(url, env, options)
    },
    async dispose() {
      await stop()
      await endLeftovers(dataDir)
      await ownDir?.remove()
    },
  }
}

/** Where a run of tests has made one with every table: migrations take a fifth of a first start, and the run starts hundreds. */
async function putDatabase(dataDir: string): Promise<void> {
  const { SIARIN_EMPTY_DATABASE } = process.env
  if (SIARIN_EMPTY_DATABASE) await copyFile(SIARIN_EMPTY_DATABASE, join(dataDir, 'siarin.db'))
}

/** What it is started with, before a test's own settings. */
export const usualSettings = (port: number, dataDir: string): Settings => ({
  ...inherited(),
  PORT: String(port),
  HOST: '127.0.0.1',
  DATA_DIR: dataDir,
  ALLOW_PRIVATE_NETWORK: 'true',
  // What a plan allows has tests of its own.
  ENFORCE_PLANS: 'false',
  MAX_VIDEO_HEIGHT: '1080',
  TRUST_PROXY: 'true',
  ...OPERATORS_ENV,
  // Tests start it a hundred times: a third of the CPU time of a start goes into compiling the same files.
  NODE_COMPILE_CACHE: join(import.meta.dirname, '..', '.cache', 'compiled'),
  // A machine that runs tests is busy; what admission does about that has tests of its own.
  MAX_CPU_PERCENT: '100',
  LOG_LEVEL: 'info',
  // No test calls a platform: nobody listens there. Who wants one gives the address of a stand-in.
  BIGO_API_URL: NOBODY,
  STREAMLABS_API_URL: NOBODY,
  TELEGRAM_API_URL: NOBODY,
  DISCORD_API_URL: NOBODY,
})

function inherited(): Settings {
  return Object.fromEntries(INHERITED.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))
}

/** The program with its arguments. */
export const programCommand = ({ flags = [], givesWay, main = MAIN }: Omit<SiarinOptions, 'shell'>): string[] => [
  ...[node24(), ...(givesWay ? OPERATORS_FLAGS : [...ROOMY_FLAGS, ...USUAL_PRIORITY]), ...flags, main],
]

async function launch(url: string, env: Settings, { shell, ...options }: SiarinOptions): Promise<Service> {
  const command = programCommand(options)
  const [file = '', ...args] = shell ? ['/bin/sh', '-c', `${shell}; exec "$@"`, 'sh', ...command] : command
  const service = await startService({
    command: file,
    args,
    cwd: ROOT,
    env,
    deathSignal: 'TERM',
  })
  await waitUntilUp('the Siarin server', service, async () => (await fetch(`${url}/readyz`)).status === 200)
  return service
}

/** An editor may run the tests on a Node of its own. */
function node24(): string {
  const own = join(ROOT, 'node_modules', 'node', 'bin', 'node')
  return existsSync(own) ? own : process.execPath
}

/** A broadcast outlives a killed server by design, and so does what it reads through. */
async function endLeftovers(dataDir: string): Promise<void> {
  const left = (await processesUnder(dataDir)).filter(({ args }) => args.some((arg) => LEFT_BY_DESIGN.test(arg)))
  for (const { pid } of left) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
  await waitFor('the end of what the server left running', async () => left.every(({ pid }) => !isAlive(pid)))
}
