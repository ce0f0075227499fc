import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'

const PHONE = { width: 390, height: 844 }

const mainMenu = (page: Page): Locator => page.getByRole('navigation', { name: 'Menu utama' })
const bottomBar = (page: Page): Locator => page.getByRole('navigation', { name: 'Menu bawah' })
const menuItems = (page: Page): Locator => page.getByRole('menuitem')
const sheet = (page: Page): Locator => page.getByRole('dialog', { name: 'Menu profile' })
const current = (within: Locator): Locator => within.locator('[aria-current="page"]')
const scrolled = (page: Page): Promise<number> => page.evaluate('scrollY')

async function openMenu(page: Page, name: string): Promise<void> {
  await mainMenu(page).getByRole('button', { name }).click()
}

test.describe('on a desktop', () => {
  test('[NAV-01] a member has Fitur, Dokumentasi and Profile with their entries', async ({ page, account }) => {
    await account.login(page, await account.register())
    await page.goto('/dashboard')
    await expect(mainMenu(page).getByRole('button')).toHaveText(['Fitur', 'Dokumentasi', ''])
    await expect(mainMenu(page).getByRole('link')).toHaveCount(0)
    await expect(bottomBar(page)).toBeHidden()

    const entries = { Fitur: ['Live', 'Account'], Dokumentasi: ['Pengantar', 'Captcha Text', 'Recaptcha V3'] }
    for (const [menu, items] of Object.entries(entries)) {
      await openMenu(page, menu)
      await expect(menuItems(page)).toHaveText(items)
      await page.keyboard.press('Escape')
      await expect(menuItems(page)).toHaveCount(0)
    }
    await openMenu(page, 'Profile')
    await expect(menuItems(page)).toHaveText(['My Profile', 'Keluar'])
  })

  test('[NAV-01] each entry leads to its place', async ({ page, account }) => {
    await account.login(page, await account.register())
    await page.goto('/dashboard')
    const places = [
      ['Fitur', 'Live', '/fitur/live'],
      ['Fitur', 'Account', '/fitur/account'],
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

  test('[NAV-01] the menus work by keyboard alone', async ({ page, account }) => {
    await account.login(page, await account.register())
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

  test('[NAV-06] a menu item is highlighted on its path and on those that start with it', async ({ page, account }) => {
    await account.login(page, await account.register())
    await page.goto('/fitur/account')
    await openMenu(page, 'Fitur')
    const menu = page.getByRole('menu')
    await expect(current(menu)).toHaveText(['Account'])
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

test.describe('on a phone', () => {
  test.use({ viewport: PHONE, hasTouch: true })

  test('[NAV-03] a member has the logo above and Home, Fitur, Docs, Profile below', async ({ page, account }) => {
    await account.login(page, await account.register())
    await page.goto('/profile')
    await expect(page.getByRole('banner').getByRole('link', { name: 'Siarin' })).toBeVisible()
    await expect(mainMenu(page)).toBeHidden()
    await expect(bottomBar(page).locator('a, button')).toHaveText(['Home', 'Fitur', 'Docs', 'Profile'])

    for (const [tab, path] of [
      ['Home', '/dashboard'],
      ['Fitur', '/fitur'],
      ['Docs', '/documentation'],
    ] as const) {
      await bottomBar(page).getByRole('link', { name: tab }).tap()
      await expect(page).toHaveURL(path)
    }
  })

  test('[NAV-03] a guest has Login as the fourth tab', async ({ page }) => {
    await page.goto('/')
    await expect(bottomBar(page).locator('a, button')).toHaveText(['Home', 'Fitur', 'Docs', 'Login'])
    await bottomBar(page).getByRole('link', { name: 'Login' }).tap()
    await expect(page).toHaveURL('/login')
  })

  test('[NAV-06] a tab is highlighted on its path and on those that start with it', async ({ page, account }) => {
    await account.login(page, await account.register())
    for (const [path, tab] of [
      ['/dashboard', 'Home'],
      ['/fitur', 'Fitur'],
      ['/fitur/live', 'Fitur'],
      ['/documentation/captcha/v3', 'Docs'],
      ['/profile', 'Profile'],
    ] as const) {
      await page.goto(path)
      await expect(current(bottomBar(page))).toHaveText([tab])
    }
  })

  test('[NAV-04] the Profile tab opens a sheet with My Profile and Logout', async ({ page, account }) => {
    await account.login(page, await account.register())
    await page.goto('/dashboard')
    const tab = bottomBar(page).getByRole('button', { name: 'Profile' })
    await tab.tap()
    await expect(sheet(page).getByRole('listitem')).toHaveText(['My Profile', 'Logout'])
    await sheet(page).getByRole('link', { name: 'My Profile' }).tap()
    await expect(page).toHaveURL('/profile')
    await expect(sheet(page)).toBeHidden()

    await tab.tap()
    await sheet(page).getByRole('button', { name: 'Logout' }).tap()
    await expect(page).toHaveURL('/login')
    await expect(page.getByText('Logged Out Successfully')).toBeVisible()
  })

  test('[NAV-04] backdrop, handle, Escape and a change of route each close the sheet', async ({ page, account }) => {
    await account.login(page, await account.register())
    await page.goto('/fitur')
    await page.goto('/dashboard')
    const open = async (): Promise<void> => {
      await bottomBar(page).getByRole('button', { name: 'Profile' }).click()
      await expect(sheet(page)).toBeVisible()
    }

    await open()
    const dim = await page.evaluate(
      "getComputedStyle(document.querySelector('dialog.sheet'), '::backdrop').backgroundColor",
    )
    expect(dim).toMatch(/^rgba\(0, 0, 0, 0\.\d+\)$/)
    await page.touchscreen.tap(PHONE.width / 2, 100)
    await expect(sheet(page)).toBeHidden()

    await open()
    await sheet(page).getByRole('button', { name: 'Tutup menu' }).tap()
    await expect(sheet(page)).toBeHidden()

    await open()
    await page.keyboard.press('Escape')
    await expect(sheet(page)).toBeHidden()

    await open()
    await page.goBack()
    await expect(page).toHaveURL('/fitur')
    await expect(sheet(page)).toBeHidden()
  })

  test('[NAV-04] the handle is dragged down by a finger: far closes the sheet, a little does not', async ({
    page,
    context,
    account,
  }) => {
    await account.login(page, await account.register())
    await page.goto('/dashboard')
    await bottomBar(page).getByRole('button', { name: 'Profile' }).tap()
    const handle = sheet(page).getByRole('button', { name: 'Tutup menu' })
    const finger = await context.newCDPSession(page)
    const drag = async (pixels: number): Promise<number> => {
      const box = await handle.boundingBox()
      if (!box) throw new Error('the handle has no place')
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', by: number) =>
        finger.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y: y + by }] })
      await touch('touchStart', 0)
      for (let by = 0; by <= pixels; by += 10) await touch('touchMove', by)
      const moved = (await handle.boundingBox())?.y ?? 0
      await touch('touchEnd', pixels)
      return moved - box.y
    }
    // Its entrance is over when it stands still at the lower edge.
    await expect
      .poll(async () => {
        const box = await sheet(page).boundingBox()
        return box ? Math.round(box.y + box.height) : 0
      })
      .toBe(PHONE.height)

    expect(await drag(30)).toBeCloseTo(30, 0)
    await expect(sheet(page)).toBeVisible()
    expect(await drag(120)).toBeCloseTo(120, 0)
    await expect(sheet(page)).toBeHidden()
  })

  test('[NAV-05] while the sheet is open the page behind does not scroll', async ({ page, account }) => {
    await account.login(page, await account.register())
    await page.setViewportSize({ width: 390, height: 420 })
    await page.goto('/fitur/live')
    await expect(page.getByRole('tab', { name: 'Lokal' })).toBeVisible()
    await page.mouse.move(200, 150)
    await page.mouse.wheel(0, 200)
    await expect.poll(() => scrolled(page)).toBeGreaterThan(0)
    const before = await scrolled(page)

    await bottomBar(page).getByRole('button', { name: 'Profile' }).click()
    await expect(sheet(page)).toBeVisible()
    await page.mouse.wheel(0, 300)
    await expect(page.locator('html')).toHaveCSS('overflow-y', 'hidden')
    expect(await scrolled(page)).toBe(before)

    await page.keyboard.press('Escape')
    await page.mouse.wheel(0, 300)
    await expect.poll(() => scrolled(page)).toBeGreaterThan(before)
  })

  test('[NAV-05] the sheet takes at most 60% of the viewport and says so when no sheet is active', async ({
    page,
    account,
  }) => {
    await account.login(page, await account.register())
    await page.setViewportSize({ width: 390, height: 300 })
    await page.goto('/dashboard')
    const closed = page.locator('dialog.sheet')
    await expect(closed).toHaveText('Pilih menu di bawah.')
    await expect(closed).toBeHidden()

    await bottomBar(page).getByRole('button', { name: 'Profile' }).click()
    const box = await sheet(page).boundingBox()
    expect(box?.height).toBeCloseTo(0.6 * 300, 0)
    await expect(sheet(page)).not.toContainText('Pilih menu di bawah.')
    // What does not fit is reached by scrolling inside.
    await sheet(page).getByText('Gelap').click()
    await expect(page.locator('html')).toHaveClass(/dark/)
  })
})

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
    await expect(page.locator('#root')).toBeEmpty()
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
