import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'

export type Screen = {
  name: string
  path: string
  who: 'guest' | 'member'
  /** Something that the address alone does not open. */
  tab?: string
}

/** Every screen that a person can see. What walks through all of them (axe, screenshots) walks through this. */
export const SCREENS: readonly Screen[] = [
  { name: 'landing', path: '/', who: 'guest' },
  { name: 'register', path: '/register', who: 'guest' },
  { name: 'login', path: '/login', who: 'guest' },
  { name: 'not-found', path: '/tidak-ada', who: 'guest' },
  { name: 'documentation', path: '/documentation', who: 'guest' },
  { name: 'article-first-broadcast', path: '/documentation/siaran-pertama', who: 'guest' },
  { name: 'article-preparing-video', path: '/documentation/menyiapkan-video', who: 'guest' },
  { name: 'article-keys-and-platforms', path: '/documentation/kunci-dan-platform', who: 'guest' },
  { name: 'article-api', path: '/documentation/api', who: 'guest' },
  { name: 'article-webhooks', path: '/documentation/webhook', who: 'guest' },
  { name: 'captcha-text', path: '/documentation/captcha/text', who: 'guest' },
  { name: 'dashboard', path: '/dashboard', who: 'member' },
  { name: 'fitur', path: '/fitur', who: 'member' },
  { name: 'live-lokal', path: '/fitur/live', who: 'member', tab: 'Lokal' },
  { name: 'live-bigo', path: '/fitur/live', who: 'member', tab: 'Bigo' },
  { name: 'live-live', path: '/fitur/live', who: 'member', tab: 'Live' },
  { name: 'live-go', path: '/fitur/live', who: 'member', tab: 'Go' },
  { name: 'control-room', path: '/fitur/siaran', who: 'member' },
  { name: 'analytics', path: '/fitur/analytics', who: 'member' },
  { name: 'analytics-report', path: '/fitur/analytics/laporan', who: 'member' },
  { name: 'recordings', path: '/fitur/rekaman', who: 'member' },
  { name: 'account-add', path: '/fitur/account', who: 'member', tab: 'Add Account' },
  { name: 'account-bigo', path: '/fitur/account', who: 'member', tab: 'Bigo' },
  { name: 'account-tiktok', path: '/fitur/account', who: 'member', tab: 'TikTok' },
  { name: 'targets', path: '/fitur/target', who: 'member' },
  { name: 'schedules', path: '/fitur/jadwal', who: 'member' },
  { name: 'playlists', path: '/fitur/playlist', who: 'member' },
  { name: 'branding', path: '/fitur/branding', who: 'member' },
  { name: 'notifications', path: '/fitur/notifikasi', who: 'member' },
  { name: 'webhooks', path: '/fitur/webhook', who: 'member' },
  { name: 'tutorial', path: '/fitur/tutorial', who: 'member' },
  { name: 'profile', path: '/profile', who: 'member' },
  { name: 'plan', path: '/profile/plan', who: 'member' },
  { name: 'recaptcha-v3', path: '/documentation/captcha/v3', who: 'member' },
]

export const SIZES = {
  desktop: { width: 1366, height: 768 },
  mobile: { width: 390, height: 844 },
} as const
export type Size = keyof typeof SIZES

export const THEMES = ['light', 'dark'] as const

/** Opens a screen and waits until it stands still: its data is there, its typeface too, and no picture is on its way. */
export async function openScreen(page: Page, { path, tab }: Screen): Promise<void> {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
  if (tab) await page.getByRole('tab', { name: tab, exact: true }).click()
  await expect(page.getByText('Memuat…')).toHaveCount(0)
  await page.evaluate('document.fonts.ready')
  await expect
    .poll(() => page.evaluate('[...document.images].every((image) => image.complete || image.loading === "lazy")'))
    .toBe(true)
}
