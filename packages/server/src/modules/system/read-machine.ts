import { readFile, realpath, statfs } from 'node:fs/promises'
import { cpus, freemem, totalmem } from 'node:os'
import { sep } from 'node:path'

export interface CpuTimes {
  readonly busyMs: number
  readonly allMs: number
}

/** The times of all cores, since the machine started: two readings tell what happened between them. */
export function readCpuTimes(): CpuTimes {
  let [busyMs, allMs] = [0, 0]
  for (const { times } of cpus()) {
    const busy = times.user + times.nice + times.sys + times.irq
    busyMs += busy
    allMs += busy + times.idle
  }
  return { busyMs, allMs }
}

/** What is not used is what programs can still get: on Linux Node counts the file cache in, which is there to be given back. */
export const readMemory = (): { total: number; used: number } => ({ total: totalmem(), used: totalmem() - freemem() })

export interface Mount {
  readonly filesystem: string
  readonly type: string
}

const UNKNOWN: Mount = { filesystem: 'unknown', type: 'unknown' }

/** What is mounted where this folder lies. */
export async function readMount(folder: string): Promise<Mount> {
  const mounts = await readFile('/proc/self/mounts', 'utf8').catch(() => '')
  return mountOf(await realpath(folder), mounts) ?? UNKNOWN
}

/** The kernel writes a space in a path as \040. */
const unescapePath = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)))

/** The mount nearest above the path; of two at one place the later one covers the other. */
export function mountOf(path: string, mounts: string): Mount | null {
  let nearest: { mount: Mount; depth: number } | null = null
  for (const line of mounts.split('\n')) {
    const [filesystem = '', place = '', type = ''] = line.split(' ').map(unescapePath)
    const root = place === sep ? sep : `${place}${sep}`
    if (place === '' || !`${path}${sep}`.startsWith(root) || root.length < (nearest?.depth ?? 0)) continue
    nearest = { mount: { filesystem, type }, depth: root.length }
  }
  return nearest?.mount ?? null
}

/** As df has it: what is kept back for root counts neither as used nor as usable. */
export async function readDisk(folder: string): Promise<Record<'size' | 'used' | 'available' | 'usage', number>> {
  const { bsize, blocks, bfree, bavail } = await statfs(folder)
  const used = (blocks - bfree) * bsize
  const available = bavail * bsize
  return { size: blocks * bsize, used, available, usage: percent(used, used + available) }
}

/** With one decimal; of nothing, nothing is used. */
export const percent = (part: number, whole: number): number =>
  whole > 0 ? Math.min(100, Math.max(0, Math.round((part / whole) * 1000) / 10)) : 0
