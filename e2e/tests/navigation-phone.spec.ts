import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { bottomBar, current, mainMenu } from '../support/menus.ts'

const PHONE = { width: 390, height: 844 }

const sheet = (page: Page): Locator => page.getByRole('dialog', { name: 'Menu profile' })
const scrolled = (page: Page): Promise<number> => page.evaluate('scrollY')
/** Turns the wheel until the page follows: as long as it is not to be scrolled, a turn is lost. */
const scrollBeyond = (page: Page, before: number): Promise<void> =>
  expect
    .poll(async () => {
      await page.mouse.wheel(0, 100)
      return scrolled(page)
    })
    .toBeGreaterThan(before)

/** Where the page stands once the last turn of the wheel has come to its end: turns queue up. */
async function atRest(page: Page): Promise<number> {
  let before = -1
  await expect(async () => {
    const last = before
    before = await scrolled(page)
    expect(before).toBe(last)
  }).toPass({ intervals: [300] })
  return before
}

test.describe('on a phone', () => {
  test.use({ viewport: PHONE, hasTouch: true })

  test('[NAV-03] a member has the logo above and Home, Fitur, Docs, Profile below', async ({ page, reader }) => {
    await reader.enter(page)
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

  test('[NAV-06] a tab is highlighted on its path and on those that start with it @long', async ({ page, reader }) => {
    await reader.enter(page)
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

  test('[NAV-04] backdrop, handle, Escape and a change of route each close the sheet', async ({ page, reader }) => {
    await reader.enter(page)
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

  test('[NAV-04] the handle is dragged down by a finger: far closes the sheet, a little does not @long', async ({
    page,
    context,
    reader,
  }) => {
    await reader.enter(page)
    await page.goto('/dashboard')
    await bottomBar(page).getByRole('button', { name: 'Profile' }).tap()
    const handle = sheet(page).getByRole('button', { name: 'Tutup menu' })
    const finger = await context.newCDPSession(page)
    const drag = async (pixels: number): Promise<void> => {
      const box = await handle.boundingBox()
      if (!box) throw new Error('the handle has no place')
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', by: number) =>
        finger.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y: y + by }] })
      await touch('touchStart', 0)
      for (let by = 0; by <= pixels; by += 10) await touch('touchMove', by)
      // The page draws it a frame later.
      await expect.poll(async () => Math.round(((await handle.boundingBox())?.y ?? 0) - box.y)).toBe(pixels)
      await touch('touchEnd', pixels)
    }
    const standsStill = () =>
      expect
        .poll(async () => {
          const box = await sheet(page).boundingBox()
          return box ? Math.round(box.y + box.height) : 0
        })
        .toBe(PHONE.height)

    // Its entrance is over when it stands at the lower edge, and so is its way back there.
    await standsStill()
    await drag(30)
    await standsStill()
    await drag(120)
    await expect(sheet(page)).toBeHidden()
  })

  test('[NAV-05] while the sheet is open the page behind does not scroll', async ({ page, reader }) => {
    await reader.enter(page)
    await page.setViewportSize({ width: 390, height: 420 })
    await page.goto('/fitur/live')
    await expect(page.getByRole('tab', { name: 'Lokal' })).toBeVisible()
    await page.mouse.move(200, 150)
    await scrollBeyond(page, 0)
    const before = await atRest(page)

    await bottomBar(page).getByRole('button', { name: 'Profile' }).click()
    await expect(sheet(page)).toBeVisible()
    await expect(page.locator('html')).toHaveCSS('overflow-y', 'hidden')
    await page.mouse.wheel(0, 300)
    expect(await atRest(page)).toBe(before)

    await page.keyboard.press('Escape')
    await scrollBeyond(page, before)
  })

  test('[NAV-05] the sheet takes at most 60% of the viewport and says so when no sheet is active', async ({
    page,
    reader,
  }) => {
    await reader.enter(page)
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
