/** A worker that would take streams. */
export interface Taker {
  readonly id: string
  readonly room: number
  readonly max_streams: number
  /** From 0 to 1: what of the CPU is in use, what of the memory is free. */
  readonly cpu: number
  readonly memory: number
}

const LEVELS = 4

/** In coarse steps: a choice should not change with every beat. */
function weightOf({ room, max_streams, cpu, memory }: Taker): number {
  const free = Math.min(room / Math.max(1, max_streams), 1 - cpu, memory)
  return Math.max(1, Math.ceil(Math.min(1, free) * LEVELS))
}

/** Above 0 and below 1, the same on every machine. Cheap: many streams may be looking for a place at once. */
function chanceOf(streamId: string, workerId: string): number {
  let hash = 0x811c9dc5
  for (const char of `${workerId} ${streamId}`) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (((hash ^ (hash >>> 16)) >>> 0) + 0.5) / 2 ** 32
}

/** Weighted rendezvous: a worker that comes or goes changes the choice of few streams. */
const scoreOf = (streamId: string, taker: Taker): number => -weightOf(taker) / Math.log(chanceOf(streamId, taker.id))

function bestOf(streamId: string, takers: readonly Taker[]): Taker | null {
  let best: Taker | null = null
  let highest = Number.NEGATIVE_INFINITY
  for (const taker of takers) {
    const score = scoreOf(streamId, taker)
    if (score <= highest) continue
    best = taker
    highest = score
  }
  return best
}

interface Placed {
  readonly id: string
  /** Who has its video at hand. */
  readonly standby?: string | null
}

/**
 * Which worker is to have which stream. Every worker finds the same from the same rows. None gets more than its share of them, nor more than
 * it has room for: what a dead worker kept is spread.
 */
export function place(streams: readonly Placed[], workers: readonly Taker[]): Map<string, string> {
  const takers = workers.filter(({ room }) => room > 0)
  const weights = takers.reduce((sum, taker) => sum + weightOf(taker), 0)
  const left = new Map(
    takers.map((taker) => [
      taker.id,
      Math.min(taker.room, Math.ceil((streams.length * weightOf(taker)) / Math.max(1, weights))),
    ]),
  )
  const placed = new Map<string, string>()
  for (const { id, standby } of streams.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    const open = takers.filter((taker) => (left.get(taker.id) ?? 0) > 0)
    const chosen = open.find((taker) => taker.id === standby) ?? bestOf(id, open)
    if (!chosen) break
    placed.set(id, chosen.id)
    left.set(chosen.id, (left.get(chosen.id) ?? 0) - 1)
  }
  return placed
}
