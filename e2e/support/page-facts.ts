import type { Page } from '@playwright/test'
import type { SessionUser } from '@siarin/contracts/auth'

/** For the page's own functions below: they run in the browser, this file does not. */
declare const document: { documentElement: { scrollWidth: number; clientWidth: number } }
declare const localStorage: { getItem(key: string): string | null; setItem(key: string, value: string): void }

/** By how many pixels the page can be pushed sideways; it should not. */
export const sidewaysOverflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** Changes what the browser has stored about the user; the page learns of it when it is loaded again. */
export const changeStoredUser = (page: Page, change: Partial<SessionUser>): Promise<void> =>
  page.evaluate((changed) => {
    const user = JSON.parse(localStorage.getItem('user') ?? '{}')
    localStorage.setItem('user', JSON.stringify({ ...user, ...changed }))
  }, change)
