import type { PassedOverWhy } from '@siarin/contracts/stream-event-texts'

interface Broken {
  readonly why: PassedOverWhy
  readonly foundAt: number
  readonly isTold: boolean
}

/** A list of 500 of them may be gone through at each join: none is looked at again so soon. */
export const LOOK_AGAIN_MS = 5_000

/** Which videos of a list cannot be played, and which of them its owner knows of: each is told once, until it can be played again. */
export function createBrokenItems(now: () => number = () => performance.now()) {
  const broken = new Map<string, Broken>()
  return {
    /** Found a moment ago. */
    isKnown(videoId: string): boolean {
      const found = broken.get(videoId)
      return found !== undefined && now() - found.foundAt < LOOK_AGAIN_MS
    },
    found(videoId: string, why: PassedOverWhy): void {
      broken.set(videoId, { why, foundAt: now(), isTold: broken.get(videoId)?.isTold ?? false })
    },
    mended(videoId: string): void {
      broken.delete(videoId)
    },
    /** Those of these that nobody was told of. From now on they are. */
    tell(videoIds: readonly string[]): { videoId: string; why: PassedOverWhy }[] {
      return [...new Set(videoIds)].flatMap((videoId) => {
        const found = broken.get(videoId)
        if (!found || found.isTold) return []
        broken.set(videoId, { ...found, isTold: true })
        return [{ videoId, why: found.why }]
      })
    },
    /** What is not in the list any more is forgotten. */
    keepOnly(videoIds: readonly string[]): void {
      if (broken.size === 0) return
      const listed = new Set(videoIds)
      for (const videoId of broken.keys()) if (!listed.has(videoId)) broken.delete(videoId)
    },
  }
}
