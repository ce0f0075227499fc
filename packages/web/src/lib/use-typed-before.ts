import { useHydrated } from './use-hydrated.ts'

/** What somebody, or the browser for them, typed into a prerendered field before its form's code was here. */
export function useTypedBefore(): (id: string) => string {
  const hydrated = useHydrated()
  return (id) => {
    if (hydrated || typeof document === 'undefined') return ''
    const field = document.getElementById(id)
    return field instanceof HTMLInputElement ? field.value : ''
  }
}
