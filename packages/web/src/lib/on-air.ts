import { useSyncExternalStore } from 'react'

let onAir = false
const listeners = new Set<() => void>()

/** Said by whoever watches the broadcasts, so that the page's title can show the lamp without watching them too. */
export function sayOnAir(now: boolean): void {
  onAir = now
  for (const listener of listeners) listener()
}

/** Whether something of this person is on air, as far as the page knows. */
export const useOnAir = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => onAir,
  )
