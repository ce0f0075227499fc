import type { Page } from '@playwright/test'
import { faults } from '../support/axe.ts'
import { tab } from '../support/broadcasts.ts'
import { DEVICES } from '../support/devices.ts'
import { expect, test } from '../support/fixtures.ts'
import { currentTime, openLiveWith, pickButton, player, row } from '../support/live-screen.ts'
import { ageProofs } from '../support/plan-row.ts'

const VIDEO = 'sawah.mp4'
const key = (page: Page) => page.getByLabel('API Key', { exact: true })

test('[SAFE-02] on a way through every screen no address holds the key, or tells another page where it came from', async ({
  page,
  account,
  clip,
}) => {
  const addresses: string[] = []
  const headers: Record<string, string>[] = []
  page.on('request', (request) => {
    addresses.push(request.url())
    headers.push(request.headers())
  })
  const user = await openLiveWith(page, account, [await clip(VIDEO, { seconds: 3 })])
  // The picture is there, so its ticket was good.
  const picture = row(page, VIDEO).locator('img')
  await expect
    .poll(() => picture.first().evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth))
    .toBeGreaterThan(0)
  await pickButton(page, VIDEO).click()
  await expect.poll(() => currentTime(player(page))).toBeGreaterThan(0)
  for (const name of ['Bigo', 'Live', 'Go']) await tab(page, name).click()
  await expect.poll(() => addresses.some((address) => address.includes('/fitur/steam/live?ticket='))).toBe(true)
  for (const path of ['/dashboard', '/fitur', '/fitur/account', '/profile', '/documentation/captcha/v3']) {
    await page.goto(path)
    await expect(page.getByRole('heading').first()).toBeVisible()
    await page.waitForLoadState('networkidle')
  }
  await expect(row(page, VIDEO)).toBeVisible()
  expect(addresses.filter((address) => address.includes(user.apiKey) || /api_?key=/i.test(address))).toEqual([])
  expect(addresses.some((address) => address.includes('/thumbnail?ticket='))).toBe(true)
  expect(headers.filter(({ referer }) => referer)).toEqual([])
})

for (const { device, use } of DEVICES) {
  test.describe(device, () => {
    test.use(use)

    test('[SAFE-02] a browser that is not known asks for the password before it shows or renews the key', async ({
      page,
      account,
      siarin,
    }) => {
      const user = await account.register()
      const { user: known } = await account.login(page, user)
      // As a stolen token comes: without the cookie of the browser that it was given to, and some time later.
      await page.context().clearCookies()
      ageProofs(siarin.dataDir, user.email)
      await page.goto('/profile')
      await expect(key(page)).toHaveValue(/^•+$/)
      await page.getByRole('button', { name: 'Tampilkan API key' }).click()
      const dialog = page.getByRole('dialog')
      await expect(dialog).toContainText('Ketik password Anda')
      expect(await faults(page)).toEqual([])
      await dialog.getByLabel('Password', { exact: true }).fill('bukan-ini')
      await dialog.getByRole('button', { name: 'Lanjutkan' }).click()
      await expect(dialog.getByRole('alert')).toHaveText('Password ini salah. Ketik password Anda yang sekarang.')
      await dialog.getByLabel('Password', { exact: true }).fill(user.password)
      await dialog.getByRole('button', { name: 'Lanjutkan' }).click()
      await expect(dialog).toHaveCount(0)
      await expect(key(page)).toHaveValue(known.apiKey)
      await expect(key(page)).toHaveRole('textbox')
    })
  })
}
