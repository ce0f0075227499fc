/** With ten minutes to begin with: five hours in all, of the day for which it is kept. */
const MOST_TIMES = 3
const GROWTH = 5

export type Postponements = ReturnType<typeof createPostponements>

/** Uploads whose inspection took too long. A busy machine must cost nobody a file of many hours' upload. */
export function createPostponements(firstMs: number) {
  const postponed = new Map<string, { times: number; until: number }>()
  return {
    /** Until it may be inspected again; not above zero: now. */
    waitMs: (uploadId: string): number => (postponed.get(uploadId)?.until ?? 0) - Date.now(),
    /** Answers for how long. Null: it was postponed often enough, the file itself is at fault. */
    postpone(uploadId: string): number | null {
      const times = (postponed.get(uploadId)?.times ?? 0) + 1
      if (times > MOST_TIMES) return null
      const waitMs = firstMs * GROWTH ** (times - 1)
      postponed.set(uploadId, { times, until: Date.now() + waitMs })
      return waitMs
    },
    forget: (uploadId: string): void => void postponed.delete(uploadId),
  }
}
