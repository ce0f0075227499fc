import type { SessionUser } from '@siarin/contracts/auth'
import { logError } from './log.ts'
import { createStore, useStore } from './store.ts'

const TOKEN_KEY = 'token'
const USER_KEY = 'user'

export interface Session {
  readonly token: string | null
  readonly user: SessionUser | null
}

const LOGGED_OUT: Session = { token: null, user: null }

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Whatever stands in the storage, a page must come up: a broken user is no user, a missing field is an empty one. */
function parseUser(stored: string | null): SessionUser | null {
  if (!stored) return null
  try {
    const value: unknown = JSON.parse(stored)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
    const fields = value as Record<string, unknown>
    return {
      username: text(fields['username']),
      email: text(fields['email']),
      apiKey: text(fields['apiKey']),
      server: text(fields['server']),
    }
  } catch {
    return null
  }
}

function readStorage(): Session {
  // The build makes pages where there is none.
  if (typeof window === 'undefined') return LOGGED_OUT
  try {
    const token = localStorage.getItem(TOKEN_KEY)
    return token ? { token, user: parseUser(localStorage.getItem(USER_KEY)) } : LOGGED_OUT
  } catch (error) {
    // A browser that blocks storage still gets a session for as long as the page is open.
    logError('The browser refuses its storage', error)
    return LOGGED_OUT
  }
}

function writeStorage({ token, user }: Session): void {
  try {
    if (token) localStorage.setItem(TOKEN_KEY, token)
    else localStorage.removeItem(TOKEN_KEY)
    if (user) localStorage.setItem(USER_KEY, JSON.stringify(user))
    else localStorage.removeItem(USER_KEY)
  } catch (error) {
    logError('The session could not be stored', error)
  }
}

const current = createStore(readStorage())

function become(session: Session): void {
  writeStorage(session)
  current.set(session)
}

export const getSession = current.get

/** Whose session it is; null: nobody's. The token of one person may become another, say with a new password. */
export const personOf = ({ token, user }: Session): string | null => (token === null ? null : (user?.email ?? token))

export const isLoggedIn = (): boolean => getSession().token !== null

export const startSession = (token: string, user: SessionUser): void => become({ token, user })

/** What the server newly says about the user; the token stays. */
export function updateUser(user: SessionUser): void {
  const { token } = getSession()
  if (token) become({ token, user })
}

export const clearSession = (): void => become(LOGGED_OUT)

export const onSessionChanged = current.listen

export const useSession = (): Session => useStore(current)

/** Calls back when another tab logged in or out. */
export function onSessionChangedElsewhere(callback: () => void): () => void {
  const onStorage = (event: StorageEvent): void => {
    // A null key means that the whole storage was cleared.
    if (event.key !== null && event.key !== TOKEN_KEY && event.key !== USER_KEY) return
    const before = getSession().token
    current.set(readStorage())
    if (getSession().token !== before) callback()
  }
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
}
