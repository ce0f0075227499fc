import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'

export type FoundProcess = { pid: number; args: string[] }

/** The ffmpeg processes that work on something inside a server's data folder. */
export const ffmpegsUnder = async (dataDir: string): Promise<FoundProcess[]> =>
  allProcesses().filter((found) => basename(found.args[0] ?? '') === 'ffmpeg' && worksUnder(dataDir, found))

/** Every process that does. */
export const processesUnder = async (dataDir: string): Promise<FoundProcess[]> =>
  allProcesses().filter((found) => worksUnder(dataDir, found))

const worksUnder = (dataDir: string, { pid, args }: FoundProcess): boolean =>
  args.some((arg) => arg.includes(dataDir)) || folderOf(pid).includes(dataDir)

/** For a process that has to be there: a pid that is missing would be taken for 0, which is this process and all its kin. */
export function kill9(found: FoundProcess | undefined): void {
  if (!found) throw new Error('there is no process to kill')
  process.kill(found.pid, 'SIGKILL')
}

/** A zombie is not alive: it only waits for its parent to notice. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  try {
    return statFields(readFileSync(`/proc/${pid}/stat`, 'utf8'))[0] !== 'Z'
  } catch {
    return process.platform !== 'linux'
  }
}

export async function childrenOf(pid: number): Promise<FoundProcess[]> {
  const isChild = (candidate: number): boolean => {
    const [state, parent] = statFields(textOf(`/proc/${candidate}/stat`))
    return Number(parent) === pid && state !== 'Z'
  }
  return allPids()
    .filter(isChild)
    .map((child) => ({ pid: child, args: argsOf(child) }))
}

/** Its children, and theirs: the spawner starts the ffmpegs of broadcasts. */
export async function descendantsOf(pid: number): Promise<FoundProcess[]> {
  const children = await childrenOf(pid)
  const further = await Promise.all(children.map((child) => descendantsOf(child.pid)))
  return [...children, ...further.flat()]
}

const TICKS_PER_SECOND = 100

/** What a process has used of the CPU, and those of its children that have ended. */
export async function cpuSeconds(pid: number): Promise<number> {
  const fields = statFields(await readFile(`/proc/${pid}/stat`, 'utf8'))
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND
}

export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024
}

export type Burden = FoundProcess & { peakBytes: number; nice: number }

/** What this process's children hold at most since they began, and how far their priority is lowered. Quick enough to be asked all the time. */
export function childBurdens(): Burden[] {
  const pids = readdirSync('/proc/self/task').flatMap((thread) =>
    textOf(`/proc/self/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  )
  return pids.flatMap((pid) => {
    const peak = /VmHWM:\s+(\d+) kB/.exec(textOf(`/proc/${pid}/status`))?.[1]
    const args = argsOf(pid)
    const nice = Number(statFields(textOf(`/proc/${pid}/stat`))[16])
    return peak === undefined ? [] : [{ pid, args, peakBytes: Number(peak) * 1024, nice }]
  })
}

// Tests ask for these all the time, and of each process: to wait for every file took ten times as long as to read it.
const allPids = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => Number(name))

const allProcesses = (): FoundProcess[] => allPids().map((pid) => ({ pid, args: argsOf(pid) }))

/** Empty for a process that has ended since it was listed. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function argsOf(pid: number): string[] {
  const cmdline = textOf(`/proc/${pid}/cmdline`)
  return cmdline === '' ? [] : cmdline.replace(/\0$/, '').split('\0')
}

function folderOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return ''
  }
}

/** What follows the name, which stands in parentheses and may itself contain spaces and parentheses. */
const statFields = (stat: string): string[] => stat.slice(stat.lastIndexOf(')') + 2).split(' ')
