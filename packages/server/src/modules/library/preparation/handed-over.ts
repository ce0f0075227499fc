import type { JudgedOriginal } from './judge-original.ts'

export type HandedOver = ReturnType<typeof createHandedOver>

/** A few thousand bytes each; the others are read once more. */
const MOST = 1_000

/** Between two lanes of one program: what the first has read of a file, the second need not read again. */
export function createHandedOver() {
  const kept = new Map<string, JudgedOriginal>()
  return {
    keep(videoId: string, original: JudgedOriginal): void {
      kept.set(videoId, original)
      if (kept.size > MOST) kept.delete(kept.keys().next().value ?? '')
    },
    /** Once: it is not asked for again unless the work begins anew. */
    take(videoId: string): JudgedOriginal | null {
      const found = kept.get(videoId) ?? null
      kept.delete(videoId)
      return found
    },
  }
}
