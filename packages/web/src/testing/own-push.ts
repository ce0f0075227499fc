import { onTestFinished, vi } from 'vitest'

/** This browser gets pushes, as the channel `c1`. */
export function subscribedHere() {
  const endpoint = 'https://push.example/browser'
  const unsubscribe = vi.fn(async () => true)
  const toJSON = () => ({ endpoint, keys: { p256dh: 'p', auth: 'a' } })
  const pushManager = { getSubscription: async () => ({ endpoint, unsubscribe, toJSON }) }
  const serviceWorker = { getRegistration: async () => ({ pushManager }) }
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: serviceWorker })
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'serviceWorker'))
  localStorage.setItem('push-channel', 'c1')
  return { endpoint, unsubscribe }
}
