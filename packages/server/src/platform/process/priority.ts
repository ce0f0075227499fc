import { constants, setPriority } from 'node:os'

/** Background work must never take the CPU from a broadcast. */
export function lowerPriority(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // It has ended already, or the system knows no priorities: the work is right all the same.
  }
}
