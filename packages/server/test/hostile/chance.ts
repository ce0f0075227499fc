/** Chance that can be had again: the same seed makes the same requests. */
export interface Chance {
  /** From 0 to below `below`. */
  number(below: number): number
  /** True so often out of 100. */
  percent(often: number): boolean
  pick<T>(values: readonly T[]): T
}

/** mulberry32: small, and good enough to be surprised by. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const number = (below: number) => Math.floor(next() * below)
  return {
    number,
    percent: (often) => number(100) < often,
    pick: <T>(values: readonly T[]): T => values[number(values.length)] as T,
  }
}
