import { steadyMs } from '../../../platform/clock.ts'
import { place } from '../lease/placement.ts'
import type { AssignableStream } from '../store/assigned-streams.repo.ts'
import type { WorkerLeaseRow } from '../store/worker-leases.repo.ts'

export interface ChoicesDeps {
  worker: string
  /** For how many more there is room, and for how many at most, however tight it is. */
  room: () => number
  mostRoom: () => number
}

/** A stream that its first choice has not taken by then is anybody's. */
const FIRST_CHOICE_MS = 2_000
const MOST_AT_ONCE = 100

/** Which of the free streams this worker takes: its own first choices at once, and whatever has waited for long. */
export function createChoices({ worker, room, mostRoom }: ChoicesDeps) {
  const freeSince = new Map<string, number>()

  return (free: readonly AssignableStream[], rows: readonly WorkerLeaseRow[]): AssignableStream[] => {
    const nowMs = steadyMs()
    const ids = new Set(free.map(({ id }) => id))
    for (const id of freeSince.keys()) if (!ids.has(id)) freeSince.delete(id)
    for (const { id } of free) if (!freeSince.has(id)) freeSince.set(id, nowMs)
    const others = rows.filter(({ id, isLive, state }) => isLive && state === 'up' && id !== worker)
    const own = rows.find(({ id }) => id === worker)
    const places = room()
    const choices = place(free, own ? [...others, { ...own, room: places }] : others)
    const hasWaited = ({ id }: AssignableStream): boolean => nowMs - (freeSince.get(id) ?? nowMs) > FIRST_CHOICE_MS
    const wished = free.filter((stream) => choices.get(stream.id) === worker || hasWaited(stream))
    const chosen = wished.slice(0, Math.min(places, MOST_AT_ONCE))
    // What was on air must come back, also where no machine is at its ease.
    const onAir = wished.filter((stream) => stream.worker !== null && hasWaited(stream) && !chosen.includes(stream))
    return [...chosen, ...onAir.slice(0, Math.max(0, Math.min(mostRoom(), MOST_AT_ONCE) - chosen.length))]
  }
}
