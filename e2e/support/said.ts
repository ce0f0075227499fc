import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/** Notes each message as it comes, with its role: a busy machine may look only when its three seconds are over. */
const NOTE_MESSAGES = `
  globalThis.said = []
  let last = ''
  new MutationObserver(() => {
    const place = document.querySelector('[data-testid="message"]')
    const line = place?.textContent ? place.role + ': ' + place.textContent : ''
    if (line && line !== last) said.push(line)
    last = line
  }).observe(document, { subtree: true, childList: true, characterData: true })`

/** Before the screen is opened. */
export const noteMessages = (page: Page): Promise<void> => page.addInitScript(NOTE_MESSAGES)

/** Waits until this is among what was said since the last call: each message counts once, and one that repeats itself is one. */
export async function expectSaid(page: Page, text: string, role: 'status' | 'alert' = 'status'): Promise<void> {
  await expect.poll(() => page.evaluate('said')).toContain(`${role}: ${text}`)
  await page.evaluate('said = []')
}
