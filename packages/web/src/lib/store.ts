import { useSyncExternalStore } from 'react'

/** A value of the whole page, outside of any component, whose change is heard. */
interface Store<T> {
  get(): T
  set(value: T): void
  /** The answer ends it. */
  listen(listener: () => void): () => void
}

export function createStore<T>(initial: T): Store<T> {
  let current = initial
  const listeners = new Set<() => void>()
  return {
    get: () => current,
    set(value) {
      current = value
      for (const listener of listeners) listener()
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export const useStore = <T>(store: Store<T>): T => useSyncExternalStore(store.listen, store.get, store.get)
