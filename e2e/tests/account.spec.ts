import type { Locator, Page } from '@playwright/test'
import { DEVICES } from '../support/devices.ts'
import { expect, test } from '../support/fixtures.ts'
import { expectNoSidewaysScroll } from '../support/layout.ts'
import { expectSaid, noteSaid } from '../support/said.ts'

const TOKEN = 'slobs-9f8e7d6c5b4a39281706abcd'

const tab = (page: Page, name: string): Locator => page.getByRole('tab', { name, exact: true })
const credential = (page: Page): Locator => page.getByLabel(/^(Id Bigo|Token TikTok)$/)
const name = (page: Page): Locator => page.getByLabel('Account Name')
const addButton = (page: Page): Locator => page.getByRole('button', { name: 'Add Account' })
const rows = (page: Page, kind: string): Locator =>
  page.getByRole('list', { name: `Akun ${kind}` }).getByRole('listitem')
const dialog = (page: Page): Locator => page.getByRole('alertdialog')

async function add(page: Page, kind: 'Bigo' | 'TikTok', id: string, title: string): Promise<void> {
  await tab(page, 'Add Account').click()
  await page.getByLabel('Platform').selectOption({ label: kind })
  await credential(page).fill(id)
  await name(page).fill(title)
  await addButton(page).click()
}

for (const { device, use } of DEVICES) {
  test.describe(device, () => {
    test.use(use)

    test('[ACC-02] [ACC-03] [ACC-04] accounts are added, counted, listed and deleted after a question, beside tips for their safety', async ({
      page,
      account,
    }) => {
      await account.login(page, await account.register())
      await noteSaid(page)
      await page.goto('/fitur/account')
      await expect(addButton(page)).toBeVisible()

      await test.step('the tips: beside the tabs on a desk, below them on a phone', async () => {
        const tips = page.getByRole('region', { name: 'Tips keamanan' })
        await expect(tips).toBeVisible()
        expect(await tips.getByRole('listitem').count()).toBeGreaterThanOrEqual(3)
        const [form, panel] = await Promise.all([page.getByRole('tablist').boundingBox(), tips.boundingBox()])
        if (device === 'desktop') expect(panel?.x).toBeGreaterThan((form?.x ?? 0) + (form?.width ?? 0))
        else expect(panel?.y).toBeGreaterThan(form?.y ?? 0)
      })

      await test.step('nothing is there at first', async () => {
        await tab(page, 'Bigo').click()
        await expect(page.getByText('No accounts found. Add one to get started.', { exact: true })).toBeVisible()
        await expectSaid(page, 'Anda belum memasukan akun bigo.')
      })

      await test.step('adding clears the form and reloads', async () => {
        await add(page, 'Bigo', '784512', 'Panggung Rina')
        await expectSaid(page, 'Akun berhasil ditambahkan.')
        await expect(credential(page)).toHaveValue('')
        await expect(name(page)).toHaveValue('')
        // As long and as odd as the rules allow.
        await add(page, 'Bigo', `https://www.bigo.tv/${'x'.repeat(64)}`, `ليلى 🌸 ${'n'.repeat(50)}`)
        await expect(credential(page)).toHaveValue('')
        await add(page, 'TikTok', TOKEN, 'Toko Kopi')
        await expect(credential(page)).toHaveValue('')
      })

      await test.step('what the server refuses is said in its words, and what was typed stays', async () => {
        await add(page, 'Bigo', '784512', 'Dua')
        await expectSaid(page, 'Akun ini sudah ada di daftar Anda.', 'alert')
        await expect(name(page)).toHaveValue('Dua')
        await credential(page).fill('dua kata')
        await addButton(page).click()
        await expect(page.getByText('Id Bigo tidak valid. Salin Id dari profil Bigo, tanpa spasi.')).toBeVisible()
        await expect(credential(page)).toHaveAttribute('aria-invalid', 'true')
        await credential(page).fill('dua.kata')
        await expect(credential(page)).not.toHaveAttribute('aria-invalid')
      })

      await test.step('Bigo shows its ids', async () => {
        await tab(page, 'Bigo').click()
        await expectSaid(page, 'Ditemukan akun bigo 2.')
        await expect(page.getByText('2 akun', { exact: true })).toBeVisible()
        await expect(rows(page, 'Bigo')).toHaveCount(2)
        await expect(rows(page, 'Bigo').nth(0)).toContainText('Panggung Rina')
        await expect(rows(page, 'Bigo').nth(0)).toContainText('784512')
        await expect(rows(page, 'Bigo').nth(1)).toContainText('x'.repeat(64))
        await expectNoSidewaysScroll(page)
      })

      await test.step('TikTok masks its tokens', async () => {
        await tab(page, 'TikTok').click()
        await expectSaid(page, 'Ditemukan akun tiktok 1.')
        await expect(page.getByText('1 akun', { exact: true })).toBeVisible()
        await expect(rows(page, 'TikTok').getByText('••••••••abcd', { exact: true })).toBeVisible()
        await expect(page.locator('body')).not.toContainText(TOKEN)
      })

      await test.step('deleting asks first', async () => {
        await tab(page, 'Bigo').click()
        const bin = page.getByRole('button', { name: 'Hapus Panggung Rina' })
        await bin.click()
        await expect(
          dialog(page).getByText('Are you sure you want to delete this account?', { exact: true }),
        ).toBeVisible()
        await dialog(page).getByRole('button', { name: 'Batal' }).click()
        await expect(dialog(page)).toHaveCount(0)
        await expect(rows(page, 'Bigo')).toHaveCount(2)
        await bin.click()
        await dialog(page).getByRole('button', { name: 'Hapus' }).click()
        await expectSaid(page, 'Akun berhasil dihapus.')
        await expect(rows(page, 'Bigo')).toHaveCount(1)
        await expect(page.getByText('1 akun', { exact: true })).toBeVisible()
      })

      await test.step('and what is left is still there after a reload', async () => {
        await page.reload()
        await tab(page, 'Bigo').click()
        await expect(rows(page, 'Bigo')).toHaveCount(1)
        await expect(rows(page, 'Bigo')).toContainText('x'.repeat(64))
      })
    })
  })
}
