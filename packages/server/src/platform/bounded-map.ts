/** What is kept longest without being set again goes first: nobody fills the memory with names, or with what is long gone. */
export function createBoundedMap<Value>(most: number) {
  const kept = new Map<string, Value>()
  return {
    get: (key: string): Value | undefined => kept.get(key),
    set(key: string, value: Value): void {
      // The oldest stands first.
      kept.delete(key)
      kept.set(key, value)
      const [oldest] = kept.keys()
      if (kept.size > most && oldest !== undefined) kept.delete(oldest)
    },
    delete: (key: string): void => void kept.delete(key),
    clear: (): void => kept.clear(),
    size: (): number => kept.size,
    /** The oldest first. */
    keys: (): string[] => [...kept.keys()],
  }
}
