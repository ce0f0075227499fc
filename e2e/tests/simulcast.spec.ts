import type { Locator, Page } from '@playwright/test'
import type { SessionUser } from '@siarin/contracts/auth'
import { faults } from '../support/axe.ts'
import { newName, openGo, PATIENT, stop, streams, tab, word } from '../support/broadcasts.ts'
import { DEVICES } from '../support/devices.ts'
import { test as enforced } from '../support/enforced-plans.ts'
import { expect, test } from '../support/fixtures.ts'
import { expectNoSidewaysScroll } from '../support/layout.ts'
import { message, openLiveWith } from '../support/live-screen.ts'

const VIDEO = 'senja.mp4'
/** Nothing listens there. */
const NOBODY = 'rtmp://127.0.0.1:9/live'

/** Stored targets by their names: where they lead, with the key at the end. */
async function storeTargets(page: Page, { apiKey }: SessionUser, targets: Record<string, string>): Promise<void> {
  for (const [name, key] of Object.entries(targets)) {
    const answer = await page.request.post('/fitur/target', {
      headers: { 'X-API-Key': apiKey },
      data: { name, platform: 'lain', key },
    })
    expect(answer.ok(), await answer.text()).toBe(true)
  }
}

const saved = (page: Page): Locator => page.getByRole('group', { name: 'Tujuan tersimpan' })
const box = (page: Page, name: string): Locator => saved(page).getByRole('checkbox', { name })
const key = (page: Page): Locator => page.getByLabel('RTMP/stream key')
const go = (page: Page): Locator => page.getByRole('button', { name: 'Go Live' })
const group = (page: Page): Locator => streams(page).filter({ has: page.getByRole('heading', { name: VIDEO }) })
const targetRows = (page: Page): Locator =>
  group(page)
    .getByRole('list', { name: `Tujuan ${VIDEO}` })
    .locator('> li')
const targetRow = (page: Page, name: string): Locator => targetRows(page).filter({ hasText: name })
const dialog = (page: Page): Locator => page.getByRole('dialog')

for (const { device, use } of DEVICES) {
  test.describe(`on a ${device}`, () => {
    test.use(use)

    test('[TGT-01] [TGT-03] one Go Live goes to all that are ticked; each is stopped alone or with the others, and more are added', async ({
      page,
      account,
      clip,
      rtmp,
    }) => {
      const [pagi, malam, kabel, ketik] = [newName(), newName(), newName(), newName()]
      const user = await openLiveWith(page, account, [await clip(VIDEO, { seconds: 3 })])

      await test.step('without stored targets the form is as it always was', async () => {
        await openGo(page, VIDEO)
        await expect(key(page)).toBeVisible()
        await expect(saved(page)).toHaveCount(0)
      })

      await test.step('what is typed is saved as a target, which is ticked then', async () => {
        await page.getByLabel('Platform').selectOption({ label: 'Lainnya' })
        await expect(page.getByRole('button', { name: 'Simpan sebagai tujuan' })).toHaveCount(0)
        await key(page).fill(`${rtmp.url}/${pagi}`)
        await page.getByRole('button', { name: 'Simpan sebagai tujuan' }).click()
        await dialog(page).getByRole('button', { name: 'Simpan' }).click()
        await expect(dialog(page).getByText('Isi nama tujuan.')).toBeVisible()
        await dialog(page).getByLabel('Nama').fill('Kanal pagi')
        await dialog(page).getByRole('button', { name: 'Simpan' }).click()
        await expect(dialog(page)).toHaveCount(0)
        await expect(box(page, 'Kanal pagi')).toBeChecked()
        // The form needs no other target, and folds its fields away.
        await expect(key(page)).toHaveCount(0)
        await expect(go(page)).toBeFocused()
        // Nothing went on air by it.
        expect(await rtmp.publisher(pagi)).toBeFalsy()
      })

      await storeTargets(page, user, {
        'Kanal malam': `${rtmp.url}/${malam}`,
        'Kanal putus': `${NOBODY}/${newName()}`,
        'Kanal kabel': `${rtmp.url}/${kabel}`,
      })

      await test.step('a refusal is said in the form, which keeps what was typed and ticked', async () => {
        await openGo(page, VIDEO)
        await expect(saved(page).getByRole('checkbox')).toHaveCount(4)
        await box(page, 'Kanal malam').check()
        await box(page, 'Kanal putus').check()
        await expect(saved(page)).toContainText('Siaran dikirim ke 3 tujuan sekaligus.')
        await page.getByRole('button', { name: 'Kirim juga ke tujuan lain' }).click()
        await key(page).fill(`${rtmp.url}/${malam}`)
        await expect(saved(page)).toContainText('Siaran dikirim ke 4 tujuan: yang dicentang dan yang diisi di bawah.')
        await go(page).click()
        await expect(message(page)).toHaveText(/^Error: Tujuan yang sama dipilih dua kali\./)
        await expect(page.getByText(/^Belum tayang\. Tujuan yang sama dipilih dua kali\./)).toBeVisible()
        await expect(key(page)).toHaveValue(`${rtmp.url}/${malam}`)
        for (const name of ['Kanal pagi', 'Kanal malam', 'Kanal putus']) await expect(box(page, name)).toBeChecked()
        await expect(box(page, 'Kanal kabel')).not.toBeChecked()
        expect(await faults(page)).toEqual([])
        await expectNoSidewaysScroll(page)
      })

      await test.step('one press sends to the ticked ones and to the typed one', async () => {
        await key(page).fill(`${rtmp.url}/${ketik}`)
        const sent = page.waitForRequest('**/fitur/broadcast')
        await go(page).click()
        const { source, looping, targets } = (await sent).postDataJSON()
        expect({ source, looping, targets }).toEqual({
          source: VIDEO,
          looping: true,
          targets: [
            ...Array.from({ length: 3 }, () => ({ targetId: expect.any(String), rtmpStream: '' })),
            { platform: 'lain', rtmpStream: `${rtmp.url}/${ketik}` },
          ],
        })
        await expect(message(page)).toHaveText('Siaran dimulai ke 4 tujuan.')
        await Promise.all(
          [pagi, malam, ketik].map((name) => rtmp.waitForPublisher(name, { growing: true, ...PATIENT })),
        )
      })

      await test.step('they stand under one heading, each with its own state; one that fails harms no other', async () => {
        await tab(page, 'Live').click()
        await expect(group(page)).toHaveCount(1)
        await expect(targetRows(page)).toHaveCount(4)
        for (const name of ['Kanal pagi', 'Kanal malam']) {
          await expect(word(targetRow(page, name), 'Tayang')).toBeVisible({ timeout: 60_000 })
        }
        await expect(word(targetRow(page, 'Kanal putus'), 'Menyambung ulang')).toBeVisible({ timeout: 60_000 })
        await expect(targetRow(page, 'Kanal putus')).toContainText('Server platform tidak bisa dihubungi.')
        await expect(group(page)).toContainText('4 tujuan, 3 tayang')
        expect(await faults(page)).toEqual([])
        await expectNoSidewaysScroll(page)
      })

      const untouched = await rtmp.waitForPublisher(malam, { growing: true, ...PATIENT })

      await test.step('one is taken away, and the others go on', async () => {
        await targetRow(page, 'Kanal pagi').getByRole('button', { name: 'Stop Kanal pagi' }).click()
        await expect(page.getByRole('alertdialog')).toContainText(
          'Siaran ke Kanal pagi berhenti. Tujuan lainnya tetap tayang.',
        )
        await page.getByRole('alertdialog').getByRole('button', { name: 'Hentikan' }).click()
        await expect(targetRow(page, 'Kanal pagi')).toHaveCount(0)
        await rtmp.waitForNoPublisher(pagi, PATIENT)
        await expect(targetRows(page)).toHaveCount(3)
      })

      await test.step('others are added to what is on air', async () => {
        await group(page).getByRole('button', { name: 'Tambah tujuan' }).click()
        await expect(dialog(page).getByRole('checkbox')).toHaveCount(2)
        await expect(dialog(page).getByRole('button', { name: 'Tambahkan' })).toBeDisabled()
        await dialog(page).getByRole('checkbox', { name: 'Kanal kabel' }).check()
        expect(await faults(page)).toEqual([])
        await dialog(page).getByRole('button', { name: 'Tambahkan' }).click()
        await expect(message(page)).toHaveText('1 tujuan ditambahkan.')
        await expect(dialog(page)).toHaveCount(0)
        await expect(word(targetRow(page, 'Kanal kabel'), 'Tayang')).toBeVisible({ timeout: 60_000 })
        await rtmp.waitForPublisher(kabel, { growing: true, ...PATIENT })
        expect((await rtmp.publisher(malam))?.id).toBe(untouched.id)
      })

      await test.step('all are stopped at once, after a question', async () => {
        await group(page).getByRole('button', { name: 'Hentikan semua' }).click()
        await page.getByRole('alertdialog').getByRole('button', { name: 'Batal' }).click()
        await expect(targetRows(page)).toHaveCount(4)
        await group(page).getByRole('button', { name: 'Hentikan semua' }).click()
        await page.getByRole('alertdialog').getByRole('button', { name: 'Hentikan semua' }).click()
        await expect(page.getByText('Tidak ada live stream yang aktif saat ini.')).toBeVisible()
        await Promise.all([malam, kabel, ketik].map((name) => rtmp.waitForNoPublisher(name, PATIENT)))
      })
    })
  })
}

test('[TGT-03] a broadcast to one target is one row, and becomes a group with the second @long', async ({
  page,
  account,
  clip,
  rtmp,
}) => {
  const [pagi, malam] = [newName(), newName()]
  const user = await openLiveWith(page, account, [await clip(VIDEO, { seconds: 3 })])
  await storeTargets(page, user, { 'Kanal pagi': `${rtmp.url}/${pagi}`, 'Kanal malam': `${rtmp.url}/${malam}` })
  await openGo(page, VIDEO)
  await box(page, 'Kanal pagi').check()
  await go(page).click()
  await expect(message(page)).toHaveText('Siaran langsung dimulai!')
  await tab(page, 'Live').click()
  const row = streams(page).first()
  await expect(word(row, 'Tayang')).toBeVisible({ timeout: 60_000 })
  await expect(word(row, 'Kanal pagi')).toBeVisible()
  await expect(group(page)).toHaveCount(0)

  await test.step('a key that is in use elsewhere is refused where it was asked', async () => {
    await page.route('**/fitur/broadcast/*/targets', (route) =>
      route.fulfill({ status: 409, json: { success: false, message: 'Siaran ke tujuan ini sudah berjalan.' } }),
    )
    await row.getByRole('button', { name: 'Tambah tujuan' }).click()
    await dialog(page).getByRole('checkbox', { name: 'Kanal malam' }).check()
    await dialog(page).getByRole('button', { name: 'Tambahkan' }).click()
    await expect(dialog(page).getByRole('alert')).toHaveText('Siaran ke tujuan ini sudah berjalan.')
    await expect(dialog(page).getByRole('checkbox', { name: 'Kanal malam' })).toBeChecked()
    await page.unroute('**/fitur/broadcast/*/targets')
  })

  await dialog(page).getByRole('button', { name: 'Tambahkan' }).click()
  await expect(targetRows(page)).toHaveCount(2)
  await expect(group(page).getByRole('button', { name: 'Tambah tujuan' })).toBeFocused()
  await rtmp.waitForPublisher(malam, { growing: true, ...PATIENT })

  await test.step('with the first taken away it is one row again, with its own Stop', async () => {
    await stop(page, targetRow(page, 'Kanal pagi'))
    await expect(group(page)).toHaveCount(0)
    await expect(word(row, 'Kanal malam')).toBeVisible()
    await rtmp.waitForNoPublisher(pagi, PATIENT)
    await stop(page, row)
    await expect(page.getByText('Tidak ada live stream yang aktif saat ini.')).toBeVisible()
  })
})

enforced(
  '[TGT-03] each target counts against the plan, and a refusal keeps the ticks',
  async ({ page, account, clip, rtmp }) => {
    const user = await openLiveWith(page, account, [await clip(VIDEO, { seconds: 3 })])
    await storeTargets(page, user, { Satu: `${rtmp.url}/${newName()}`, Dua: `${rtmp.url}/${newName()}` })
    await openGo(page, VIDEO)
    await box(page, 'Satu').check()
    await box(page, 'Dua').check()
    await go(page).click()
    await expect(page.getByText(/^Belum tayang\. .*Paket Free Trial mengizinkan 1 siaran bersamaan\./)).toBeVisible()
    await expect(box(page, 'Satu')).toBeChecked()
    await expect(box(page, 'Dua')).toBeChecked()
    await expect(page.getByRole('link', { name: 'Lihat paket' }).first()).toBeVisible()

    await box(page, 'Dua').uncheck()
    await go(page).click()
    await expect(message(page)).toHaveText('Siaran langsung dimulai!')
    await tab(page, 'Live').click()
    await stop(page, streams(page).first())
  },
)
