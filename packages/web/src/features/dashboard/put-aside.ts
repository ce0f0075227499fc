import { logError } from '../../lib/log.ts'

/** The restored broadcasts that somebody has put aside in this browser, by their ids. */
const STORAGE_KEY = 'restored-put-aside'

export function putAside(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}

/** Only those of now are kept: of others nothing is said any more. */
export function keepAside(ids: readonly string[]): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(ids))
  } catch (error) {
    logError('What was put aside could not be stored', error)
  }
}
