import type { Locator, Page } from '@playwright/test'

export const mainMenu = (page: Page): Locator => page.getByRole('navigation', { name: 'Menu utama' })
export const bottomBar = (page: Page): Locator => page.getByRole('navigation', { name: 'Menu bawah' })
/** The entries of a menu that say that one is there. */
export const current = (within: Locator): Locator => within.locator('[aria-current="page"]')

export async function openMenu(page: Page, name: string): Promise<void> {
  await mainMenu(page).getByRole('button', { name }).click()
}
