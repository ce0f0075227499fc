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

/** The same on every machine. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193)
  return mixed(hash)
}

function mixed(bits: number): number {
  let hash = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}

/** Above 0 and below 1. Cheap: thousands of streams may be looking for a place at once. */
const chanceOf = (streamHash: number, workerHash: number): number =>
  ((mixed(streamHash ^ workerHash) >>> 0) + 0.5) / 2 ** 32

interface Candidate extends Taker {
  readonly hash: number
  readonly weight: number
  /** How many more it takes: of its share, and in all. */
  share: number
  left: number
}

/** Weighted rendezvous: a worker that comes or goes changes the choice of few streams. */
function bestOf(streamId: string, candidates: readonly Candidate[], of: 'share' | 'left'): Candidate | null {
  const hash = hashOf(streamId)
  let best: Candidate | null = null
  let highest = Number.NEGATIVE_INFINITY
  for (const candidate of candidates) {
    if (candidate[of] <= 0) continue
    const score = -candidate.weight / Math.log(chanceOf(hash, candidate.hash))
    if (score <= highest) continue
    best = candidate
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
 * Which worker is to have which stream. Every worker finds the same from the same rows. None gets more than it has room for, nor more than its share
 * while others have room: what a dead worker kept is spread.
 */
export function place(streams: readonly Placed[], workers: readonly Taker[]): Map<string, string> {
  const takers = workers.filter(({ room }) => room > 0)
  const weights = takers.reduce((sum, taker) => sum + weightOf(taker), 0)
  const candidates = takers.map((taker): Candidate => {
    const weight = weightOf(taker)
    const share = Math.ceil((streams.length * weight) / Math.max(1, weights))
    return { ...taker, weight, hash: hashOf(taker.id), share: Math.min(taker.room, share), left: taker.room }
  })
  const placed = new Map<string, string>()
  for (const { id, standby } of streams.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    const ready = candidates.find((taker) => taker.id === standby && taker.share > 0)
    const chosen = ready ?? bestOf(id, candidates, 'share') ?? bestOf(id, candidates, 'left')
    if (!chosen) break
    placed.set(id, chosen.id)
    chosen.share--
    chosen.left--
  }
  return placed
}
