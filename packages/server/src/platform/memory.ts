import { createBoundedMap } from './bounded-map.ts'
import type { Awaitable } from './when-known.ts'

interface Remembered<T> {
  readonly value: T
  readonly readAt: number
}

interface MemoryDeps {
  /** Another number than before: whatever was read may have been changed. */
  version: () => number
  lifeMs: number
  /** Above this the oldest go. */
  most: number
  now?: () => number
}

/** What was read a moment ago, until it changes or the moment is over. */
export function createMemory<T extends object>({ version, lifeMs, most, now = () => performance.now() }: MemoryDeps) {
  const kept = createBoundedMap<Remembered<T>>(most)
  let versionKept = 0

  /** Nothing of what is kept was read before the last change. */
  function forgetOld(at: number): void {
    if (at !== versionKept) kept.clear()
    versionKept = at
  }

  return {
    /** `otherKeys`: under which else the value is asked for. Null is not kept: anybody can ask for what is not there. */
    recall(
      key: string,
      read: () => Promise<T | null>,
      otherKeys: (value: T) => readonly string[] = () => [],
    ): Awaitable<T | null> {
      const versionBefore = version()
      forgetOld(versionBefore)
      const readAt = now()
      const known = kept.get(key)
      if (known && readAt - known.readAt < lifeMs) return known.value
      return read().then((value) => {
        // What was changed while we read it may have been read before or after the change.
        if (value === null || version() !== versionBefore) return value
        for (const each of [key, ...otherKeys(value)]) kept.set(each, { value, readAt })
        return value
      })
    },
    size: kept.size,
  }
}
