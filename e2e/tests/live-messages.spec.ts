import { PLAN_TEXTS } from '@siarin/contracts/texts'
import { openGo, tab } from '../support/broadcasts.ts'
import { DEVICES } from '../support/devices.ts'
import { expect, test } from '../support/fixtures.ts'
import { chooser, message, openLive, openLiveWith, row } from '../support/live-screen.ts'

const VIDEO = 'sungai.mp4'

test('[LIVE-19] a message stays for 3 s, and a newer one for its own 3 s', async ({ page, account }) => {
  await openLive(page, account)
  await page.clock.install()
  const refuse = () =>
    chooser(page).setInputFiles({ name: 'catatan.txt', mimeType: 'text/plain', buffer: Buffer.from('x') })

  await refuse()
  await expect(message(page)).toHaveText('Pilih file video.')
  await expect(message(page)).toHaveRole('alert')
  await page.clock.pauseAt(Date.now() + 3600_000)
  await expect(message(page)).toHaveText('')

  await refuse()
  await expect(message(page)).toHaveText('Pilih file video.')
  await page.clock.runFor(2900)
  await expect(message(page)).toHaveText('Pilih file video.')
  await tab(page, 'Live').click()
  await expect(async () => {
    // The list's own timers need a moment of this clock too.
    await page.clock.runFor(1)
    expect(await message(page).textContent()).toBe('Tidak ada live stream aktif.')
  }).toPass()
  await expect(message(page)).toHaveRole('status')
  await expect(message(page).locator('[data-tone=info]')).toBeVisible()
  await page.clock.runFor(2000)
  await expect(message(page)).toHaveText('Tidak ada live stream aktif.')
  await page.clock.runFor(1000)
  await expect(message(page)).toHaveText('')
})

for (const { device, use } of DEVICES) {
  test.describe(device, () => {
    test.use(use)

    test('[LIVE-19] [PLAN-01] a refusal of the plan leads to the plans, stays for 8 s, can be closed and leaves the key in sight', async ({
      page,
      account,
      clip,
    }) => {
      await openLiveWith(page, account, [await clip(VIDEO, { seconds: 3 })])
      const refusal = { success: false, code: 'plan_limit', message: PLAN_TEXTS.streams('Free Trial', 1, 'Starter') }
      await page.route('**/fitur/steam/start', (route) => route.fulfill({ status: 403, json: refusal }))
      await openGo(page, VIDEO)
      const key = page.getByLabel('RTMP/stream key')
      await key.fill('abcd-efgh-ijkl-mnop')
      // The message goes by this clock, however long the looking takes.
      await page.clock.install()
      await page.clock.pauseAt(Date.now() + 3600_000)
      const ask = () => page.getByRole('button', { name: 'Go Live' }).click()

      const link = message(page).getByRole('link', { name: 'Lihat paket' })
      const refused = async () => {
        await ask()
        await expect(async () => {
          // The page's own timers need a moment of it too.
          await page.clock.runFor(1)
          expect(await link.count()).toBe(1)
        }).toPass()
      }

      await refused()
      await expect(message(page)).toContainText(`Error: ${refusal.message}`)
      await expect(message(page)).toHaveRole('alert')
      await expect(link).toHaveAttribute('href', '/profile/plan')
      await expect(message(page)).toBeInViewport({ ratio: 1 })
      // Where something else lies over it, the press would not reach it.
      await key.click({ trial: true })
      await page.clock.runFor(7000)
      await expect(link).toBeVisible()
      await page.clock.runFor(1000)
      await expect(link).toHaveCount(0)

      await refused()
      await message(page).getByRole('button', { name: 'Tutup pesan' }).click()
      await expect(link).toHaveCount(0)
    })
  })
}

test('[LIVE-21] each list says why it could not be loaded, and loads when it is asked again', async ({
  page,
  account,
}) => {
  await account.login(page, await account.register())
  const paths = { lokal: '**/fitur/video?*', bigo: '**/fitur/bigo/live', live: '**/fitur/steam/active?*' }
  await page.route('**/fitur/steam/live?*', (route) => route.abort())
  for (const path of Object.values(paths)) await page.route(path, (route) => route.fulfill({ status: 500, body: '' }))
  await page.goto('/fitur/live')
  const failure = page.getByRole('tabpanel').getByRole('alert')
  await expect(failure).toContainText('Gagal request.')

  await tab(page, 'Bigo').click()
  await expect(failure).toContainText('Gagal memuat video online.')
  await expect(message(page)).toHaveText('Gagal memuat video online.')
  await tab(page, 'Live').click()
  await expect(failure).toContainText('Gagal mengambil data live stream.')

  await page.unroute(paths.live)
  await failure.getByRole('button', { name: 'Coba lagi' }).click()
  await expect(page.getByText('Tidak ada live stream yang aktif saat ini.')).toBeVisible()

  await page.unroute(paths.lokal)
  await page.route(paths.lokal, (route) => route.abort())
  await tab(page, 'Lokal').click()
  await expect(failure).toContainText('Gagal koneksi.')
  await page.unroute(paths.lokal)
  await page.route(paths.lokal, (route) =>
    route.fulfill({ status: 503, json: { success: false, message: 'Server sedang dirawat.' } }),
  )
  await failure.getByRole('button', { name: 'Coba lagi' }).click()
  await expect(failure).toContainText('Server sedang dirawat.')
  await page.unroute(paths.lokal)
  await failure.getByRole('button', { name: 'Coba lagi' }).click()
  await expect(page.getByText('Anda belum mengupload video.')).toBeVisible()
})

test('[LIVE-21] a deletion or an upload that fails says so', async ({ page, account, clip }) => {
  const file = await clip(VIDEO, { seconds: 3 })
  await openLiveWith(page, account, [file])
  const remove = async () => {
    await page.getByRole('button', { name: `Hapus ${VIDEO}` }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Hapus' }).click()
  }
  for (const [text, answer] of [
    ['Gagal menghapus video.', { status: 500, body: '' }],
    [
      'Video sedang dipakai siaran langsung.',
      { status: 409, json: { success: false, message: 'Video sedang dipakai siaran langsung.' } },
    ],
    ['Gagal koneksi.', null],
  ] as const) {
    await page.route('**/fitur/video/delete/*', (route) => (answer ? route.fulfill(answer) : route.abort()))
    await remove()
    await expect(message(page)).toHaveText(text)
    await page.unroute('**/fitur/video/delete/*')
  }
  await expect(row(page, VIDEO)).toBeVisible()

  await page.route('**/fitur/video/tus', (route) => route.fulfill({ status: 400, body: '' }))
  await chooser(page).setInputFiles(file)
  await expect(message(page)).toHaveText('Gagal upload.')
})

test('[LIVE-08] [LIVE-13] a stream without an id shows N/A and cannot be stopped', async ({ page, account }) => {
  await openLive(page, account)
  await page.route('**/fitur/steam/live?*', (route) => route.abort())
  await page.route('**/fitur/steam/active?*', (route) =>
    route.fulfill({
      json: {
        success: true,
        message: 'Ditemukan 1 stream aktif.',
        streams: [{ platform: 'youtube', source: 'a.mp4', startedAt: '2026-01-15T12:30:00.000Z' }],
      },
    }),
  )
  await page.reload()
  await tab(page, 'Live').click()
  await expect(message(page)).toHaveText('Ditemukan 1 stream aktif.')
  const stream = page.getByRole('list', { name: 'Siaran aktif' }).getByRole('listitem')
  await expect(stream.getByText('ID N/A')).toBeVisible()
  await expect(stream.getByText('Mulai 15 Jan 2026 19.30 WIB')).toBeVisible()
  await expect(stream.getByText('YouTube')).toBeVisible()
  await stream.getByRole('button', { name: 'Stop' }).click()
  await expect(message(page)).toHaveText('Stream ID tidak valid.')
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
})

test('[LIVE-21] a stop that fails says so', async ({ page, account }) => {
  await openLive(page, account)
  await page.route('**/fitur/steam/live?*', (route) => route.abort())
  await page.route('**/fitur/steam/active?*', (route) =>
    route.fulfill({
      json: {
        success: true,
        message: '',
        streams: [{ streamId: 's1', platform: 'lain', source: 'a.mp4', startedAt: '2026-01-15T12:30:00.000Z' }],
      },
    }),
  )
  await page.route('**/fitur/steam/stop', (route) => route.fulfill({ status: 500, body: '' }))
  await page.reload()
  await tab(page, 'Live').click()
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Hentikan' }).click()
  await expect(message(page)).toHaveText('Gagal memulai live stream.')
})
