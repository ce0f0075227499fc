import { BookOpen, CircleUserRound, House, LayoutGrid, LogIn, type LucideIcon } from 'lucide-react'

export interface MenuItem {
  readonly label: string
  readonly path: string
}

export const FITUR_MENU: readonly MenuItem[] = [
  { label: 'Live', path: '/fitur/live' },
  { label: 'Account', path: '/fitur/account' },
  { label: 'Ruang kontrol', path: '/fitur/siaran' },
  { label: 'Jadwal', path: '/fitur/jadwal' },
  { label: 'Analitik', path: '/fitur/analytics' },
  { label: 'Rekaman', path: '/fitur/rekaman' },
  { label: 'Playlist', path: '/fitur/playlist' },
  { label: 'Branding', path: '/fitur/branding' },
  { label: 'Tujuan', path: '/fitur/target' },
  { label: 'Notifikasi', path: '/fitur/notifikasi' },
  { label: 'Webhook', path: '/fitur/webhook' },
  { label: 'Semua fitur', path: '/fitur' },
]

export const DOCS_MENU: readonly MenuItem[] = [
  { label: 'Pengantar', path: '/documentation' },
  { label: 'Captcha Text', path: '/documentation/captcha/text' },
  { label: 'Recaptcha V3', path: '/documentation/captcha/v3' },
]

export interface TabItem extends MenuItem {
  readonly icon: LucideIcon
}

export const BOTTOM_TABS: readonly TabItem[] = [
  { label: 'Home', path: '/dashboard', icon: House },
  { label: 'Fitur', path: '/fitur', icon: LayoutGrid },
  { label: 'Docs', path: '/documentation', icon: BookOpen },
]

export const LOGIN_TAB: TabItem = { label: 'Login', path: '/login', icon: LogIn }
export const PROFILE_TAB: TabItem = { label: 'Profile', path: '/profile', icon: CircleUserRound }

/** An item is highlighted on its own path and on every path that starts with it. */
export const isHighlighted = (currentPath: string, itemPath: string): boolean => currentPath.startsWith(itemPath)
