import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { freePort } from './free-port.ts'
import { childrenOf, type FoundProcess, isAlive } from './processes.ts'
import { type Service, startService, waitUntilUp } from './service-process.ts'
import { programCommand, type Settings, usualSettings } from './siarin-server.ts'
import { type TempDir, tempDir } from './temp-dir.ts'
import { waitFor } from './wait-for.ts'

export type Part = 'program' | 'warden' | 'both'

export type MachineOptions = {
  /** Its host name, and the name by which a worker calls itself. */
  name: string
  env: Settings
  /** Without it the machine has a disk of its own, which outlives its power. */
  dataDir?: string
  /** More of Node's own flags. TEST_CLOCK_FILE has how far `setClock` has moved its clock. */
  flags?: string[]
  /** The main file of another version. */
  main?: string
}

export type Machine = {
  name: string
  url: string
  dataDir: string
  /** All that runs on it, by the pids of the test's own machine. */
  processes(): FoundProcess[]
  /** The arguments of each ffmpeg on it. Cheap: it may be asked all the time, also where lines run in the same process. */
  ffmpegs(): string[][]
  /** The process that starts ffmpeg on behalf of the program; null: there is none. */
  warden(): FoundProcess | null
  isOn(): boolean
  isRunning(): boolean
  output(): string
  /** To the program, to its warden, or to one right after the other. Answers once a killed program has ended. */
  signal(part: Part, signal: NodeJS.Signals): Promise<void>
  /** `main`: of another version than before; from now on. */
  startProgram(main?: string): Promise<void>
  /** As an operator ends it; answers once it has ended. */
  stopProgram(graceMs?: number): Promise<void>
  /** Everything on it ends at once. */
  switchOff(): Promise<void>
  switchOn(): Promise<void>
  setClock(aheadMs: number): Promise<void>
  dispose(): Promise<void>
}

/** The first process of a machine: it has the others' orphans, and nothing else to do. */
const INIT = `
set -e
hostname "$0"
mount -t tmpfs -o mode=1777 shm /dev/shm
echo is on
while :; do sleep 3600 & wait $!; done
`

const WARDEN = /warden/

/**
 * A worker's machine: the real program with a host name, processes, mounts and memory files of its own. Its network is ours, so that all
 * stay on loopback; lines that a test makes faulty stand for cables. Only root may make one.
 */
export async function startMachine({ name, env, flags = [], ...options }: MachineOptions): Promise<Machine> {
  const folder: TempDir = await tempDir(`machine-${name}`)
  const dataDir = options.dataDir ?? join(folder.path, 'data')
  const clockFile = join(folder.path, 'clock')
  await writeFile(clockFile, '0')
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  let power: Service | null = null
  let init = 0
  let main = options.main
  let program: { service: Service; pid: number } | null = null

  const machine: Machine = {
    name,
    url,
    dataDir,
    processes: () => (init ? processesBeside(init) : []),
    ffmpegs: () =>
      (init ? commandsOf(`/proc/${init}/root/proc`) : []).filter(([file = '']) => basename(file) === 'ffmpeg'),
    warden: () =>
      machine.processes().find(({ args }) => args.slice(0, 4).some((arg) => WARDEN.test(basename(arg)))) ?? null,
    isOn: () => power !== null && power.exit() === null,
    isRunning: () => program !== null && program.service.exit() === null,
    output: () => program?.service.output() ?? '',
    async signal(part, signal) {
      const warden = part === 'program' ? null : machine.warden()
      if (part !== 'program' && !warden) throw new Error(`${name} has no warden`)
      if (part !== 'warden' && program) {
        process.kill(program.pid, signal)
        // It stops with the program, and would not see its end.
        if (signal === 'SIGCONT') program.service.signal('SIGCONT')
      }
      if (warden) process.kill(warden.pid, signal)
      if (signal === 'SIGKILL' && part !== 'warden') await program?.service.ended
    },
    async startProgram(next = main) {
      main = next
      const given = { ...usualSettings(port, dataDir), TEST_CLOCK_FILE: clockFile, ...env }
      const inside = ['--target', String(init), '--uts', '--mount', '--pid', '--']
      const service = await startService({
        command: 'nsenter',
        args: [...inside, ...programCommand({ flags, ...(main ? { main } : {}) })],
        cwd: folder.path,
        env: given,
        deathSignal: 'TERM',
      })
      const [child] = await waitFor('the program to begin', async () => {
        const found = await childrenOf(service.pid)
        return (found.length > 0 || service.exit()) && found
      })
      program = { service, pid: child?.pid ?? 0 }
      await waitUntilUp(`the program of ${name}`, service, async () => (await fetch(`${url}/readyz`)).status === 200)
    },
    async stopProgram(graceMs = 60_000) {
      const last = program
      if (!last || last.service.exit()) return
      process.kill(last.pid, 'SIGTERM')
      const overdue = setTimeout(() => isAlive(last.pid) && process.kill(last.pid, 'SIGKILL'), graceMs)
      await last.service.ended
      clearTimeout(overdue)
    },
    async switchOff() {
      if (init && isAlive(init)) process.kill(init, 'SIGKILL')
      program?.service.signal('SIGCONT')
      await power?.ended
      await program?.service.ended
      power = null
      program = null
      init = 0
    },
    async switchOn() {
      power = await startInit(name, folder.path)
      init = (await childrenOf(power.pid))[0]?.pid ?? 0
      await machine.startProgram()
    },
    async setClock(aheadMs) {
      await writeFile(`${clockFile}.new`, String(aheadMs))
      await rename(`${clockFile}.new`, clockFile)
    },
    async dispose() {
      await machine.switchOff()
      await folder.remove()
    },
  }
  await machine.switchOn().catch(async (error) => {
    await machine.dispose()
    throw error
  })
  return machine
}

async function startInit(name: string, cwd: string): Promise<Service> {
  const apart = ['--uts', '--mount', '--pid', '--fork', '--kill-child=KILL', '--mount-proc']
  const args = [...apart, 'bash', '-c', INIT, name]
  const service = await startService({ command: 'unshare', args, cwd, deathSignal: 'KILL' })
  await waitUntilUp(`machine ${name}`, service, async () => service.output().includes('is on'))
  return service
}

const namespaceOf = (pid: number | string): string | null => {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`)
  } catch {
    return null
  }
}

/** As the machine itself sees them. */
const commandsOf = (proc: string): string[][] => pidsIn(proc).map((pid) => argsOf(pid, proc))

const pidsIn = (proc: string): string[] => {
  try {
    return readdirSync(proc).filter((name) => /^\d+$/.test(name))
  } catch {
    return []
  }
}

/** Those of the same machine. One that has ended but is not yet missed has no arguments, and is left out. */
function processesBeside(init: number): FoundProcess[] {
  const here = namespaceOf(init)
  if (here === null) return []
  return pidsIn('/proc')
    .filter((pid) => namespaceOf(pid) === here)
    .map((name) => ({ pid: Number(name), args: argsOf(name) }))
    .filter(({ args }) => args.length > 0)
}

function argsOf(pid: string, proc = '/proc'): string[] {
  try {
    const line = readFileSync(`${proc}/${pid}/cmdline`, 'utf8')
    return line === '' ? [] : line.replace(/\0$/, '').split('\0')
  } catch {
    return []
  }
}
