import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'
import { SIZES } from './screens.ts'

/** Nothing sticks out: the page cannot be pushed sideways. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const beyond = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
  expect(beyond, page.url()).toBe(0)
}

/** At the size that it has and at that of a phone: for what is the same on both but for its width, and so needs no journey of its own on each. */
export async function atEachSize(page: Page, check: () => Promise<void>): Promise<void> {
  const size = page.viewportSize()
  await check()
  await page.setViewportSize(SIZES.mobile)
  await check()
  if (size) await page.setViewportSize(size)
}

/** Long, of several scripts, as wide as the rules allow, and nobody else's. */
export const oddUsername = (): string => `🌸 ليلى محمد Panjangnyaaaaaa ${randomBytes(5).toString('hex')}`
