export type Encoders = ReturnType<typeof createEncoders>

/** A source that is away for longer finds another's in its place. */
const KEPT_MS = 15 * 60_000

/** Re-encoding takes most of a core: only so many streams of this machine may do it at once. */
export function createEncoders(max: number, now: () => number = () => performance.now()) {
  /** Until when each is kept for its stream; null: it is at work. */
  const taken = new Map<string, number | null>()

  function hasRoomFor(streamId: string): boolean {
    for (const [id, untilMs] of taken) if (untilMs !== null && now() >= untilMs) taken.delete(id)
    return taken.has(streamId) || taken.size < max
  }

  return {
    /** False: all are taken by others. */
    acquire(streamId: string): boolean {
      if (!hasRoomFor(streamId)) return false
      taken.set(streamId, null)
      return true
    },
    hasRoomFor,
    /** Its stand-in plays: what was on air goes on when its source is back, before anyone who came later. */
    keep(streamId: string): void {
      if (taken.get(streamId) === null) taken.set(streamId, now() + KEPT_MS)
    },
    release: (streamId: string): boolean => taken.delete(streamId),
  }
}
