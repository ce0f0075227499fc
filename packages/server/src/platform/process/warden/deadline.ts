import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs'
import { uptime } from 'node:os'

export interface MachineTime {
  /** CLOCK_MONOTONIC, which is the same for all processes of a machine and which nobody sets. */
  readonly monotonicMs: number
  /** The time since the boot, which goes on while the machine sleeps. */
  readonly bootMs: number
}

/** Until when the ffmpegs of this machine may run. */
export interface Deadline extends MachineTime {
  /** Another one after each lapse: what was started before a lapse must not go on after it, also where nobody was awake to end it. */
  readonly generation: number
}

/** How long after the deadline an ffmpeg may take to end by itself. */
export const GRACE_MS = 1_000

/** Always as long, so that writing it needs no room: a full /dev/shm must take nobody off air. */
const LENGTH = 96
/** What a container tells of the time since its boot may come in whole seconds. */
const COARSE_BOOT_MS = 1_000

export const NO_DEADLINE: Deadline = { monotonicMs: 0, bootMs: 0, generation: 0 }

export const monotonicMs = (): number => Number(process.hrtime.bigint() / 1_000_000n)

const bootMsNow = (): number => Math.round(uptime() * 1000)

/** The time since the boot first: a program stopped between the two readings then writes an earlier deadline by it, never a later one. */
export function machineTime(clocks = { monotonicMs, bootMs: bootMsNow }): MachineTime {
  const bootMs = clocks.bootMs()
  return { monotonicMs: clocks.monotonicMs(), bootMs }
}

/** `last`: what counted until now. */
export const extended = (last: Deadline, untilMs: number, now: MachineTime): Deadline => ({
  monotonicMs: untilMs,
  bootMs: Math.max(0, now.bootMs + untilMs - now.monotonicMs),
  generation: overdueMs(last, now) >= GRACE_MS ? now.monotonicMs : last.generation,
})

/** How long it has been over; negative while it is not. A machine that slept has not counted that time, while others have waited for it. */
export const overdueMs = (deadline: MachineTime, now: MachineTime): number =>
  Math.max(now.monotonicMs - deadline.monotonicMs, now.bootMs - deadline.bootMs - COARSE_BOOT_MS)

/** It stands there twice: a reader who comes in the middle of a write sees two that differ. */
export const formatDeadline = ({ monotonicMs: until, bootMs, generation }: Deadline): string =>
  `${until} ${bootMs} ${generation} ${until}`.padEnd(LENGTH - 1).concat('\n')

/** Null: it is just being written, or nothing was yet. */
export function parseDeadline(text: string): Deadline | null {
  const [, until, bootMs, generation, again] = /^(\d+) (\d+) (\d+) (\d+) *\n$/.exec(text) ?? []
  if (until === undefined || until !== again) return null
  return { monotonicMs: Number(until), bootMs: Number(bootMs), generation: Number(generation) }
}

/** Plain calls: the file lies in memory, and a pool of threads that is busy with names must not make a broadcast lapse. */
export function openDeadlineFile(path: string) {
  const file = openSync(path, constants.O_CREAT | constants.O_RDWR, 0o600)
  const bytes = Buffer.alloc(LENGTH)
  let last = NO_DEADLINE
  const write = (deadline: Deadline): void => void writeSync(file, formatDeadline(deadline), 0)
  function read(): Deadline {
    const length = readSync(file, bytes, 0, LENGTH, 0)
    last = parseDeadline(bytes.toString('latin1', 0, length)) ?? last
    return last
  }
  return {
    write,
    read,
    /** What the file says counts, also from before this program or from another thread of it. */
    extend: (untilMonotonicMs: number): void => write(extended(read(), untilMonotonicMs, machineTime())),
    close: (): void => closeSync(file),
  }
}
