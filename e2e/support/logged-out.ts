import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'
import { stored } from './page-facts.ts'

export async function expectLoggedOut(page: Page): Promise<void> {
  await expect(page).toHaveURL('/login')
  await expect.poll(() => stored(page, 'token')).toBeNull()
  await expect.poll(() => stored(page, 'user')).toBeNull()
}
