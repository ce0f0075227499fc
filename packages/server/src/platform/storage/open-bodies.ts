import type { Readable } from 'node:stream'
import { isTakenBy } from './storage-keys.ts'

/** What is being read. A removed file would keep its bytes for as long as its slowest reader likes, and no plan would count them. */
export function createOpenBodies() {
  const keys = new Map<Readable, string>()
  return {
    add<T extends Readable | null>(key: string, body: T): T {
      if (!body) return body
      keys.set(body, key)
      body.once('close', () => keys.delete(body))
      return body
    },
    /** Ends the bodies of all that a removal takes away. */
    end(keyOrPrefix: string): void {
      // Without an error: one that nobody reads yet has nobody who would hear of it.
      for (const [body, key] of keys) if (isTakenBy(key, keyOrPrefix)) body.destroy()
    },
    keys: (): Set<string> => new Set(keys.values()),
  }
}
