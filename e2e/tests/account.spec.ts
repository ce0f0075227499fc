import type { Locator, Page, Route } from '@playwright/test'
import type { Account } from '../support/account.ts'
import { holdCalls } from '../support/calls.ts'
import { holdClock, untilHeld } from '../support/clock.ts'
import { DEVICES } from '../support/devices.ts'
import { expect, test } from '../support/fixtures.ts'
import { expectNoSidewaysScroll } from '../support/layout.ts'

const TOKEN = 'slobs-9f8e7d6c5b4a39281706abcd'

const tab = (page: Page, name: string): Locator => page.getByRole('tab', { name, exact: true })
const platform = (page: Page): Locator => page.getByLabel('Platform')
const credential = (page: Page): Locator => page.getByLabel(/^(Id Bigo|Token TikTok)$/)
const name = (page: Page): Locator => page.getByLabel('Account Name')
const addButton = (page: Page): Locator => page.getByRole('button', { name: 'Add Account' })
const rows = (page: Page, kind: string): Locator =>
  page.getByRole('list', { name: `Akun ${kind}` }).getByRole('listitem')
const message = (page: Page): Locator => page.getByTestId('message')
/** Keeps what the message said last: a busy machine may look only when its three seconds are over. */
const KEEP_SAID = `
  globalThis.said = ''
  new MutationObserver(() => {
    const place = document.querySelector('[data-testid="message"]')
    if (place?.textContent) said = place.role + ': ' + place.textContent
  }).observe(document, { subtree: true, childList: true, characterData: true })`

const expectSaid = (page: Page, text: string, role = 'status'): Promise<void> =>
  expect.poll(() => page.evaluate('said')).toBe(`${role}: ${text}`)

const dialog = (page: Page): Locator => page.getByRole('alertdialog')
const none = (page: Page): Locator => page.getByText('No accounts found. Add one to get started.', { exact: true })

async function openAccounts(page: Page, account: Account): Promise<void> {
  await account.login(page, await account.register())
  await page.addInitScript(KEEP_SAID)
  await page.goto('/fitur/account')
  await expect(addButton(page)).toBeVisible()
}

async function add(page: Page, kind: 'Bigo' | 'TikTok', id: string, title: string): Promise<void> {
  await tab(page, 'Add Account').click()
  await platform(page).selectOption({ label: kind })
  await credential(page).fill(id)
  await name(page).fill(title)
  await addButton(page).click()
}

const refuse = (body: object) => (route: Route) => route.fulfill({ status: 200, json: { success: false, ...body } })

for (const { device, use } of DEVICES) {
  test.describe(device, () => {
    test.use(use)

    test('[ACC-01] the Add tab has its fields, and its button waits for both of them', async ({ page, account }) => {
      await openAccounts(page, account)
      for (const each of ['Add Account', 'Bigo', 'TikTok']) await expect(tab(page, each)).toBeVisible()
      await expect(tab(page, 'Add Account')).toHaveAttribute('aria-selected', 'true')
      await expect(platform(page).locator('option')).toHaveText(['Bigo', 'TikTok'])
      await expect(page.getByLabel('Id Bigo')).toBeVisible()
      await platform(page).selectOption({ label: 'TikTok' })
      await expect(page.getByLabel('Token TikTok')).toBeVisible()
      await expect(page.getByLabel('Id Bigo')).toHaveCount(0)

      await expect(addButton(page)).toBeDisabled()
      await credential(page).fill(TOKEN)
      await expect(addButton(page)).toBeDisabled()
      await name(page).fill('   ')
      await expect(addButton(page)).toBeDisabled()
      await name(page).fill('Toko Kopi')
      await expect(addButton(page)).toBeEnabled()

      const answer = await holdCalls(page, '**/fitur/tiktok/add')
      await addButton(page).click()
      await expect(addButton(page)).toBeDisabled()
      await expect(addButton(page).getByTestId('spinner')).toBeVisible()
      answer()
      await expectSaid(page, 'Akun berhasil ditambahkan.')
    })

    test('[ACC-02] [ACC-03] accounts are added, counted, listed and deleted after a question', async ({
      page,
      account,
    }) => {
      await openAccounts(page, account)
      await tab(page, 'Bigo').click()
      await expect(none(page)).toBeVisible()
      await expectSaid(page, 'Anda belum memasukan akun bigo.')

      await test.step('adding clears the form and reloads', async () => {
        await add(page, 'Bigo', '784512', 'Panggung Rina')
        await expectSaid(page, 'Akun berhasil ditambahkan.')
        await expect(credential(page)).toHaveValue('')
        await expect(name(page)).toHaveValue('')
        await add(page, 'Bigo', 'https://www.bigo.tv/laila.live', 'ليلى 🌸')
        await expectSaid(page, 'Akun berhasil ditambahkan.')
        await expect(credential(page)).toHaveValue('')
        await add(page, 'TikTok', TOKEN, 'Toko Kopi')
        await expect(credential(page)).toHaveValue('')
      })

      await test.step('Bigo shows its ids', async () => {
        await tab(page, 'Bigo').click()
        await expectSaid(page, 'Ditemukan akun bigo 2.')
        await expect(page.getByText('2 akun', { exact: true })).toBeVisible()
        await expect(rows(page, 'Bigo')).toHaveCount(2)
        await expect(rows(page, 'Bigo').nth(0)).toContainText('Panggung Rina')
        await expect(rows(page, 'Bigo').nth(0)).toContainText('784512')
        await expect(rows(page, 'Bigo').nth(1)).toContainText('laila.live')
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
        await expect(rows(page, 'Bigo')).toContainText('laila.live')
      })
    })

    test('[ACC-03] what the server refuses is said in its words, and what was typed stays', async ({
      page,
      account,
    }) => {
      await openAccounts(page, account)
      await add(page, 'Bigo', '77', 'Satu')
      await expect(credential(page)).toHaveValue('')
      await add(page, 'Bigo', '77', 'Dua')
      await expectSaid(page, 'Akun ini sudah ada di daftar Anda.', 'alert')
      await expect(name(page)).toHaveValue('Dua')

      await credential(page).fill('dua kata')
      await addButton(page).click()
      await expect(page.getByText('Id Bigo tidak valid. Salin Id dari profil Bigo, tanpa spasi.')).toBeVisible()
      await expect(credential(page)).toHaveAttribute('aria-invalid', 'true')
      await credential(page).fill('dua.kata')
      await expect(credential(page)).not.toHaveAttribute('aria-invalid')
    })

    test('[ACC-03] each call has its sentence for a refusal without a word and for a failure', async ({
      page,
      account,
    }) => {
      await openAccounts(page, account)
      await add(page, 'Bigo', '784512', 'Panggung Rina')
      await expectSaid(page, 'Akun berhasil ditambahkan.')

      for (const [handler, text] of [
        [refuse({}), 'Gagal menambahkan akun.'],
        [refuse({ message: 'Bigo sedang tutup.' }), 'Bigo sedang tutup.'],
        [(route: Route) => route.abort(), 'Terjadi kesalahan saat menambahkan akun.'],
      ] as const) {
        await page.route('**/fitur/bigo/add', handler)
        await add(page, 'Bigo', '99', 'Lain')
        await expectSaid(page, text, 'alert')
        await page.unroute('**/fitur/bigo/add')
      }

      await tab(page, 'Bigo').click()
      for (const [handler, text] of [
        [refuse({}), 'Gagal menghapus akun.'],
        [(route: Route) => route.abort(), 'Terjadi kesalahan saat menghapus akun.'],
      ] as const) {
        await page.route('**/fitur/bigo/*-*', handler)
        await page.getByRole('button', { name: 'Hapus Panggung Rina' }).click()
        await dialog(page).getByRole('button', { name: 'Hapus' }).click()
        await expectSaid(page, text, 'alert')
        await page.unroute('**/fitur/bigo/*-*')
      }
      await expect(rows(page, 'Bigo')).toHaveCount(1)

      for (const [handler, text] of [
        [refuse({}), 'Gagal mengambil data akun.'],
        [(route: Route) => route.abort(), 'Terjadi kesalahan saat mengambil akun.'],
      ] as const) {
        await page.route('**/fitur/tiktok/accounts', handler)
        await tab(page, 'TikTok').click()
        await expectSaid(page, text, 'alert')
        await expect(page.getByRole('tabpanel').getByText(text, { exact: true })).toBeVisible()
        await page.unroute('**/fitur/tiktok/accounts')
        await tab(page, 'Add Account').click()
      }
      await tab(page, 'TikTok').click()
      await expect(none(page)).toBeVisible()
    })

    test('[ACC-03] a list that cannot be had can be asked for again', async ({ page, account }) => {
      await openAccounts(page, account)
      await page.route('**/fitur/bigo/accounts', (route) => route.abort())
      await tab(page, 'Bigo').click()
      await page.getByRole('button', { name: 'Coba lagi' }).waitFor()
      await page.unroute('**/fitur/bigo/accounts')
      await page.getByRole('button', { name: 'Coba lagi' }).click()
      await expect(none(page)).toBeVisible()
      await page.getByRole('tabpanel').getByRole('button', { name: 'Add Account' }).click()
      await expect(tab(page, 'Add Account')).toHaveAttribute('aria-selected', 'true')
    })

    test('[ACC-03] a message stays 3 s, and one that takes its place has its own 3 s', async ({ page, account }) => {
      await openAccounts(page, account)
      await holdClock(page)
      const says = (kind: string) => () =>
        expect(message(page)).toHaveText(`Anda belum memasukan akun ${kind}.`, { timeout: 1000 })
      await tab(page, 'Bigo').click()
      await untilHeld(page, says('bigo'))
      await page.clock.runFor(2000)
      await tab(page, 'TikTok').click()
      await untilHeld(page, says('tiktok'))
      await page.clock.runFor(2800)
      await says('tiktok')()
      await page.clock.runFor(300)
      await expect(message(page)).toHaveText('')
    })

    test('[ACC-04] a side panel gives security tips', async ({ page, account }) => {
      await openAccounts(page, account)
      const tips = page.getByRole('region', { name: 'Tips keamanan' })
      await expect(tips).toBeVisible()
      expect(await tips.getByRole('listitem').count()).toBeGreaterThanOrEqual(3)
      const [form, panel] = await Promise.all([page.getByRole('tablist').boundingBox(), tips.boundingBox()])
      // Beside the tabs on a desk, below them on a phone.
      if (device === 'desktop') expect(panel?.x).toBeGreaterThan((form?.x ?? 0) + (form?.width ?? 0))
      else expect(panel?.y).toBeGreaterThan(form?.y ?? 0)
    })

    test('[ACC-05] entries without platform, id, name or auth are dropped; no list at all is said', async ({
      page,
      account,
    }) => {
      await openAccounts(page, account)
      const whole = { platform: 'bigo', account_id: 'a1', name: 'Utuh', credentials: { siteId: '1' } }
      const { platform: _p, ...noPlatform } = { ...whole, name: 'Tanpa platform' }
      const { account_id: _i, ...noId } = { ...whole, name: 'Tanpa id' }
      const { name: _n, ...noName } = whole
      const { credentials: _c, ...noAuth } = { ...whole, name: 'Tanpa auth' }
      const long = { ...whole, account_id: 'a2', name: 'n'.repeat(60), credentials: { siteId: 'x'.repeat(64) } }
      const data = [noPlatform, whole, noId, noName, noAuth, { ...whole, credentials: {} }, long]
      await page.route('**/fitur/bigo/accounts', (route) => route.fulfill({ json: { success: true, data } }))
      await tab(page, 'Bigo').click()
      await expect(rows(page, 'Bigo')).toHaveCount(2)
      await expect(rows(page, 'Bigo').nth(0)).toContainText('Utuh')
      await expect(page.getByText('2 akun', { exact: true })).toBeVisible()
      await expectNoSidewaysScroll(page)

      await page.route('**/fitur/tiktok/accounts', (route) => route.fulfill({ json: { success: true, message: 'ok' } }))
      await tab(page, 'TikTok').click()
      await expectSaid(page, 'Tidak ada data akun saat ini.')
      await expect(none(page)).toBeVisible()
    })
  })
}
