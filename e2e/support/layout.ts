import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/** Nothing sticks out: the page cannot be pushed sideways. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const beyond = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
  expect(beyond, page.url()).toBe(0)
}

/** Long, of several scripts, as wide as the rules allow, and nobody else's. */
export const oddUsername = (): string => `🌸 ليلى محمد Panjangnyaaaaaa ${randomBytes(5).toString('hex')}`
