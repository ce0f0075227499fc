import { ACCESS_TEXTS } from '@siarin/contracts/texts'
import { logError } from './log.ts'
import { fetchProfile } from './own-profile.ts'
import { getSession, onSessionChanged, useSession } from './session.ts'
import { settings } from './settings.ts'
import { createStore, useStore } from './store.ts'

type Notice = { readonly at: 'none' | 'closed' } | { readonly at: 'shown'; readonly text: string }

const NONE: Notice = { at: 'none' }

const notice = createStore<Notice>(NONE)

let owner = getSession().token
onSessionChanged(() => {
  const { token } = getSession()
  if (token === owner) return
  owner = token
  notice.set(NONE)
})

/** The server refused a call because access has been stopped. Who has closed the notice sees it again when they do something. */
export function accessRefused(during: 'load' | 'action', text: string): void {
  if (during === 'action' || notice.get().at === 'none') {
    notice.set({ at: 'shown', text: text || ACCESS_TEXTS.stopped })
  }
}

/** Access was stopped and is open again: whatever was said or closed about it is over. */
export const accessRestored = (): void => notice.set(NONE)

/** What the browser has stored may merely be old: the server is asked anew before the screen goes on. */
export async function closeNotice(): Promise<void> {
  await fetchProfile().catch((error: unknown) => logError('The profile could not be loaded', error))
  notice.set({ at: 'closed' })
}

const withoutSlash = (address: string): string => address.replace(/\/+$/, '')

/** The text of the blocking notice; null while there is none to show. */
export function useBlockingNotice(): string | null {
  const { user } = useSession()
  const now = useStore(notice)
  if (now.at === 'shown') return now.text
  const elsewhere = user !== null && withoutSlash(user.server) !== withoutSlash(settings().server)
  return elsewhere && now.at === 'none' ? ACCESS_TEXTS.stopped : null
}
