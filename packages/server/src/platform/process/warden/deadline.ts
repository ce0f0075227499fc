import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs'
import { uptime } from 'node:os'

/** Until when the ffmpegs of this machine may run. */
export interface Deadline {
  /** By CLOCK_MONOTONIC, which is the same for all processes of a machine and which nobody sets. */
  readonly monotonicMs: number
  /** The same moment by the time since the boot, which goes on while the machine sleeps. */
  readonly bootMs: number
}

export interface MachineTime extends Deadline {}

/** Always as long, so that writing it needs no room: a full /dev/shm must take nobody off air. */
const LENGTH = 64
/** What a container tells of the time since its boot may come in whole seconds. */
const COARSE_BOOT_MS = 1_000

export const NO_DEADLINE: Deadline = { monotonicMs: 0, bootMs: 0 }

export const monotonicMs = (): number => Number(process.hrtime.bigint() / 1_000_000n)

export const machineTime = (): MachineTime => ({ monotonicMs: monotonicMs(), bootMs: Math.round(uptime() * 1000) })

export const deadlineAt = (untilMs: number, now: MachineTime): Deadline => ({
  monotonicMs: untilMs,
  bootMs: now.bootMs + untilMs - now.monotonicMs,
})

/** How long it has been over; negative while it is not. A machine that slept has not counted that time, while others have waited for it. */
export const overdueMs = (deadline: Deadline, now: MachineTime): number =>
  Math.max(now.monotonicMs - deadline.monotonicMs, now.bootMs - deadline.bootMs - COARSE_BOOT_MS)

/** It stands there twice: a reader who comes in the middle of a write sees two that differ. */
export const formatDeadline = ({ monotonicMs: until, bootMs }: Deadline): string =>
  `${until} ${bootMs} ${until}`.padEnd(LENGTH - 1).concat('\n')

/** Null: it is just being written, or nothing was yet. */
export function parseDeadline(text: string): Deadline | null {
  const [, until, bootMs, again] = /^(\d+) (\d+) (\d+) *\n$/.exec(text) ?? []
  return until !== undefined && until === again ? { monotonicMs: Number(until), bootMs: Number(bootMs) } : null
}

/** Plain calls: the file lies in memory, and a pool of threads that is busy with names must not make a broadcast lapse. */
export function openDeadlineFile(path: string) {
  const file = openSync(path, constants.O_CREAT | constants.O_RDWR, 0o600)
  const bytes = Buffer.alloc(LENGTH)
  let last = NO_DEADLINE
  return {
    write: (deadline: Deadline): void => void writeSync(file, formatDeadline(deadline), 0),
    read(): Deadline {
      const length = readSync(file, bytes, 0, LENGTH, 0)
      last = parseDeadline(bytes.toString('latin1', 0, length)) ?? last
      return last
    },
    close: (): void => closeSync(file),
  }
}
