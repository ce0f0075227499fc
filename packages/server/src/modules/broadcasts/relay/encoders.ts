export type Encoders = ReturnType<typeof createEncoders>

/** Re-encoding takes most of a core: only so many streams of this machine may do it at once. */
export function createEncoders(max: number) {
  const taken = new Set<string>()
  return {
    /** False: all are taken by others. */
    acquire(streamId: string): boolean {
      if (!taken.has(streamId) && taken.size >= max) return false
      taken.add(streamId)
      return true
    },
    hasRoomFor: (streamId: string): boolean => taken.has(streamId) || taken.size < max,
    release: (streamId: string): boolean => taken.delete(streamId),
  }
}
