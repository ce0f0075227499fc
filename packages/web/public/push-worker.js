/*
 * Shows what the server pushes to this browser. It has no `fetch` handler and keeps nothing, so pages load exactly as without it.
 * A classic script at the site's root, without imports: older browsers know no modules here, and the CSP allows 'self'.
 */

const FALLBACK_TITLE = 'Ada kabar baru'
const SETTINGS = '/fitur/notifikasi'

/** What was pushed, whatever it is: a browser that gets a push and shows nothing loses its permission. */
function readPush(data) {
  try {
    const value = data?.json()
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

const text = (value) => (typeof value === 'string' ? value : '')

/** Only pages of our own: a push can lead nowhere else. */
function ownAddress(address) {
  const { origin } = self.location
  try {
    const url = new URL(text(address) || SETTINGS, origin)
    if (url.origin === origin) return url.href
  } catch {}
  return origin + SETTINGS
}

self.addEventListener('install', () => self.skipWaiting())

self.addEventListener('push', (event) => {
  const push = readPush(event.data)
  const topic = text(push.topic)
  event.waitUntil(
    self.registration.showNotification(text(push.title) || FALLBACK_TITLE, {
      body: text(push.text),
      icon: '/icons/icon-192.png',
      badge: '/icons/icon-192.png',
      lang: 'id',
      // A later state of the same matter takes the place of the earlier one, and is heard again.
      ...(topic && { tag: topic, renotify: true }),
      requireInteraction: push.isImportant === true,
      data: { url: ownAddress(push.url) },
    }),
  )
})

/** A tab that is there already comes to the front; another one of ours is left alone, since something may be typed in it. */
async function open(url) {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const there = windows.find((client) => client.url === url)
  return there ? there.focus() : self.clients.openWindow(url)
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(ownAddress(event.notification.data?.url)))
})
