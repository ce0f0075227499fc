import { expect, type Page } from '@playwright/test'
import type { SessionUser } from '@siarin/contracts/auth'

/** What the page complains of on its console from now on. */
export function consoleErrors(page: Page): string[] {
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  return errors
}

/** What the browser has stored under a name. */
export const stored = (page: Page, key: string): Promise<string | null> =>
  page.evaluate((name) => localStorage.getItem(name), key)

/** Changes what the browser has stored about the user; the page learns of it when it is loaded again. */
export const changeStoredUser = (page: Page, change: Partial<SessionUser>): Promise<void> =>
  page.evaluate((changed) => {
    const user = JSON.parse(localStorage.getItem('user') ?? '{}')
    localStorage.setItem('user', JSON.stringify({ ...user, ...changed }))
  }, change)

/** Text is seen before the page's code is here; what is pressed or held until then has no effect. */
export const codeIsHere = (page: Page): Promise<void> =>
  expect.poll(() => page.evaluate('Object.keys(document.querySelector("h1") ?? {}).length')).toBeGreaterThan(0)
