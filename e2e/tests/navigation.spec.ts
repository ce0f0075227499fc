import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { bottomBar, current, mainMenu, openMenu } from '../support/menus.ts'

const menuItems = (page: Page): Locator => page.getByRole('menuitem')

test.describe('on a desktop', () => {
  test('[NAV-01] a member has Fitur, Dokumentasi and Profile with their entries', async ({ page, reader }) => {
    await reader.enter(page)
    await page.goto('/dashboard')
    await expect(mainMenu(page).getByRole('button')).toHaveText(['Fitur', 'Dokumentasi', ''])
    await expect(mainMenu(page).getByRole('link')).toHaveCount(0)
    await expect(bottomBar(page)).toBeHidden()

    const entries = {
      Fitur: [
        'Live',
        'Account',
        'Ruang kontrol',
        'Jadwal',
        'Analitik',
        'Rekaman',
        'Playlist',
        'Branding',
        'Tujuan',
        'Notifikasi',
        'Webhook',
        'Semua fitur',
      ],
      Dokumentasi: ['Pengantar', 'Captcha Text', 'Recaptcha V3'],
    }
    for (const [menu, items] of Object.entries(entries)) {
      await openMenu(page, menu)
      await expect(menuItems(page)).toHaveText(items)
      await page.keyboard.press('Escape')
      await expect(menuItems(page)).toHaveCount(0)
    }
    await openMenu(page, 'Profile')
    await expect(menuItems(page)).toHaveText(['My Profile', 'Keluar'])
  })

  test('[NAV-01] each entry leads to its place @long', async ({ page, account }) => {
    await account.login(page, await account.register())
    await page.goto('/dashboard')
    const places = [
      ['Fitur', 'Live', '/fitur/live'],
      ['Fitur', 'Account', '/fitur/account'],
      ['Fitur', 'Ruang kontrol', '/fitur/siaran'],
      ['Fitur', 'Jadwal', '/fitur/jadwal'],
      ['Fitur', 'Analitik', '/fitur/analytics'],
      ['Fitur', 'Rekaman', '/fitur/rekaman'],
      ['Fitur', 'Playlist', '/fitur/playlist'],
      ['Fitur', 'Branding', '/fitur/branding'],
      ['Fitur', 'Tujuan', '/fitur/target'],
      ['Fitur', 'Notifikasi', '/fitur/notifikasi'],
      ['Fitur', 'Webhook', '/fitur/webhook'],
      ['Fitur', 'Semua fitur', '/fitur'],
      ['Dokumentasi', 'Pengantar', '/documentation'],
      ['Dokumentasi', 'Captcha Text', '/documentation/captcha/text'],
      ['Dokumentasi', 'Recaptcha V3', '/documentation/captcha/v3'],
      ['Profile', 'My Profile', '/profile'],
    ] as const
    for (const [menu, item, path] of places) {
      await openMenu(page, menu)
      await page.getByRole('menuitem', { name: item }).click()
      await expect(page).toHaveURL(path)
      await expect(menuItems(page)).toHaveCount(0)
    }
    await openMenu(page, 'Profile')
    await page.getByRole('menuitem', { name: 'Keluar' }).click()
    await expect(page).toHaveURL('/login')
    await expect(page.getByText('Logged Out Successfully')).toBeVisible()
  })

  test('[NAV-01] the menus work by keyboard alone', async ({ page, reader }) => {
    await reader.enter(page)
    await page.goto('/dashboard')
    await expect(mainMenu(page)).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Lewati ke isi' })).toBeFocused()
    const fitur = mainMenu(page).getByRole('button', { name: 'Fitur' })
    await fitur.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menuitem', { name: 'Live' })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(fitur).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menuitem', { name: 'Live' })).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('menuitem', { name: 'Account' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/fitur/account')
  })

  test('[NAV-02] a guest has Login and Register, and none of a member', async ({ page }) => {
    await page.goto('/documentation')
    await expect(mainMenu(page).getByRole('link')).toHaveText(['Login', 'Register'])
    await expect(mainMenu(page).getByRole('button')).toHaveCount(0)
    await mainMenu(page).getByRole('link', { name: 'Register' }).click()
    await expect(page).toHaveURL('/register')
    await page.goto('/')
    await mainMenu(page).getByRole('link', { name: 'Login' }).click()
    await expect(page).toHaveURL('/login')
  })

  test('[NAV-06] a menu item is highlighted on its path and on those that start with it', async ({ page, reader }) => {
    await reader.enter(page)
    await page.goto('/fitur/account')
    await openMenu(page, 'Fitur')
    const menu = page.getByRole('menu')
    await expect(current(menu)).toHaveText(['Account', 'Semua fitur'])
    const item = (name: string) => menu.getByRole('menuitem', { name })
    await expect(item('Live')).toHaveCSS('font-weight', '400')
    await expect(item('Account')).toHaveCSS('font-weight', '600')

    await page.goto('/documentation/captcha/text')
    await openMenu(page, 'Dokumentasi')
    await expect(current(menu)).toHaveText(['Pengantar', 'Captcha Text'])
    await page.keyboard.press('Escape')
    await openMenu(page, 'Fitur')
    await expect(current(menu)).toHaveCount(0)
  })
})

test("the developers' gallery of components is not in the product", async ({ page }) => {
  await page.goto('/_ui')
  await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible()
})

test('a banner says that the browser is offline, on every screen, until it is back', async ({ page, context }) => {
  const banner = page.getByTestId('offline')
  for (const path of ['/', '/login', '/documentation']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(banner).toHaveAttribute('role', 'status')
    await expect(banner).toBeEmpty()
    await context.setOffline(true)
    await expect(banner).toContainText('Anda sedang offline.')
    await context.setOffline(false)
    await expect(banner).toBeEmpty()
  }
})

test('a banner says that the server does not answer, until it does', async ({ page, owner }) => {
  const banner = page.getByTestId('offline')
  await page.clock.install()
  await owner.enter(page)
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  let isDown = true
  for (const address of ['**/fitur/**', '**/auth/**', '**/system/**', '**/healthz']) {
    await page.route(address, (route) => (isDown ? route.abort() : route.fallback()))
  }
  await page.clock.runFor(30_000)
  await expect(banner).toContainText('Server tidak menjawab.')
  isDown = false
  await page.clock.runFor(30_000)
  await expect(banner).toBeEmpty()
})
