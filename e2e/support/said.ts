import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/** Notes each message and each toast as it comes: a busy machine may look only when its seconds are over. */
const NOTE_ALL_SAID = `
  globalThis.said = []
  let last = ''
  const toasts = new WeakSet()
  new MutationObserver(() => {
    const place = document.querySelector('[data-testid="message"]')
    const line = place?.textContent ? place.role + ': ' + place.textContent : ''
    if (line && line !== last) said.push(line)
    last = line
    for (const toast of document.querySelectorAll('[data-sonner-toast]')) {
      if (toasts.has(toast) || !toast.textContent) continue
      toasts.add(toast)
      said.push('toast: ' + toast.textContent)
    }
  }).observe(document, { subtree: true, childList: true, characterData: true })`

/** Before the page is opened. */
export const noteSaid = (page: Page): Promise<unknown> => page.addInitScript(NOTE_ALL_SAID)

async function expectNoted(page: Page, line: string): Promise<void> {
  await expect.poll(() => page.evaluate('said')).toContain(line)
  await page.evaluate('said = []')
}

/**
 * Waits until the screen's message has said this since the page was loaded or the last such call: each message counts once, and one
 * that repeats itself while it stands is one.
 */
export const expectSaid = (page: Page, text: string, role: 'status' | 'alert' = 'status'): Promise<void> =>
  expectNoted(page, `${role}: ${text}`)

/** The same of a toast, with its title and its text. */
export const expectToast = (page: Page, title: string, text = ''): Promise<void> =>
  expectNoted(page, `toast: ${title}${text}`)
