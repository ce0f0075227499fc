import { constants, getPriority, setPriority } from 'node:os'

/**
 * Background work must never take the CPU from a broadcast. What somebody waits for gives way too, but less: on a busy machine it would
 * not be done in time. The kernel counts both as work that gives way, and so does machine-load.
 */
const NICE = { low: constants.priority.PRIORITY_BELOW_NORMAL, 'waited-for': 4 } as const

export type LoweredPriority = keyof typeof NICE

export function lowerPriority(pid: number | undefined, to: LoweredPriority): void {
  if (pid === undefined) return
  try {
    // Never raised: the whole program may have been told to give way.
    setPriority(pid, Math.max(NICE[to], getPriority(pid)))
  } catch {
    // It has ended already, or the system knows no priorities: the work is right all the same.
  }
}
