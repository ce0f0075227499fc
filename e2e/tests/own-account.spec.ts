import type { Locator, Page } from '@playwright/test'
import { faults } from '../support/axe.ts'
import { DEVICES } from '../support/devices.ts'
import { expect, test } from '../support/fixtures.ts'
import { expectNoSidewaysScroll, oddUsername } from '../support/layout.ts'
import { expectLoggedOut } from '../support/logged-out.ts'
import { devices, fact } from '../support/profile-screen.ts'

const NEW_PASSWORD = 'yang-baru-sekali'

const dialog = (page: Page): Locator => page.getByRole('dialog')
const open = (page: Page, name: string): Promise<void> =>
  page.getByRole('main').getByRole('button', { name, exact: true }).click()
const submit = (page: Page, name: string): Locator => dialog(page).getByRole('button', { name, exact: true })

for (const { device, use } of DEVICES) {
  test.describe(device, () => {
    test.use(use)

    test('[PROF-01] [SAFE-02] a new password: the present one is asked for, the API key is renewed and shown, other devices are logged out', async ({
      page,
      account,
      request,
    }) => {
      const user = await account.register()
      const other = await account.session(user)
      const { user: known } = await account.login(page, user)
      await page.goto('/profile')
      await open(page, 'Ganti password')
      await expect(dialog(page)).toContainText('API key Anda ikut diganti')
      await expect(submit(page, 'Ganti password')).toBeDisabled()
      await page.getByLabel('Password sekarang').fill('bukan-ini')
      await page.getByLabel('Password baru').fill('12345')
      await expect(submit(page, 'Ganti password')).toBeDisabled()
      await page.getByLabel('Password baru').fill(NEW_PASSWORD)
      await submit(page, 'Ganti password').click()
      await expect(dialog(page).getByRole('alert')).toHaveText('Password ini salah. Ketik password Anda yang sekarang.')
      await expect(page.getByLabel('Password baru')).toHaveValue(NEW_PASSWORD)
      expect(await faults(page)).toEqual([])

      await page.getByLabel('Password sekarang').fill(user.password)
      await submit(page, 'Ganti password').click()
      await expect(dialog(page)).toHaveAccessibleName('Password sudah diganti')
      await expect(page.locator('[data-sonner-toast]')).toHaveCount(0)
      const newKey = await page.getByLabel('API key baru').inputValue()
      expect(newKey).toMatch(/^sk_/)
      const list = (apiKey: string) => request.get('/fitur/video', { headers: { 'X-API-Key': apiKey } })
      expect((await list(known.apiKey)).status()).toBe(401)
      expect((await list(newKey)).status()).toBe(200)
      expect(await faults(page)).toEqual([])
      await submit(page, 'Selesai').click()
      await expect(dialog(page)).toHaveCount(0)
      await expect(page.getByLabel('API Key', { exact: true })).toHaveValue(newKey)
      await expect(devices(page)).toHaveCount(1)

      expect((await account.profile(other.token)).status()).toBe(401)
      const login = (password: string) => request.post('/auth/login', { data: { email: user.email, password } })
      expect((await login(user.password)).status()).toBe(401)
      expect((await login(NEW_PASSWORD)).status()).toBe(200)

      await page.goto('/fitur')
      await expect(page.getByRole('list', { name: 'Riwayat / Aktivitas' })).toContainText('Password diganti')
    })

    test('[PROF-01] a new username shows at once and everywhere; one that is taken is refused', async ({
      page,
      account,
    }) => {
      const taken = await account.register()
      await account.login(page, await account.register())
      await page.goto('/profile')
      await open(page, 'Ganti username')
      await page.getByLabel('Username baru').fill(taken.username)
      await submit(page, 'Ganti username').click()
      await expect(dialog(page).getByRole('alert')).toHaveText('This username is already taken.')
      await page.getByLabel('Username baru').fill('ab')
      await expect(submit(page, 'Ganti username')).toBeDisabled()

      const username = oddUsername()
      await page.getByLabel('Username baru').fill(username)
      expect(await faults(page)).toEqual([])
      await submit(page, 'Ganti username').click()
      await expect(page.getByText('Username Updated')).toBeVisible()
      await expect(fact(page, 'Username')).toHaveText(username)
      await expect(page.getByTestId('avatar')).toHaveText('🌸')
      await expectNoSidewaysScroll(page)
      await page.goto('/dashboard')
      await expect(page.getByRole('heading', { level: 1 })).toContainText(username)
    })

    test('[PROF-05] a deleted account: what goes is said, username and password are asked for, and then it is gone', async ({
      page,
      account,
      request,
    }) => {
      const user = await account.register()
      const { token } = await account.login(page, user)
      await page.goto('/profile')
      await open(page, 'Hapus akun')
      for (const goes of ['Semua siaran dihentikan', 'Semua video', 'API key', 'tidak bisa dibatalkan']) {
        await expect(dialog(page)).toContainText(goes)
      }
      const remove = submit(page, 'Hapus akun selamanya')
      await expect(remove).toBeDisabled()
      await page.getByLabel('Username Anda').fill(`${user.username}x`)
      await page.getByLabel('Password', { exact: true }).fill('bukan-ini')
      await expect(remove).toBeDisabled()
      await page.getByLabel('Username Anda').fill(user.username)
      await remove.click()
      await expect(dialog(page).getByRole('alert')).toHaveText('Password ini salah. Ketik password Anda yang sekarang.')
      expect(await faults(page)).toEqual([])

      await page.getByLabel('Password', { exact: true }).fill(user.password)
      await remove.click()
      await expect(page).toHaveURL('/login')
      await expect(page.getByText('Account Deleted')).toBeVisible()
      await expect(page.getByText('Session Ended')).toHaveCount(0)
      await expectLoggedOut(page)
      expect((await account.profile(token)).status()).toBe(401)
      const login = await request.post('/auth/login', { data: { email: user.email, password: user.password } })
      expect(login.status()).toBe(401)
    })
  })
}

test('without a number the plan page says whom to ask', async ({ page, account }) => {
  await account.login(page, await account.register())
  await page.goto('/profile/plan')
  await expect(page.getByText('Di server ini batas paket tidak diberlakukan.')).toBeVisible()
  const link = page.getByRole('link', { name: 'Hubungi administrator tentang Starter' })
  await expect(link).toHaveAttribute('href', /^https:\/\/wa\.me\/\?text=.+Starter/)
  await expect(page.getByRole('complementary', { name: 'Masa paket' })).toHaveCount(0)
})
