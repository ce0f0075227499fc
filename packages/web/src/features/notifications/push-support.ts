/** What this browser can do about push, in the order in which it is said. */
export type PushSupport =
  /** The permission is still to be asked for, or is there. */
  | 'able'
  /** The person, or somebody for them, said no: only the browser's own settings change that. */
  | 'denied'
  /** An iPhone or iPad knows push only for a page on its home screen. */
  | 'needs-home-screen'
  /** Push is for https; a trial on a bare address has none. */
  | 'needs-https'
  | 'unsupported'

export interface BrowserFacts {
  readonly isSecure: boolean
  readonly hasPush: boolean
  readonly isApplePhone: boolean
  readonly isOnHomeScreen: boolean
  readonly permission: NotificationPermission
}

export function pushSupport(browser: BrowserFacts): PushSupport {
  if (!browser.isSecure) return 'needs-https'
  if (!browser.hasPush) return browser.isApplePhone && !browser.isOnHomeScreen ? 'needs-home-screen' : 'unsupported'
  return browser.permission === 'denied' ? 'denied' : 'able'
}

export const PUSH_TEXTS: Record<Exclude<PushSupport, 'able'>, string> = {
  denied:
    'Notifikasi untuk situs ini diblokir di browser. Buka setelan situs (ikon gembok di samping alamat), izinkan Notifikasi, lalu muat ulang halaman ini.',
  'needs-home-screen':
    'Di iPhone dan iPad, tambahkan dulu situs ini ke Layar Utama: ketuk Bagikan, pilih Tambahkan ke Layar Utama, lalu buka dari sana dan aktifkan di sini.',
  'needs-https':
    'Notifikasi browser hanya tersedia lewat https. Buka situs ini dengan alamat https, atau pakai saluran lain.',
  unsupported:
    'Browser ini tidak mendukung notifikasi. Coba Chrome, Edge, Firefox, atau Safari terbaru, atau pakai saluran lain.',
}

/** iPadOS calls itself a Mac, and no Mac has a finger. */
const isApplePhone = ({ userAgent, maxTouchPoints }: Navigator): boolean =>
  /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1)

export const browserFacts = (): BrowserFacts => ({
  isSecure: window.isSecureContext,
  hasPush: 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window,
  isApplePhone: isApplePhone(navigator),
  isOnHomeScreen: window.matchMedia('(display-mode: standalone)').matches,
  permission: 'Notification' in window ? Notification.permission : 'default',
})
