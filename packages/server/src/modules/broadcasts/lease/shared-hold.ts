import { steadyMs } from '../../../platform/clock.ts'
import { type Hold, judged, lapsed, renewed } from './lease-state.ts'

/** What one run of a worker holds, as several threads of its program see it. */
export interface SharedHold {
  readonly incarnation: string
  /** For another thread, which opens it with `openSharedHold`. */
  readonly buffer: SharedArrayBuffer
  /** To be asked right before anything is done that only a holder may do. */
  judge(): Hold
  renew(begunMs: number): Hold
  lapse(): Hold
}

const LAPSED = 0n

export function shareHold(hold: Hold): SharedHold {
  const buffer = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT)
  new BigInt64Array(buffer)[0] = cellOf(hold)
  return openSharedHold(hold.incarnation, buffer)
}

/**
 * One cell has the deadline, and the rules change it by compare-and-set. So of a thread that renews and one that finds the time over, one
 * is first, and the other one sees it: a lapse that anybody has acted on stays one.
 */
export function openSharedHold(incarnation: string, buffer: SharedArrayBuffer): SharedHold {
  const cell = new BigInt64Array(buffer)

  function change(rule: (hold: Hold) => Hold): Hold {
    for (;;) {
      const before = Atomics.load(cell, 0)
      const after = cellOf(rule(holdOf(incarnation, before)))
      if (Atomics.compareExchange(cell, 0, before, after) === before) return holdOf(incarnation, after)
    }
  }

  return {
    ...{ incarnation, buffer },
    // The clock is read after the cell: a thread that is stopped between the two finds the time over, never too much of it.
    judge: () => change((hold) => judged(hold, steadyMs())),
    renew: (begunMs) => change((hold) => renewed(hold, begunMs, steadyMs())),
    lapse: () => change(lapsed),
  }
}

/** Whole milliseconds, rounded towards an earlier deadline. */
const cellOf = (hold: Hold): bigint => (hold.at === 'lapsed' ? LAPSED : BigInt(Math.floor(hold.deadlineMs)))

const holdOf = (incarnation: string, cell: bigint): Hold =>
  cell === LAPSED ? { at: 'lapsed', incarnation } : { at: 'held', incarnation, deadlineMs: Number(cell) }
