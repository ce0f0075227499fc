import { readdirSync, readFileSync } from 'node:fs'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { basename } from 'node:path'

export type FoundProcess = { pid: number; args: string[] }

/** The ffmpeg processes that work on something inside a server's data folder. */
export const ffmpegsUnder = async (dataDir: string): Promise<FoundProcess[]> =>
  (await processesUnder(dataDir)).filter(({ args }) => basename(args[0] ?? '') === 'ffmpeg')

/** Every process that does. */
export async function processesUnder(dataDir: string): Promise<FoundProcess[]> {
  const found: FoundProcess[] = []
  for (const pid of await allPids()) {
    const args = await argsOf(pid)
    const folder = await readlink(`/proc/${pid}/cwd`).catch(() => '')
    if ([...args, folder].some((text) => text.includes(dataDir))) found.push({ pid, args })
  }
  return found
}

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
  const found: FoundProcess[] = []
  for (const candidate of await allPids()) {
    const stat = await readFile(`/proc/${candidate}/stat`, 'utf8').catch(() => '')
    const [state, parent] = statFields(stat)
    if (Number(parent) === pid && state !== 'Z') found.push({ pid: candidate, args: await argsOf(candidate) })
  }
  return found
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
  const read = (path: string): string => {
    try {
      return readFileSync(path, 'utf8')
    } catch {
      return ''
    }
  }
  const pids = readdirSync('/proc/self/task').flatMap((thread) =>
    read(`/proc/self/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  )
  return pids.flatMap((pid) => {
    const peak = /VmHWM:\s+(\d+) kB/.exec(read(`/proc/${pid}/status`))?.[1]
    const args = read(`/proc/${pid}/cmdline`).replace(/\0$/, '').split('\0')
    const nice = Number(statFields(read(`/proc/${pid}/stat`))[16])
    return peak === undefined ? [] : [{ pid, args, peakBytes: Number(peak) * 1024, nice }]
  })
}

const allPids = async (): Promise<number[]> =>
  (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map((name) => Number(name))

/** Empty for a process that has ended since it was listed. */
async function argsOf(pid: number): Promise<string[]> {
  const cmdline = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return cmdline === '' ? [] : cmdline.replace(/\0$/, '').split('\0')
}

/** What follows the name, which stands in parentheses and may itself contain spaces and parentheses. */
const statFields = (stat: string): string[] => stat.slice(stat.lastIndexOf(')') + 2).split(' ')
