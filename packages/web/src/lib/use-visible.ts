import { useSyncExternalStore } from 'react'

function subscribe(changed: () => void): () => void {
  document.addEventListener('visibilitychange', changed)
  return () => document.removeEventListener('visibilitychange', changed)
}

/** Whether the browser shows this tab. */
export const useVisible = (): boolean => useSyncExternalStore(subscribe, () => document.visibilityState === 'visible')
