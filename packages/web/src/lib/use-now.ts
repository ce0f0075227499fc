import { useSyncExternalStore } from 'react'

const SECOND_MS = 1000

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setTimeout> | undefined

/** Wakes at full seconds, so that all clocks of a page change together and none skips one. */
function wait(): void {
  timer = setTimeout(
    () => {
      wait()
      for (const listener of listeners) listener()
    },
    SECOND_MS - (Date.now() % SECOND_MS),
  )
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) wait()
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) clearTimeout(timer)
  }
}

const thisSecond = (): number => Math.floor(Date.now() / SECOND_MS) * SECOND_MS

/** The time in ms, new each full second. */
export const useNow = (): number => useSyncExternalStore(subscribe, thisSecond)
