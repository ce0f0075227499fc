/**
 * Who may keep a worker's streams: the rules alone, without stores or clocks. All times are of a clock that nobody sets, each of its own
 * machine: none is compared with another machine's, nor with a store's.
 *
 * A holder may go on until SAFE_MS after it began the last renewal that succeeded, at either store. Another worker takes the lease away
 * once it has seen no renewal for TAKE_AFTER_MS at the database, then none at the witness, and then changes the row that it has seen.
 * Every renewal that the holder counts had begun before somebody saw it, so its deadline was over long before.
 */
export const SAFE_MS = 5_000
/** After its deadline a process is asked to end; so much later it is made to. */
export const KILL_AFTER_MS = 1_000
/** Longer than SAFE_MS, KILL_AFTER_MS and what the last guard of a machine needs (warden/guard.ts). */
export const TAKE_AFTER_MS = 7_500
export const BEAT_MS = 1_000

export type Hold =
  | { readonly at: 'held'; readonly incarnation: string; readonly deadlineMs: number }
  /** For ever: this incarnation never holds it again, whatever answers arrive later. */
  | { readonly at: 'lapsed'; readonly incarnation: string }

export const held = (incarnation: string, registrationBegunMs: number): Hold => ({
  at: 'held',
  incarnation,
  deadlineMs: registrationBegunMs + SAFE_MS,
})

export const lapsed = ({ incarnation }: Hold): Hold => ({ at: 'lapsed', incarnation })

/** To be asked before anything is done that only a holder may do. */
export const judged = (hold: Hold, nowMs: number): Hold =>
  hold.at === 'held' && nowMs >= hold.deadlineMs ? lapsed(hold) : hold

/** `begunMs`: before the call, not when its answer came. */
export function renewed(before: Hold, begunMs: number, nowMs: number): Hold {
  const hold = judged(before, nowMs)
  if (hold.at === 'lapsed') return hold
  return { ...hold, deadlineMs: Math.max(hold.deadlineMs, begunMs + SAFE_MS) }
}

/** What a store shows of a worker's renewals, and since when this worker has seen just that. */
export interface Sighting {
  readonly shown: string
  readonly sinceMs: number
}

/** `answeredMs`: what is shown for the first time may have been written up to then. */
export const sighted = (before: Sighting | undefined, shown: string, answeredMs: number): Sighting =>
  before?.shown === shown ? before : { shown, sinceMs: answeredMs }

const isSilent = (sighting: Sighting | undefined, askedMs: number): boolean =>
  sighting !== undefined && askedMs - sighting.sinceMs >= TAKE_AFTER_MS

interface Sightings {
  /** At the database, and when that was last asked. */
  readonly row: Sighting | undefined
  readonly rowAskedMs: number
  /** At the witness, which was asked later. */
  readonly witness: Sighting | undefined
  readonly witnessAskedMs: number
}

/** Whether a lease may be taken away now: by a statement that fails where the row is not the one that was seen. */
export const mayTake = ({ row, rowAskedMs, witness, witnessAskedMs }: Sightings): boolean =>
  witnessAskedMs >= rowAskedMs && isSilent(row, rowAskedMs) && isSilent(witness, witnessAskedMs)
