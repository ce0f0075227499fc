import { ACCESS_TEXTS } from '@siarin/contracts/texts'
import { useSyncExternalStore } from 'react'
import { logError } from './log.ts'
import { fetchProfile } from './own-profile.ts'
import { getSession, onSessionChanged, useSession } from './session.ts'
import { settings } from './settings.ts'

type Notice = { readonly at: 'none' | 'closed' } | { readonly at: 'shown'; readonly text: string }

const NONE: Notice = { at: 'none' }

let notice: Notice = NONE
const listeners = new Set<() => void>()

function become(next: Notice): void {
  notice = next
  for (const listener of listeners) listener()
}

let owner = getSession().token
onSessionChanged(() => {
  const { token } = getSession()
  if (token === owner) return
  owner = token
  become(NONE)
})

/** The server refused a call because access has been stopped. Who has closed the notice sees it again when they do something. */
export function accessRefused(during: 'load' | 'action', text: string): void {
  if (during === 'action' || notice.at === 'none') become({ at: 'shown', text: text || ACCESS_TEXTS.stopped })
}

/** Access was stopped and is open again: whatever was said or closed about it is over. */
export const accessRestored = (): void => become(NONE)

/** What the browser has stored may merely be old: the server is asked anew before the screen goes on. */
export async function closeNotice(): Promise<void> {
  await fetchProfile().catch((error: unknown) => logError('The profile could not be loaded', error))
  become({ at: 'closed' })
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const withoutSlash = (address: string): string => address.replace(/\/+$/, '')

/** The text of the blocking notice; null while there is none to show. */
export function useBlockingNotice(): string | null {
  const { user } = useSession()
  const now = useSyncExternalStore(subscribe, () => notice)
  if (now.at === 'shown') return now.text
  const elsewhere = user !== null && withoutSlash(user.server) !== withoutSlash(settings().server)
  return elsewhere && now.at === 'none' ? ACCESS_TEXTS.stopped : null
}
