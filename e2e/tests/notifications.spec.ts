import { randomBytes, randomInt } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { waitFor } from '@siarin/testkit/wait-for'
import { faults } from '../support/axe.ts'
import { PATIENT } from '../support/broadcasts.ts'
import { DEVICES } from '../support/devices.ts'
import { expect, test } from '../support/fixtures.ts'
import { expectNoSidewaysScroll } from '../support/layout.ts'
import { BOT, type Told } from '../support/told.ts'
import { uploadByApi, videosReady } from '../support/videos-by-api.ts'

const VIDEO = 'kebun.mp4'

const bell = (page: Page): Locator => page.getByRole('banner').getByRole('button', { name: /^Notifikasi/ })
const panel = (page: Page): Locator => page.getByRole('dialog', { name: 'Notifikasi' })
const card = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true })
const dialog = (page: Page): Locator => page.getByRole('dialog')
/** As somebody does who comes back to the tab: the bell looks at once, instead of within half a minute. */
const comeBack = (page: Page): Promise<unknown> => page.evaluate("window.dispatchEvent(new Event('visibilitychange'))")

/** Presses the link of the dialog, as far as Telegram is concerned. */
async function pressStart(page: Page, { telegram, token }: Told, chatId: number): Promise<void> {
  const address = await dialog(page).getByRole('link', { name: 'Buka Telegram' }).getAttribute('href')
  const url = new URL(address ?? '')
  expect(url.origin + url.pathname).toBe(`https://t.me/${BOT}`)
  telegram.write(token, { id: chatId, first_name: 'Rina', username: 'rina' }, `/start ${url.searchParams.get('start')}`)
}

const newChat = (): number => randomInt(10 ** 8, 10 ** 9)

for (const { device, use } of DEVICES) {
  test.describe(device, () => {
    test.use(use)

    test('[ALERT-01] [ALERT-02] [ALERT-05] Telegram is linked and tested; a broadcast that fails is told there and in the bell, and read', async ({
      page,
      account,
      clip,
      rtmp,
      told,
    }) => {
      const { user } = await account.login(page, await account.register())
      const chat = newChat()
      const texts = (): string[] =>
        told.telegram.messages.filter(({ chatId }) => chatId === String(chat)).map(({ text }) => text)

      await test.step('the bell is empty at first, and leads to the settings', async () => {
        await page.goto('/dashboard')
        await bell(page).click()
        await expect(panel(page).getByText('Belum ada kabar.')).toBeVisible()
        expect(await faults(page)).toEqual([])
        await panel(page).getByRole('link', { name: 'Atur notifikasi' }).click()
        await expect(page).toHaveURL('/fitur/notifikasi')
        await expect(panel(page)).toHaveCount(0)
      })

      await test.step('Telegram is linked by a press on Start', async () => {
        await page.getByRole('button', { name: 'Hubungkan Telegram' }).click()
        await expect(dialog(page).getByText('Menunggu Anda menekan Mulai')).toBeVisible()
        expect(await faults(page)).toEqual([])
        await pressStart(page, told, chat)
        await expect(dialog(page).getByText('Telegram terhubung.')).toBeVisible()
        await dialog(page).getByRole('button', { name: 'Selesai' }).click()
        await expect(card(page, 'Telegram').getByRole('heading', { level: 3, name: /Rina/ })).toBeVisible()
        await expect(card(page, 'Telegram').getByText('Aktif', { exact: true })).toBeVisible()
      })

      await test.step('a test is answered in words', async () => {
        await card(page, 'Telegram')
          .getByRole('button', { name: /^Kirim tes/ })
          .click()
        await expect(card(page, 'Telegram').getByRole('status')).toContainText('Pesan uji coba diterima.')
        await expect(card(page, 'Telegram').getByRole('status')).toContainText('200 OK')
        // The bot has greeted the person who pressed Start.
        expect(texts()).toEqual([expect.stringContaining('Terhubung.'), expect.stringContaining('Uji coba notifikasi')])
        await expectNoSidewaysScroll(page)
        expect(await faults(page)).toEqual([])
      })

      // What a broadcast tells does not depend on the screen; the next test has a phone's bell with news in it.
      if (device === 'mobile') return
      await test.step('a broadcast whose key is refused is told in Telegram and in the bell', async () => {
        await uploadByApi(page.request, user, await clip(VIDEO, { seconds: 3 }))
        await videosReady(page.request, user)
        const started = await page.request.post('/fitur/steam/start', {
          headers: { 'X-API-Key': user.apiKey },
          data: { source: VIDEO, platform: 'lain', rtmpStream: `${rtmp.refusingUrl}/kunci`, title: 'Ngaji malam' },
        })
        expect(started.status()).toBe(200)
        await waitFor('the message', async () => texts().length > 2, PATIENT)
        expect(texts().slice(2)).toEqual([expect.stringContaining('Siaran gagal: Ngaji malam')])
        await comeBack(page)
        await expect(bell(page)).toHaveAccessibleName('Notifikasi, 1 belum dibaca')
        await expect(page.getByTestId('news')).toHaveText('Notifikasi baru: Siaran gagal: Ngaji malam')
        await bell(page).click()
        await expect(panel(page).getByRole('listitem')).toContainText(['Siaran gagal: Ngaji malam'])
        expect(await faults(page)).toEqual([])
      })

      await test.step('it is read by a press, and leads to the broadcast', async () => {
        await panel(page).getByRole('button', { name: 'Tandai dibaca: Siaran gagal: Ngaji malam' }).click()
        await expect(bell(page)).toHaveAccessibleName('Notifikasi')
        await panel(page).getByRole('link', { name: 'Siaran gagal: Ngaji malam' }).click()
        await expect(page).toHaveURL(/\/fitur\/siaran\?siaran=/)
        await expect(panel(page)).toHaveCount(0)
        await bell(page).click()
        await panel(page).getByRole('link', { name: 'Lihat semua' }).click()
        await expect(page.getByRole('list', { name: 'Semua kabar' }).getByRole('listitem')).toHaveCount(1)
        expect(await faults(page)).toEqual([])
      })
    })

    test('[ALERT-03] [ALERT-05] a Discord webhook that is gone is said in the app; what goes where, limits and quiet hours are kept', async ({
      page,
      account,
      told,
    }) => {
      await account.login(page, await account.register())
      const id = String(randomInt(10 ** 11, 10 ** 12))
      const address = told.discord.addWebhook(id, randomBytes(40).toString('base64url'))
      await page.goto('/fitur/notifikasi')

      await test.step('an address that is none of Discord’s is refused, and stays typed', async () => {
        await page.getByRole('button', { name: 'Hubungkan Discord' }).click()
        await dialog(page).getByLabel('URL webhook').fill('https://example.com/api/webhooks/1/x')
        await dialog(page).getByRole('button', { name: 'Hubungkan' }).click()
        await expect(dialog(page).getByRole('alert')).toContainText('Tempel alamat webhook Discord')
        await dialog(page).getByLabel('URL webhook').fill(address)
        await dialog(page).getByLabel('Nama').fill('Kanal staf')
        expect(await faults(page)).toEqual([])
        await dialog(page).getByRole('button', { name: 'Hubungkan' }).click()
        await expect(card(page, 'Discord').getByRole('heading', { level: 3, name: 'Kanal staf' })).toBeVisible()
        expect(await page.content()).not.toContain(address.split('/').at(-1))
      })

      await test.step('once it is gone, a test says so, the card and the bell too', async () => {
        const test = card(page, 'Discord').getByRole('button', { name: 'Kirim tes ke Kanal staf' })
        await test.click()
        await expect(card(page, 'Discord').getByRole('status')).toContainText('Pesan uji coba diterima.')
        told.discord.removeWebhook(id)
        await test.click()
        await expect(card(page, 'Discord').getByText('Terputus', { exact: true })).toBeVisible()
        await expect(card(page, 'Discord').getByRole('status')).toContainText('jadi kami matikan')
        await expect(bell(page)).toHaveAccessibleName('Notifikasi, 1 belum dibaca')
        await bell(page).click()
        await expect(panel(page).getByRole('listitem')).toContainText(['Saluran dimatikan: Kanal staf'])
        expect(await faults(page)).toEqual([])
        await panel(page).getByRole('button', { name: 'Tandai semua dibaca' }).click()
        await expect(bell(page)).toHaveAccessibleName('Notifikasi')
        await page.keyboard.press('Escape')
        await expect(panel(page)).toHaveCount(0)
        expect(await faults(page)).toEqual([])
      })

      await test.step('settings are saved together, and are there again', async () => {
        const back = page.getByRole('checkbox', { name: 'Siaran tayang kembali: Telegram' })
        await back.setChecked(false, { force: true })
        await page.getByLabel('Kabari bila terputus').fill('0')
        await page.getByLabel('Pakai jam tenang').check()
        await page.getByRole('button', { name: 'Simpan' }).click()
        await expect(page.getByText('Lama terputus 1 sampai 1440 menit.')).toBeVisible()
        await expect(page.getByLabel('Kabari bila terputus')).toBeFocused()
        await page.getByLabel('Kabari bila terputus').fill('3')
        await page.getByLabel('Mulai', { exact: true }).fill('23:00')
        await page.getByLabel('Zona waktu').selectOption('Asia/Makassar')
        await expectNoSidewaysScroll(page)
        expect(await faults(page)).toEqual([])
        await page.getByRole('button', { name: 'Simpan' }).click()
        await expect(page.getByText('Pengaturan notifikasi disimpan.')).toBeVisible()
        await expect(page.getByRole('button', { name: 'Simpan' })).toHaveCount(0)
        await page.reload()
        await expect(back).not.toBeChecked()
        await expect(page.getByLabel('Kabari bila terputus')).toHaveValue('3')
        await expect(page.getByLabel('Mulai', { exact: true })).toHaveValue('23:00')
        await expect(page.getByLabel('Zona waktu')).toHaveValue('Asia/Makassar')
      })

      await test.step('it is deleted after a question', async () => {
        await card(page, 'Discord').getByRole('button', { name: 'Hapus Kanal staf' }).click()
        await page.getByRole('alertdialog').getByRole('button', { name: 'Hapus' }).click()
        await expect(page.getByRole('button', { name: 'Hubungkan Discord' })).toBeVisible()
      })

      await test.step('what was told stays in the list of all', async () => {
        await bell(page).click()
        await panel(page).getByRole('link', { name: 'Lihat semua' }).click()
        await expect(page.getByRole('list', { name: 'Semua kabar' }).getByRole('listitem')).toHaveCount(1)
        expect(await faults(page)).toEqual([])
      })
    })
  })
}

/** In the worker's own world: what it shows, without a screen to show it on. */
const KEEP_SHOWN = `self.shown = []
self.registration.showNotification = async (title, { body, tag, data }) => void self.shown.push({ title, body, tag, url: data.url })`

test('[ALERT-04] the worker that shows pushes runs under our policy, keeps no page, and shows what was pushed', async ({
  page,
  context,
  baseURL,
}) => {
  await context.grantPermissions(['notifications'])
  await page.goto('/documentation')
  const devtools = await context.newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first) resolve(first.registrationId)
    })
  })
  await devtools.send('ServiceWorker.enable')
  const started = context.waitForEvent('serviceworker')
  await page.evaluate(
    "navigator.serviceWorker.register('/push-worker.js').then(() => navigator.serviceWorker.ready).then(() => {})",
  )
  const worker = await started
  await worker.evaluate(KEEP_SHOWN)
  const push = { title: 'Siaran gagal: Ngaji malam', text: 'Kunci ditolak.', url: '/fitur/siaran', topic: 'stream-1' }
  await devtools.send('ServiceWorker.deliverPushMessage', {
    ...{ origin: baseURL ?? '', registrationId: await registered },
    data: JSON.stringify(push),
  })
  await expect
    .poll(() => worker.evaluate('self.shown'))
    .toEqual([{ title: push.title, body: push.text, tag: push.topic, url: `${baseURL}/fitur/siaran` }])
  expect(await page.evaluate('caches.keys()')).toEqual([])
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Documentation' })).toBeVisible()
})
