import { useSyncExternalStore } from 'react'

const never = (): (() => void) => () => {}

/** False while React takes over a prerendered page: what is shown then must be what the build made. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
