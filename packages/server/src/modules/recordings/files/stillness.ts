/** Tells what has not changed for a while, by a clock that nobody sets. */
export function createStillness(stillMs: number, now: () => number = () => performance.now()) {
  const seen = new Map<string, { mark: string; since: number }>()
  return {
    isStill(id: string, mark: string): boolean {
      const last = seen.get(id)
      if (last?.mark === mark) return now() - last.since >= stillMs
      seen.set(id, { mark, since: now() })
      return false
    },
    keepOnly(ids: readonly string[]): void {
      const kept = new Set(ids)
      for (const id of seen.keys()) if (!kept.has(id)) seen.delete(id)
    },
  }
}
