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

    test("[FITUR-01] [FITUR-02] four tiles, two of them marked 'Baru', lead where they should; below them what really happened comes first, and below five, samples marked 'Contoh' fill the list", async ({
      page,
      account,
      request,
    }) => {
      const user = await account.register()
      const { user: known } = await account.login(page, user)
      const addAccount = (data: { name: string; siteId: string }) =>
        request.post('/fitur/bigo/add', { headers: { 'X-API-Key': known.apiKey }, data })
      const tile = (name: string): Locator => page.getByRole('main').getByRole('link', { name })
      await page.goto('/fitur')

      await test.step('the list of somebody new', async () => {
        await expect(page.getByRole('heading', { name: 'Riwayat / Aktivitas' })).toBeVisible()
        await expect(rows(page)).toHaveCount(5)
        await expect(rows(page).nth(0)).toContainText('Login')
        await expect(rows(page).nth(1)).toContainText('Akun dibuat')
        await expect(rows(page).nth(1)).toContainText(/\d{1,2} \p{L}{3} \d{4} \d\d\.\d\d WIB/u)
        await expect(examples(page)).toHaveCount(3)
        await expect(badge(row(page, 'Profil diperbarui'), 'Berhasil')).toBeVisible()
        await expect(badge(row(page, 'Login gagal dari perangkat tak dikenal'), 'Gagal')).toBeVisible()
      })

      await test.step('the tiles', async () => {
        for (const [name, path, fresh] of [
          ['Live', '/fitur/live', 0],
          ['Ruang kontrol', '/fitur/siaran', 0],
          ['Account', '/fitur/account', 0],
          ['Tujuan', '/fitur/target', 0],
          ['Jadwal', '/fitur/jadwal', 0],
          ['Analitik', '/fitur/analytics', 0],
          ['Rekaman', '/fitur/rekaman', 0],
          ['Playlist', '/fitur/playlist', 0],
          ['Branding', '/fitur/branding', 0],
          ['Notifikasi', '/fitur/notifikasi', 0],
          ['Webhook', '/fitur/webhook', 0],
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
        const reported = page.waitForResponse(
          (answer) => answer.url().includes('/fitur/activity') && answer.request().method() === 'POST',
        )
        await tile('Live').click()
        await expect(page.getByText('Anda belum mengupload video.')).toBeVisible()
        expect((await reported).status()).toBe(200)
      })

      await test.step('a failed login, a look at the Live page and a new account are listed', async () => {
        await request.post('/auth/login', { data: { email: user.email, password: 'salah-sekali' } })
        await addAccount({ name: 'Panggung Rina', siteId: '784512' })
        await page.goto('/fitur')
        await expect(row(page, 'Akun platform ditambahkan')).toContainText('Panggung Rina · Bigo')
        await expect(badge(row(page, 'Membuka halaman Live'), 'Berhasil')).toBeVisible()
        await expect(badge(row(page, 'Login gagal'), 'Gagal')).toBeVisible()
        await expect(rows(page)).toHaveCount(5)
        await expect(examples(page)).toHaveCount(0)
      })

      await test.step('a long list is short at first, and names of any kind stay in their place', async () => {
        for (let number = 0; number < 6; number++) {
          await addAccount({ name: `ليلى 🌸 ${'panjang'.repeat(6)}${number}`, siteId: `id-${number}` })
        }
        await page.reload()
        await expect(rows(page)).toHaveCount(8)
        await expectNoSidewaysScroll(page)
        await page.getByRole('button', { name: 'Tampilkan semua' }).click()
        await expect(rows(page)).toHaveCount(11)
        await page.getByRole('button', { name: 'Tampilkan sedikit' }).click()
        await expect(rows(page)).toHaveCount(8)
      })
    })
  })
}
