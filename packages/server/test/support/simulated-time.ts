/** The same numbers for the same seed. */
export const randomOf = (seed: number) => {
  let state = seed * 2_654_435_761
  return (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Time that passes only by what is due in it. */
export function createTimers() {
  const due: { at: number; order: number; work: () => void }[] = []
  let now = 0
  let order = 0
  return {
    now: (): number => now,
    after(ms: number, work: () => void): void {
      due.push({ at: now + ms, order: order++, work })
    },
    runUntil(end: number, afterEach: () => void): void {
      for (;;) {
        let first = -1
        for (let index = 0; index < due.length; index++) {
          const one = due[index]
          const best = due[first]
          if (one && (!best || one.at < best.at || (one.at === best.at && one.order < best.order))) first = index
        }
        const [next] = first < 0 ? [] : due.splice(first, 1)
        if (!next || next.at > end) return
        now = next.at
        next.work()
        afterEach()
      }
    },
  }
}
