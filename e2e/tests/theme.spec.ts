import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { openMenu } from '../support/menus.ts'

test.describe('the theme', () => {
  const html = (page: Page): Locator => page.locator('html')
  const ground = (page: Page): Promise<string> =>
    page.evaluate('getComputedStyle(document.documentElement).backgroundColor')

  test('follows the system until one is chosen, which the browser remembers', async ({ page, account }) => {
    await page.emulateMedia({ colorScheme: 'dark' })
    await account.login(page, await account.register())
    await page.goto('/dashboard')
    await expect(html(page)).toHaveClass('dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await expect(html(page)).toHaveClass('light')

    await openMenu(page, 'Profile')
    await expect(page.getByRole('menuitemradio', { name: 'Sistem' })).toBeChecked()
    await page.getByRole('menuitemradio', { name: 'Gelap' }).click()
    await expect(html(page)).toHaveClass('dark')
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(html(page)).toHaveClass('dark')

    await openMenu(page, 'Profile')
    await page.getByRole('menuitemradio', { name: 'Sistem' }).click()
    await expect(html(page)).toHaveClass('light')
  })

  test('is right before any of the app has run, so that nothing flashes', async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto('/')
    const light = await ground(page)
    await page.getByRole('button', { name: 'Pakai tema gelap' }).click()
    await expect(html(page)).toHaveClass('dark')
    const dark = await ground(page)
    expect(dark).not.toBe(light)

    await page.route('**/assets/index-*.js', (route) => route.abort())
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(await ground(page)).toBe(dark)
  })

  test('is the same in all tabs of the browser', async ({ page, context }) => {
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto('/')
    const other = await context.newPage()
    await other.goto('/documentation')
    await other.getByRole('button', { name: 'Pakai tema gelap' }).click()
    await expect(html(page)).toHaveClass('dark')
    await expect(page.getByRole('button', { name: 'Pakai tema terang' })).toBeVisible()
  })
})
