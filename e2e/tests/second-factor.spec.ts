import type { Locator, Page } from '@playwright/test'
import { authenticator } from '../support/authenticator.ts'
import { faults } from '../support/axe.ts'
import { DEVICES } from '../support/devices.ts'
import { expect, test } from '../support/fixtures.ts'
import { expectNoSidewaysScroll } from '../support/layout.ts'

const dialog = (page: Page): Locator => page.getByRole('dialog')
const card = (page: Page): Locator =>
  page.getByRole('main').locator('section').filter({ hasText: 'Verifikasi dua langkah' })
const code = (page: Page): Locator => page.getByRole('textbox', { name: 'Kode verifikasi' })

for (const { device, use } of DEVICES) {
  test.describe(device, () => {
    test.use(use)

    test('the second factor is turned on with a code, asked for at the login and for a new key, and turned off', async ({
      page,
      account,
    }) => {
      const user = await account.register()
      await account.login(page, user)
      await page.goto('/profile')
      await card(page).getByRole('button', { name: 'Aktifkan' }).click()
      await expect(dialog(page).getByRole('img', { name: 'Kode QR' })).toBeVisible()
      expect(await faults(page)).toEqual([])
      await expectNoSidewaysScroll(page)
      const next = authenticator((await dialog(page).locator('code').textContent()) ?? '')
      await code(page).fill('000000')
      await dialog(page).getByRole('button', { name: 'Aktifkan' }).click()
      await expect(dialog(page).getByRole('alert')).toContainText('Kode ini salah')
      await code(page).fill(next())
      await dialog(page).getByRole('button', { name: 'Aktifkan' }).click()
      await expect(dialog(page).getByRole('list', { name: 'Kode pemulihan' }).getByRole('listitem')).toHaveCount(10)
      const recovery = await dialog(page).getByRole('listitem').first().textContent()
      expect(await faults(page)).toEqual([])
      await dialog(page).getByRole('button', { name: 'Sudah saya simpan' }).click()
      await expect(card(page)).toContainText('Aktif')

      await page.getByRole('main').getByRole('button', { name: 'Logout' }).click()
      await page.getByLabel('Email').fill(user.email)
      await page.getByLabel('Password', { exact: true }).fill(user.password)
      await page.getByRole('button', { name: 'Login', exact: true }).click()
      await expect(page.getByRole('heading', { name: 'Verifikasi dua langkah' })).toBeVisible()
      expect(await page.evaluate(() => localStorage.getItem('token'))).toBeNull()
      expect(await faults(page)).toEqual([])
      await code(page).fill(next())
      await page.getByRole('button', { name: 'Lanjutkan' }).click()
      await expect(page).toHaveURL(/\/profile$/)

      await page.getByRole('button', { name: 'Regenerate API Key' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Ganti kunci' }).click()
      await code(page).fill(next())
      await dialog(page).getByRole('button', { name: 'Lanjutkan' }).click()
      await expect(page.getByText('API Key Updated')).toBeVisible()

      await card(page).getByRole('button', { name: 'Matikan' }).click()
      await dialog(page).getByLabel('Password', { exact: true }).fill(user.password)
      await code(page).fill(recovery ?? '')
      await dialog(page).getByRole('button', { name: 'Matikan' }).click()
      await expect(dialog(page)).toHaveCount(0)
      await expect(card(page).getByRole('button', { name: 'Aktifkan' })).toBeVisible()
    })
  })
}
