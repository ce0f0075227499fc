import type { Locator, Page } from '@playwright/test'
import { DEVICES } from '../support/devices.ts'
import { expect, test } from '../support/fixtures.ts'
import { expectNoSidewaysScroll } from '../support/layout.ts'

const rows = (page: Page): Locator => page.getByRole('list', { name: 'Riwayat / Aktivitas' }).getByRole('listitem')
const examples = (page: Page): Locator => rows(page).filter({ has: page.getByText('Contoh', { exact: true }) })
const row = (page: Page, text: string): Locator => rows(page).filter({ hasText: text })
const badge = (place: Locator, text: string): Locator => place.getByText(text, { exact: true })

for (const { device, use } of DEVICES) {
  test.describe(device, () => {
    test.use(use)

    test("[FITUR-01] four tiles lead where they should, two of them marked 'Baru'", async ({ page, account }) => {
      await account.login(page, await account.register())
      await page.goto('/fitur')
      const tile = (name: string): Locator => page.getByRole('main').getByRole('link', { name })
      for (const [name, path, fresh] of [
        ['Live', '/fitur/live', 0],
        ['Account', '/fitur/account', 0],
        ['Tambah Followers', '#', 1],
        ['Tutorial', '/fitur/tutorial', 1],
      ] as const) {
        await expect(tile(name)).toHaveAttribute('href', path)
        await expect(badge(tile(name), 'Baru')).toHaveCount(fresh)
      }
      await expect(badge(tile('Tambah Followers'), 'Segera')).toBeVisible()
      await expect(tile('Tambah Followers')).toHaveAttribute('aria-disabled', 'true')
      // What leads nowhere is not to be pressed, and a press does nothing.
      await tile('Tambah Followers').click({ force: true })
      expect(page.url()).toMatch(/\/fitur$/)
      await tile('Account').click()
      await expect(page.getByRole('heading', { level: 1, name: 'Account' })).toBeVisible()
    })

    test("[FITUR-02] what really happened comes first; below five, samples marked 'Contoh' fill the list", async ({
      page,
      account,
      request,
    }) => {
      const user = await account.register()
      const { user: known } = await account.login(page, user)
      await page.goto('/fitur')
      await expect(page.getByRole('heading', { name: 'Riwayat / Aktivitas' })).toBeVisible()
      await expect(rows(page)).toHaveCount(5)
      await expect(rows(page).nth(0)).toContainText('Login')
      await expect(rows(page).nth(1)).toContainText('Akun dibuat')
      await expect(rows(page).nth(1)).toContainText(/\d{1,2} \p{L}{3} \d{4} \d\d\.\d\d WIB/u)
      await expect(examples(page)).toHaveCount(3)
      await expect(badge(row(page, 'Profil diperbarui'), 'Berhasil')).toBeVisible()
      await expect(badge(row(page, 'Login gagal dari perangkat tak dikenal'), 'Gagal')).toBeVisible()

      // Somebody fails to log in, the Live page is looked at, an account is added.
      await request.post('/auth/login', { data: { email: user.email, password: 'salah-sekali' } })
      await page.goto('/fitur/live')
      await expect(page.getByText('Anda belum mengupload video.')).toBeVisible()
      const added = { name: 'Panggung Rina', siteId: '784512' }
      await request.post('/fitur/bigo/add', { headers: { 'X-API-Key': known.apiKey }, data: added })
      await page.goto('/fitur')
      await expect(row(page, 'Akun platform ditambahkan')).toContainText('Panggung Rina · Bigo')
      await expect(badge(row(page, 'Membuka halaman Live'), 'Berhasil')).toBeVisible()
      await expect(badge(row(page, 'Login gagal'), 'Gagal')).toBeVisible()
      await expect(rows(page)).toHaveCount(5)
      await expect(examples(page)).toHaveCount(0)
    })

    test('[FITUR-02] somebody without any activity sees the five samples with all three badges', async ({
      page,
      account,
    }) => {
      await account.login(page, await account.register())
      await page.route('**/fitur/activity?*', (route) =>
        route.fulfill({ json: { success: true, message: '', data: [] } }),
      )
      await page.goto('/fitur')
      await expect(examples(page)).toHaveCount(5)
      for (const [text, status] of [
        ['Profil diperbarui', 'Berhasil'],
        ['Login gagal dari perangkat tak dikenal', 'Gagal'],
        ['Password diganti', 'Berhasil'],
        ['Menunggu konfirmasi email', 'Pending'],
        ['Membuka halaman Live', 'Berhasil'],
      ] as const) {
        await expect(badge(row(page, text), status)).toBeVisible()
      }
    })

    test('a long list is short at first, and names of any kind stay in their place', async ({
      page,
      account,
      request,
    }) => {
      const { user } = await account.login(page, await account.register())
      for (let number = 0; number < 9; number++) {
        const data = { name: `ليلى 🌸 ${'panjang'.repeat(6)}${number}`, siteId: `id-${number}` }
        await request.post('/fitur/bigo/add', { headers: { 'X-API-Key': user.apiKey }, data })
      }
      await page.goto('/fitur')
      await expect(rows(page)).toHaveCount(8)
      await expectNoSidewaysScroll(page)
      await page.getByRole('button', { name: 'Tampilkan semua' }).click()
      await expect(rows(page)).toHaveCount(11)
      await page.getByRole('button', { name: 'Tampilkan sedikit' }).click()
      await expect(rows(page)).toHaveCount(8)
    })

    test('a list that cannot be had says so and can be asked for again', async ({ page, account }) => {
      await account.login(page, await account.register())
      await page.route('**/fitur/activity?*', (route) => route.abort())
      await page.goto('/fitur')
      await expect(page.getByRole('alert').getByText('Gagal koneksi.')).toBeVisible()
      await page.unroute('**/fitur/activity?*')
      await page.getByRole('button', { name: 'Coba lagi' }).click()
      await expect(rows(page)).toHaveCount(5)
    })
  })
}
