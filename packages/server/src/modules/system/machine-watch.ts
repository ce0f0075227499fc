import { setTimeout as sleep } from 'node:timers/promises'
import { STATUS_POLL_MS, type SystemStatusAnswer } from '@siarin/contracts/system'
import type { Log } from '../../platform/log.ts'
import { asOneMachine } from './all-machines.ts'
import type { HeardMachine } from './machines.repo.ts'
import { type CpuTimes, percent, readCpuTimes, readDisk, readMemory, readMount } from './read-machine.ts'

export type MachineStatus = Omit<SystemStatusAnswer, 'success' | 'message'>

/** Five minutes. */
const KEPT = 60
/** Load is the difference of two readings; the very first pair stands close together. */
const FIRST_MEASURE_MS = 200

const withNewest = (samples: readonly number[], newest: number): number[] => [...samples, newest].slice(-KEPT)

interface MachineWatchDeps {
  readonly dataDir: string
  readonly log: Log
  /** Which of the machines this one is. */
  readonly host: string
  /** What the programs of all machines have told; null: there is no other. */
  readonly others: (() => Promise<HeardMachine[]>) | null
}

type OwnStatus = Pick<MachineStatus, 'cpu' | 'memory' | 'disk'>

export type MachineWatch = ReturnType<typeof createMachineWatch>

/**
 * Looks at the machine every few seconds, however many people watch: each of them gets the same answer without any work,
 * and a person who opens the screen sees the last minutes at once.
 */
export function createMachineWatch({ dataDir, log, host, others }: MachineWatchDeps) {
  let timer: NodeJS.Timeout | undefined
  let times: CpuTimes
  let latest: Promise<MachineStatus> | undefined
  let own: Promise<OwnStatus> | undefined

  async function measureThisOne(): Promise<OwnStatus> {
    const [disk, mount] = await Promise.all([readDisk(dataDir), readMount(dataDir)])
    const memory = readMemory()
    const now = readCpuTimes()
    const cpu = { usage: percent(now.busyMs - times.busyMs, now.allMs - times.allMs) }
    times = now
    return { cpu, memory: { ...memory, usage: percent(memory.used, memory.total) }, disk: { ...disk, ...mount } }
  }

  async function measure(before: MachineStatus['history'] | null): Promise<MachineStatus> {
    own = measureThisOne()
    const reading = await own
    const all = others ? asOneMachine({ host, reading }, await others()) : null
    const { cpu, memory, disk } = all ?? reading
    return {
      ...reading,
      ...all,
      disk: { ...reading.disk, ...disk },
      history: {
        everySeconds: STATUS_POLL_MS / 1000,
        cpu: withNewest(before?.cpu ?? [], cpu.usage),
        memory: withNewest(before?.memory ?? [], memory.usage),
        disk: withNewest(before?.disk ?? [], disk.usage),
      },
    }
  }

  async function measureAgain(): Promise<void> {
    try {
      const next = await measure((await latest?.catch(() => null))?.history ?? null)
      latest = Promise.resolve(next)
    } catch (error) {
      log.warn({ err: error }, 'the machine could not be looked at')
    }
  }

  return {
    start(): void {
      times = readCpuTimes()
      latest = sleep(FIRST_MEASURE_MS, undefined, { ref: false }).then(() => measure(null))
      // Those who ask hear of it; it is no reason to end the program.
      latest.catch(() => {})
      timer = setInterval(() => void measureAgain(), STATUS_POLL_MS).unref()
    },
    stop: (): void => clearInterval(timer),
    /** The status of this machine alone. */
    async own(): Promise<OwnStatus> {
      await latest?.catch(() => {})
      if (!own) throw new Error('the machine is not being watched')
      return own
    },
    async status(): Promise<MachineStatus> {
      if (!latest) throw new Error('the machine is not being watched')
      return latest
    },
  }
}
