import type { Locator, Page } from '@playwright/test'

export const fact = (page: Page, name: string): Locator =>
  page.getByRole('definition').and(page.locator(`dt:text-is("${name}") + dd`))
export const devices = (page: Page): Locator =>
  page.getByRole('list', { name: 'Perangkat yang login' }).getByRole('listitem')
