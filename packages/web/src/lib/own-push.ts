import { featureAccess } from './feature-calls.ts'
import { http, leaveWith } from './http.ts'
import { logError } from './log.ts'

/** Which of the channels is this browser: the server knows browsers by addresses that it does not tell. */
const KEPT_AS = 'push-channel'
/** For which session the server has this browser's subscription, as a hash. */
export const SESSION_KEPT_AS = 'push-session'
/** A logout does not wait longer to be told. */
const TELL_MS = 3000

export function keptChannel(): string | null {
  try {
    return localStorage.getItem(KEPT_AS)
  } catch {
    return null
  }
}

export function keepChannel(id: string): void {
  try {
    localStorage.setItem(KEPT_AS, id)
  } catch (error) {
    logError('The browser refuses its storage', error)
  }
}

export async function subscriptionHere(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker?.getRegistration()
  return (await registration?.pushManager.getSubscription()) ?? null
}

/** Ends the subscription of this browser, if there is one. Answers its address. */
export async function unsubscribeHere(): Promise<string | null> {
  try {
    const subscription = await subscriptionHere()
    await subscription?.unsubscribe()
    for (const key of [KEPT_AS, SESSION_KEPT_AS]) localStorage.removeItem(key)
    return subscription?.endpoint ?? null
  } catch (error) {
    logError('The subscription could not be ended', error)
    return null
  }
}

/** The next person at this browser is not to see what happens to the broadcasts of this one. While the session is still open. */
export async function leavePush(): Promise<void> {
  if (keptChannel() === null) return
  const endpoint = await unsubscribeHere()
  if (endpoint === null) return
  try {
    const { server } = featureAccess()
    await leaveWith(async () => {
      await http.post(`${server}/fitur/alert/channel/push/remove`, { endpoint }, { timeout: TELL_MS })
    })
  } catch (error) {
    // With the session the server ends these pushes too.
    logError('The server could not be told that this browser gets no pushes any more', error)
  }
}
