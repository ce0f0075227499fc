import { useSyncExternalStore } from 'react'

/** Whether a media query holds now, kept up to date. */
function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const list = window.matchMedia(query)
      list.addEventListener('change', changed)
      return () => list.removeEventListener('change', changed)
    },
    () => window.matchMedia(query).matches,
    () => false,
  )
}

/** As the styles have it: below their `md`. */
export const usePhone = (): boolean => useMedia('(width < 48rem)')

export const useReducedMotion = (): boolean => useMedia('(prefers-reduced-motion: reduce)')
