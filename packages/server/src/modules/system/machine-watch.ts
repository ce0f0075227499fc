import { setTimeout as sleep } from 'node:timers/promises'
import { STATUS_POLL_MS, type SystemStatusAnswer } from '@siarin/contracts/system'
import type { Log } from '../../platform/log.ts'
import { type CpuTimes, percent, readCpuTimes, readDisk, readMemory, readMount } from './read-machine.ts'

export type MachineStatus = Omit<SystemStatusAnswer, 'success' | 'message'>

/** Five minutes. */
const KEPT = 60
/** Load is the difference of two readings; the very first pair stands close together. */
const FIRST_LOOK_MS = 200

const withNewest = (samples: readonly number[], newest: number): number[] => [...samples, newest].slice(-KEPT)

/**
 * Looks at the machine every few seconds, however many people watch: each of them gets the same answer without any work,
 * and whoever opens the screen sees the last minutes at once.
 */
export function createMachineWatch({ dataDir, log }: { dataDir: string; log: Log }) {
  let timer: NodeJS.Timeout | undefined
  let times: CpuTimes
  let latest: Promise<MachineStatus> | undefined

  async function look(before: MachineStatus['history'] | null): Promise<MachineStatus> {
    const [disk, mount] = await Promise.all([readDisk(dataDir), readMount(dataDir)])
    const memory = readMemory()
    const now = readCpuTimes()
    const cpu = { usage: percent(now.busyMs - times.busyMs, now.allMs - times.allMs) }
    times = now
    const memoryUsage = percent(memory.used, memory.total)
    return {
      cpu,
      memory: { ...memory, usage: memoryUsage },
      disk: { ...disk, ...mount },
      history: {
        everySeconds: STATUS_POLL_MS / 1000,
        cpu: withNewest(before?.cpu ?? [], cpu.usage),
        memory: withNewest(before?.memory ?? [], memoryUsage),
        disk: withNewest(before?.disk ?? [], disk.usage),
      },
    }
  }

  async function lookAgain(): Promise<void> {
    try {
      const next = await look((await latest?.catch(() => null))?.history ?? null)
      latest = Promise.resolve(next)
    } catch (error) {
      log.warn({ err: error }, 'the machine could not be looked at')
    }
  }

  return {
    start(): void {
      times = readCpuTimes()
      latest = sleep(FIRST_LOOK_MS, undefined, { ref: false }).then(() => look(null))
      // Whoever asks hears of it; it is no reason to end the program.
      latest.catch(() => {})
      timer = setInterval(() => void lookAgain(), STATUS_POLL_MS).unref()
    },
    stop: (): void => clearInterval(timer),
    async status(): Promise<MachineStatus> {
      if (!latest) throw new Error('the machine is not being watched')
      return latest
    },
  }
}
