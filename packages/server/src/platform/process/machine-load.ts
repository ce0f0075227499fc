import { cpus, totalmem } from 'node:os'

export interface MachineLimits {
  /** The share of all cores together. */
  readonly maxCpuPercent: number
  readonly minFreeMemoryBytes: number
}

/** What a machine has too little of for more work. */
export type MachineShortage = 'cpu' | 'memory'

interface CpuTimes {
  readonly busy: number
  readonly all: number
}

const LOOK_EVERY_MS = 2_000
/** The newest look counts a fifth: some ten seconds of work, not one moment's, make a machine full. */
const NEWEST_SHARE = 0.2

const FREE_MEMORY_MS = 100

/** Work of low priority, such as preparing a video, gives way to a broadcast and so counts as free. */
function cpuTimes(): CpuTimes {
  let busy = 0
  let all = 0
  for (const { times } of cpus()) {
    busy += times.user + times.sys + times.irq
    all += times.user + times.sys + times.irq + times.idle + times.nice
  }
  return { busy, all }
}

/** Measures whether this machine can take more work on. */
export function watchMachine(limits: MachineLimits) {
  let last = cpuTimes()
  let cpuPercent = 0
  const timer = setInterval(() => {
    const now = cpuTimes()
    const percent = (100 * (now.busy - last.busy)) / Math.max(1, now.all - last.all)
    cpuPercent += (percent - cpuPercent) * NEWEST_SHARE
    last = now
  }, LOOK_EVERY_MS).unref()
  let free = 0
  let freeAt = Number.NEGATIVE_INFINITY
  /** Node reads several files for it: of a crowd that starts at once, few need a reading of their own. */
  function freeMemory(): number {
    if (performance.now() - freeAt < FREE_MEMORY_MS) return free
    freeAt = performance.now()
    // Within a container it is the container's memory that counts, and Node knows it.
    free = process.availableMemory()
    return free
  }
  return {
    /** Null: it has enough of everything. */
    shortage(): MachineShortage | null {
      if (cpuPercent > limits.maxCpuPercent) return 'cpu'
      return freeMemory() < limits.minFreeMemoryBytes ? 'memory' : null
    },
    /** Soon it has too little for more work. */
    isMemoryLow: (): boolean => freeMemory() < 2 * limits.minFreeMemoryBytes,
    /** From 0 to 1: what of the CPU is in use, what of the memory is free. */
    load: (): { cpu: number; memory: number } => ({
      cpu: Math.min(1, cpuPercent / 100),
      memory: Math.min(1, freeMemory() / totalmem()),
    }),
    stop: () => clearInterval(timer),
  }
}
