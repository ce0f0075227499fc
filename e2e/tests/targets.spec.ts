import { randomBytes } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { faults } from '../support/axe.ts'
import { DEVICES } from '../support/devices.ts'
import { expect, test } from '../support/fixtures.ts'
import { expectNoSidewaysScroll } from '../support/layout.ts'

const rows = (page: Page): Locator => page.getByRole('list', { name: 'Tujuan siaran' }).getByRole('listitem')
const row = (page: Page, name: string): Locator => rows(page).filter({ hasText: name })
const dialog = (page: Page): Locator => page.getByRole('dialog')

async function fill(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await dialog(page).getByLabel(label).fill(value)
}
const save = (page: Page): Promise<void> => dialog(page).getByRole('button', { name: 'Simpan' }).click()

for (const { device, use } of DEVICES) {
  test.describe(device, () => {
    test.use(use)

    test('[TGT-01] [TGT-04] a target is saved once, tested, changed and deleted, and its key is never shown again', async ({
      page,
      account,
      rtmp,
    }) => {
      const key = `kunci-${randomBytes(8).toString('hex')}`
      await account.login(page, await account.register())
      await page.goto('/fitur')
      await page.getByRole('main').getByRole('link', { name: 'Tujuan' }).click()
      await expect(page.getByRole('heading', { level: 1, name: 'Tujuan siaran' })).toBeVisible()

      await test.step('nothing is there at first, and an empty form says what is missing', async () => {
        await page.getByRole('button', { name: 'Tambah tujuan pertama' }).click()
        await save(page)
        await expect(dialog(page).getByText('Isi nama tujuan.')).toBeVisible()
        await expect(dialog(page).getByText('Isi stream key-nya.')).toBeVisible()
      })

      await test.step('one is saved', async () => {
        await dialog(page).getByLabel('Platform').selectOption({ label: 'Lainnya' })
        await fill(page, { Nama: 'Kanal malam', 'Alamat server': 'http://bukan-rtmp', 'Stream key': key })
        await save(page)
        await expect(dialog(page).getByRole('alert')).toContainText('Alamat server tidak valid')
        await expect(dialog(page).getByLabel('Stream key')).toHaveValue(key)
        await fill(page, { 'Alamat server': rtmp.url })
        await save(page)
        await expect(dialog(page)).toHaveCount(0)
        await expect(row(page, 'Kanal malam')).toContainText(`••••${key.slice(-4)}`)
        await expect(row(page, 'Kanal malam')).toContainText('Belum diuji')
      })

      await test.step('a test that is taken says so, and nothing stays on air', async () => {
        await row(page, 'Kanal malam').getByRole('button', { name: 'Uji Kanal malam' }).click()
        await expect(row(page, 'Kanal malam').getByRole('status')).toContainText('Mengirim gambar uji')
        await expect(row(page, 'Kanal malam')).toContainText('Platform menerima siaran uji coba.')
        await expect(row(page, 'Kanal malam').getByText('Diterima')).toBeVisible()
        await rtmp.waitForNoPublisher(key)
      })

      await test.step('another name is free to choose, whatever its length; the same one is not', async () => {
        const long = `🌸 ليلى ${'Panjang'.repeat(7)}`
        await page.getByRole('button', { name: 'Tambah tujuan' }).click()
        await fill(page, { Nama: 'KANAL MALAM', 'Stream key': 'abcd-efgh-ijkl-mnop' })
        await save(page)
        await expect(dialog(page).getByText('Sudah ada tujuan dengan nama ini.')).toBeVisible()
        await fill(page, { Nama: long })
        await save(page)
        await expect(rows(page)).toHaveCount(2)
        await expect(row(page, long)).toContainText('YouTube')
        await expectNoSidewaysScroll(page)
        expect(await faults(page)).toEqual([])
      })

      await test.step('a changed server wants its key again, and a refused key is told in words', async () => {
        await page.getByRole('button', { name: 'Ubah Kanal malam' }).click()
        await expect(dialog(page).getByLabel('Stream key')).toHaveValue('')
        await fill(page, { 'Alamat server': 'rtmp://127.0.0.2/live' })
        await save(page)
        await expect(dialog(page).getByRole('alert')).toContainText('isi lagi stream key-nya')
        await fill(page, { Nama: 'Kanal pagi', 'Alamat server': rtmp.refusingUrl })
        await save(page)
        await expect(row(page, 'Kanal pagi')).toContainText('Belum diuji')
        await row(page, 'Kanal pagi').getByRole('button', { name: 'Uji Kanal pagi' }).click()
        await expect(row(page, 'Kanal pagi').getByText('Ditolak')).toBeVisible()
        await expect(row(page, 'Kanal pagi')).toContainText('Platform menolak stream key')
      })

      await test.step('the address opens the screen, and shows no key', async () => {
        await page.reload()
        await expect(rows(page)).toHaveCount(2)
        expect(await page.content()).not.toContain(key)
      })

      await test.step('it is deleted after a question', async () => {
        await page.getByRole('button', { name: 'Hapus Kanal pagi' }).click()
        await page.getByRole('alertdialog').getByRole('button', { name: 'Hapus' }).click()
        await expect(rows(page)).toHaveCount(1)
      })
    })
  })
}
