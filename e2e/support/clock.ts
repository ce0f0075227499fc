import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/** From here on the page's time moves only by `page.clock.runFor`. */
export async function holdClock(page: Page): Promise<void> {
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
}

/**
 * On a held clock an answer of the server is not shown until the page's time moves a little: moves it by single milliseconds until
 * `holds` does.
 */
export async function untilHeld(page: Page, holds: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(1)
    await holds()
  }).toPass()
}
