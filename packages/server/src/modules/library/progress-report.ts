const WRITE_EVERY_MS = 1_000

/** In percent; `seconds_left` is null until it can be told. */
interface Progress {
  readonly progress: number
  readonly seconds_left: number | null
}

/** Writes how far a job is, at most once a second: nobody reads it faster, and each write costs. */
export function createProgressReport(write: (progress: Progress) => Promise<unknown>) {
  const startedAt = performance.now()
  let writtenAt = Number.NEGATIVE_INFINITY
  return {
    /** `part` of the whole is done, from 0 to 1. */
    at(part: number): void {
      const now = performance.now()
      if (now - writtenAt < WRITE_EVERY_MS) return
      writtenAt = now
      const bounded = Math.min(1, Math.max(0, part))
      const left = bounded > 0.01 ? Math.round(((now - startedAt) / 1000) * (1 / bounded - 1)) : null
      // A figure that is lost is replaced by the next one.
      write({ progress: Math.floor(bounded * 100), seconds_left: left }).catch(() => {})
    },
  }
}
