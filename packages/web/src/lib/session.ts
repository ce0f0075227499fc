import type { SessionUser } from '@siarin/contracts/auth'
import { useSyncExternalStore } from 'react'
import { logError } from './log.ts'

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

let current: Session = readStorage()
const listeners = new Set<() => void>()

function become(session: Session): void {
  current = session
  for (const listener of listeners) listener()
}

export const getSession = (): Session => current

export const isLoggedIn = (): boolean => current.token !== null

export function startSession(token: string, user: SessionUser): void {
  const session = { token, user }
  writeStorage(session)
  become(session)
}

/** What the server newly says about the user; the token stays. */
export function updateUser(user: SessionUser): void {
  if (!current.token) return
  const session = { token: current.token, user }
  writeStorage(session)
  become(session)
}

export function clearSession(): void {
  writeStorage(LOGGED_OUT)
  become(LOGGED_OUT)
}

export function onSessionChanged(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useSession = (): Session => useSyncExternalStore(onSessionChanged, getSession)

/** Calls back when another tab logged in or out. */
export function onSessionChangedElsewhere(callback: () => void): () => void {
  const onStorage = (event: StorageEvent): void => {
    // A null key means that the whole storage was cleared.
    if (event.key !== null && event.key !== TOKEN_KEY && event.key !== USER_KEY) return
    const before = current.token
    become(readStorage())
    if (current.token !== before) callback()
  }
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
}
