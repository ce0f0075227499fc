import type { AddPushBody } from '@siarin/contracts/alerts'
import { deviceWords } from '@siarin/contracts/device-words'
import { logError } from '../../lib/log.ts'
import { keptChannel, SESSION_KEPT_AS, subscriptionHere, unsubscribeHere } from '../../lib/own-push.ts'
import { addPushAgain, ownChannels } from './api/channels.ts'

const WORKER = '/push-worker.js'

/** The browser asked, and the person said no, or nothing. */
export class PushRefused extends Error {
  override readonly name = 'PushRefused'
}

/** A subscription made with another key of the server is worth nothing. */
async function freshSubscription(pushes: PushManager, publicKey: string): Promise<PushSubscription> {
  const options = { userVisibleOnly: true, applicationServerKey: publicKey }
  try {
    return await pushes.subscribe(options)
  } catch (error) {
    const old = await pushes.getSubscription()
    if (!old) throw error
    await old.unsubscribe()
    return pushes.subscribe(options)
  }
}

function bodyOf(subscription: PushSubscription): AddPushBody['subscription'] {
  const { endpoint = '', keys } = subscription.toJSON()
  return { endpoint, keys: { p256dh: keys?.['p256dh'] ?? '', auth: keys?.['auth'] ?? '' } }
}

/** To be called at a press: browsers ask for the permission only then, and nobody likes to be asked before. */
export async function subscribeHere(publicKey: string): Promise<AddPushBody> {
  if ((await Notification.requestPermission()) !== 'granted') throw new PushRefused()
  await navigator.serviceWorker.register(WORKER)
  const { pushManager } = await navigator.serviceWorker.ready
  const subscription = await freshSubscription(pushManager, publicKey)
  return { name: deviceWords(navigator.userAgent), subscription: bodyOf(subscription) }
}

/** Not the token itself: nothing of it is to outlive the session. */
async function markOf(token: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
}

async function follow(token: string, channelId: string): Promise<void> {
  const mark = await markOf(token)
  if (localStorage.getItem(SESSION_KEPT_AS) === mark) return
  const own = (await ownChannels()).find(({ id }) => id === channelId)
  if (!own) {
    await unsubscribeHere()
    return
  }
  const subscription = await subscriptionHere()
  // One that its owner has switched off stays so.
  if (subscription && own.state === 'on') await addPushAgain({ subscription: bodyOf(subscription) })
  localStorage.setItem(SESSION_KEPT_AS, mark)
}

/**
 * The server ends a browser's pushes with the session in which they were allowed. After a new login, or a new password, they belong to the
 * session that is open now; those of somebody else, who was here before, end.
 */
export async function followSession(token: string): Promise<void> {
  const channelId = keptChannel()
  if (channelId === null) return
  try {
    await follow(token, channelId)
  } catch (error) {
    // The next page that is opened tries again.
    logError('The subscription of this browser could not be kept', error)
  }
}
