import { createHmac } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { type ReceivedWebhook, startWebhookReceiver, type WebhookReceiver } from '@siarin/testkit/webhook-receiver'
import { faults } from '../support/axe.ts'
import { DEVICES } from '../support/devices.ts'
import { test as enforcedTest } from '../support/enforced-plans.ts'
import { test as base, expect } from '../support/fixtures.ts'
import { atEachSize, expectNoSidewaysScroll } from '../support/layout.ts'
import { uploadByApi } from '../support/videos-by-api.ts'

const test = base.extend<{ receiver: WebhookReceiver }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern
  receiver: async ({}, use) => {
    const receiver = await startWebhookReceiver()
    await use(receiver)
    await receiver.dispose()
  },
})

const dialog = (page: Page): Locator => page.getByRole('dialog')
const row = (page: Page): Locator => page.getByRole('list', { name: 'Webhook Anda' }).locator('> li')
const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true })
const log = (page: Page): Locator => page.getByRole('list', { name: 'Kiriman ke Bot malam' }).locator('> li')

/** As Standard Webhooks has it, written here once more: the receiver's side of it. */
function isSigned({ id, headers, body }: ReceivedWebhook, secret: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${headers['webhook-timestamp']}.${body}`).digest('base64')
  return headers['webhook-signature']?.split(' ').includes(`v1,${signature}`) ?? false
}

/** The secret of the dialog that shows it; afterwards nothing on the page has it. */
async function takeSecret(page: Page): Promise<string> {
  const secret = await dialog(page).getByRole('textbox', { name: 'Signing secret' }).inputValue()
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{40,}=*$/)
  expect(await faults(page)).toEqual([])
  await dialog(page).getByRole('button', { name: 'Sudah saya simpan' }).click()
  await expect(dialog(page)).toHaveCount(0)
  expect(await page.content()).not.toContain(secret)
  return secret
}

for (const { device, use } of DEVICES) {
  test.describe(device, () => {
    test.use(use)

    test('[HOOK-01] [HOOK-02] [HOOK-04] a webhook is created, its secret shown once, a test and an event arrive signed, are seen in the log and sent again; the secret is changed', async ({
      page,
      account,
      clip,
      receiver,
    }) => {
      const { user } = await account.login(page, await account.register())
      await page.goto('/fitur')
      await page.getByRole('main').getByRole('link', { name: 'Webhook' }).click()
      await expect(page.getByRole('heading', { level: 1, name: 'Webhook' })).toBeVisible()
      let secret = ''

      await test.step('the form says what is missing, and what is typed stays', async () => {
        await button(page, 'Buat webhook pertama').click()
        await dialog(page).getByRole('button', { name: 'Kosongkan Siaran' }).click()
        await button(page, 'Buat webhook').click()
        await expect(dialog(page).getByText('Isi alamat webhook.')).toBeVisible()
        await expect(dialog(page).getByText('Pilih paling sedikit satu kejadian.')).toBeVisible()
        await dialog(page).getByLabel('Alamat').fill('bukan-alamat')
        await dialog(page).getByLabel('Keterangan').fill('Bot malam')
        await dialog(page)
          .getByRole('checkbox', { name: /^Video siap/ })
          .check()
        await button(page, 'Buat webhook').click()
        await expect(dialog(page).getByText('Alamat webhook tidak valid')).toBeVisible()
        expect(await faults(page)).toEqual([])
      })

      await test.step('the secret is shown once', async () => {
        await dialog(page).getByLabel('Alamat').fill(receiver.urlOf('bot'))
        await button(page, 'Buat webhook').click()
        await expect(dialog(page).getByText('Hanya ditampilkan sekali.')).toBeVisible()
        secret = await takeSecret(page)
        await expect(row(page)).toContainText('Bot malam')
        await expect(row(page)).toContainText('Video siap')
        await expect(row(page).getByText('Aktif', { exact: true })).toBeVisible()
      })

      await test.step('a test arrives with its signature, and the answer is seen', async () => {
        receiver.answer('bot', { status: 200, body: 'diterima-oleh-bot' })
        await button(page, 'Kirim tes ke Bot malam').click()
        const [first] = await receiver.got('bot', 1)
        expect(first && [first.type, isSigned(first, secret)]).toEqual(['webhook.test', true])
        await expect(row(page).getByRole('status')).toContainText('Penerima menjawab 200.')
        await expect(row(page).getByRole('region', { name: 'Jawaban' })).toContainText('diterima-oleh-bot')
        expect(await row(page).getByRole('region', { name: 'Permintaan' }).textContent()).not.toContain(
          'webhook-signature',
        )
      })

      await test.step('what really happens arrives too, and stands in the log', async () => {
        await uploadByApi(page.request, user, await clip('kebun.mp4', { seconds: 3 }))
        const [, ready] = await receiver.got('bot', 2)
        expect(ready && [ready.type, isSigned(ready, secret)]).toEqual(['video.ready', true])
        await page.getByRole('button', { name: /^Catatan kiriman/ }).click()
        await expect(log(page)).toHaveCount(2)
        await expect(log(page).first()).toContainText('Video siap')
        await log(page)
          .first()
          .getByRole('button', { name: /^Video siap/ })
          .click()
        await expect(log(page).first().getByRole('region', { name: 'Permintaan' })).toContainText(
          '"type": "video.ready"',
        )
        await expect(log(page).first().getByRole('region', { name: 'Jawaban' })).toContainText('diterima-oleh-bot')
        await expectNoSidewaysScroll(page)
        expect(await faults(page)).toEqual([])
      })

      await test.step('it is sent again, as the same one', async () => {
        receiver.answer('bot', { status: 202, body: 'sudah-pernah' })
        await button(page, 'Kirim ulang Video siap').click()
        const [, ready, again] = await receiver.got('bot', 3)
        expect(again && [again.id, again.body, isSigned(again, secret)]).toEqual([ready?.id, ready?.body, true])
        await expect(log(page).first()).toContainText('Sampai · 202')
        await expect(log(page).first().getByRole('region', { name: 'Jawaban' })).toContainText('sudah-pernah')
      })

      await test.step('the secret is changed: both sign for a day', async () => {
        await button(page, 'Ganti secret Bot malam').click()
        await expect(page.getByRole('alertdialog')).toContainText('24 jam')
        await page.getByRole('alertdialog').getByRole('button', { name: 'Ganti secret' }).click()
        await expect(dialog(page)).toContainText('Secret lama masih ikut menandatangani sampai')
        const next = await takeSecret(page)
        await button(page, 'Kirim tes ke Bot malam').click()
        const received = (await receiver.got('bot', 4)).at(-1)
        expect(next).not.toBe(secret)
        expect(received && [isSigned(received, next), isSigned(received, secret)]).toEqual([true, true])
      })

      await test.step('a receiver that is gone switches it off, which is said with the way out', async () => {
        receiver.answer('bot', 410)
        await button(page, 'Kirim ulang Video siap').click()
        await expect(row(page)).toContainText('Penerima menjawab 410 (sudah tidak ada), jadi webhook dimatikan.')
        await expect(row(page).getByText('Dimatikan', { exact: true })).toBeVisible()
        receiver.answer('bot', 204)
        await button(page, 'Aktifkan Bot malam').click()
        await expect(row(page).getByText('Aktif', { exact: true })).toBeVisible()
        await button(page, 'Jeda Bot malam').click()
        await expect(row(page).getByText('Dijeda', { exact: true })).toBeVisible()
      })

      await test.step('it is changed and deleted', async () => {
        await button(page, 'Ubah Bot malam').click()
        await dialog(page).getByLabel('Keterangan').fill('Bot pagi')
        await dialog(page).getByRole('button', { name: 'Simpan' }).click()
        await expect(row(page)).toContainText('Bot pagi')
        await button(page, 'Hapus Bot pagi').click()
        await page.getByRole('alertdialog').getByRole('button', { name: 'Hapus' }).click()
        await expect(page.getByText('Belum ada webhook.')).toBeVisible()
      })
    })
  })
}

enforcedTest('[HOOK-06] a plan without webhooks says so calmly, with the way up', async ({ page, account }) => {
  await account.login(page, await account.register())
  await page.goto('/fitur/webhook')
  const note = page.getByRole('note')
  await expect(note).toContainText('Paket Free Trial belum punya webhook. Upgrade ke Creator Pro')
  await expect(note.getByRole('link', { name: 'Lihat paket' })).toHaveAttribute('href', '/profile/plan')
  await expect(page.getByRole('button', { name: /^Buat webhook/ })).toHaveCount(0)
  await atEachSize(page, async () => expect(await faults(page)).toEqual([]))
})
