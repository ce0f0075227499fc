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

interface Due {
  readonly at: number
  readonly order: number
  readonly work: () => void
}

const isBefore = (one: Due, other: Due): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order)

/** What is due first is on top: thousands wait at a time, and looking through all of them took most of a schedule's time. */
function createHeap() {
  const heap: Due[] = []
  const swap = (one: number, other: number): void => {
    const kept = heap[one] as Due
    heap[one] = heap[other] as Due
    heap[other] = kept
  }
  return {
    push(due: Due): void {
      let index = heap.push(due) - 1
      while (index > 0) {
        const above = (index - 1) >> 1
        if (!isBefore(due, heap[above] as Due)) return
        swap(index, above)
        index = above
      }
    },
    pop(): Due | undefined {
      const [first] = heap
      const last = heap.pop()
      if (!last || heap.length === 0) return first
      heap[0] = last
      for (let index = 0; ; ) {
        const [left, right] = [index * 2 + 1, index * 2 + 2]
        if (left >= heap.length) return first
        const least = right < heap.length && isBefore(heap[right] as Due, heap[left] as Due) ? right : left
        if (!isBefore(heap[least] as Due, last)) return first
        swap(index, least)
        index = least
      }
    },
  }
}

/** Time that passes only by what is due in it. */
export function createTimers() {
  const due = createHeap()
  let now = 0
  let order = 0
  return {
    now: (): number => now,
    after(ms: number, work: () => void): void {
      due.push({ at: now + ms, order: order++, work })
    },
    runUntil(end: number, afterEach: () => void): void {
      for (let next = due.pop(); next && next.at <= end; next = due.pop()) {
        now = next.at
        next.work()
        afterEach()
      }
    },
  }
}
