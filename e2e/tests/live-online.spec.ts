import { ONLINE_TEXTS } from '@siarin/contracts/texts'
import { freePort } from '@siarin/testkit/free-port'
import { faults } from '../support/axe.ts'
import { tab } from '../support/broadcasts.ts'
import { DEVICES } from '../support/devices.ts'
import { expect, test } from '../support/fixtures.ts'
import { serveBigo } from '../support/hls.ts'
import { expectNoSidewaysScroll } from '../support/layout.ts'
import { message, openLive, openLiveWith, pickButton, player } from '../support/live-screen.ts'
import { addByApi, addSource, newId, plays, quietRooms, rooms, sources, untilBigoTab } from '../support/online.ts'

const NOTHING = 'Tidak ada video online yang tersedia.'

test('[LIVE-07] [ACC-06] rooms that are live can be picked, the others say why they cannot', async ({
  page,
  account,
  siarin,
  bigo,
  hls,
}) => {
  const user = await openLiveWith(page, account, [])
  const [sari, budi, tidur, hilang, ditolak, putus] = [newId(), newId(), newId(), newId(), newId(), newId()]
  bigo.set(sari, { is: 'live', hls: hls.url, nickname: 'Kamar Sari 🎤' })
  bigo.set(budi, { is: 'live', hls: hls.masterUrl, nickname: 'تجربة طويلة جدا' })
  const accounts = { sari, budi, tidur, hilang, ditolak, putus }
  for (const [name, siteId] of Object.entries(accounts)) await addByApi(page, user, 'bigo', { siteId, name })
  bigo.set(hilang, { is: 'unknown-list' })
  bigo.set(ditolak, { is: 'needs-login' })
  bigo.set(putus, { is: 'error-500' })

  const asked = page.waitForRequest('**/fitur/bigo/live')
  await tab(page, 'Bigo').click()
  // The default client: the session, and no key.
  expect((await asked).method()).toBe('GET')
  expect((await asked).headers()['authorization']).toMatch(/^Bearer \S+/)
  expect((await asked).url()).toBe(`${siarin.url}/fitur/bigo/live`)

  await expect(rooms(page)).toHaveCount(2)
  const room = rooms(page).filter({ hasText: 'Kamar Sari 🎤' })
  await expect(room).toContainText('0 Bytes')
  await expect(room.getByText('Online', { exact: true })).toBeVisible()
  await expect(message(page)).toHaveText('Ditemukan 2 stream aktif.')

  await test.step('the reasons of the others', async () => {
    const reasons: [string, string, RegExp][] = [
      ['Tidak terhubung', putus, /Bigo tidak bisa dihubungi/],
      ['Ditolak', ditolak, /meminta login/],
      ['Tidak dikenal', hilang, /tidak ditemukan/],
      ['Offline', tidur, /Tidak sedang siaran/],
    ]
    await untilBigoTab(page, async () => {
      await expect(quietRooms(page)).toHaveCount(4, { timeout: 5000 })
      for (const [state, , reason] of reasons) {
        const quiet = quietRooms(page).filter({ hasText: state })
        await expect(quiet).toContainText(reason, { timeout: 1000 })
        await expect(quiet.getByRole('button')).toHaveCount(0)
      }
    })
  })

  await test.step('one that is picked plays, through our own server alone', async () => {
    const hosts = new Set<string>()
    page.on('request', (request) => hosts.add(new URL(request.url()).host))
    await page.getByRole('button', { name: /Kamar Sari/ }).click()
    await expect(page.getByTestId('current-video')).toHaveText('Kamar Sari 🎤')
    await plays(page)
    await expect(player(page)).toHaveAttribute('src', /^blob:/)
    hosts.delete('')
    expect([...hosts]).toEqual([new URL(siarin.url).host])
    await tab(page, 'Go').click()
    await expect(page.getByTestId('chosen-source')).toHaveText('Kamar Sari 🎤')
  })
})

test('[LIVE-07] [LIVE-21] where nothing can be played the Bigo tab says so, and one that is not live is no video', async ({
  page,
  account,
}) => {
  const user = await openLiveWith(page, account, [])
  await addByApi(page, user, 'bigo', { siteId: newId(), name: 'Sudah tidur' })
  await tab(page, 'Bigo').click()
  await expect(page.getByText(NOTHING)).toBeVisible()
  await expect(message(page)).toHaveText('Tidak ada stream yang aktif saat ini.')
  await expect(message(page)).toHaveRole('alert')
  await expect(quietRooms(page)).toHaveCount(1)
  await expect(page.getByRole('link', { name: 'Kelola akun Bigo' })).toHaveAttribute('href', '/fitur/account')
})

test('[LIVE-21] a video without a file or an address is not valid', async ({ page, reader }) => {
  await openLive(page, reader)
  await serveBigo(page, [{ nickname: 'Tanpa alamat' }])
  await tab(page, 'Bigo').click()
  await page.getByRole('button', { name: /Tanpa alamat/ }).click()
  await expect(message(page)).toHaveText('Video tidak valid.')
  await expect(page.getByTestId('current-video')).toHaveText('Belum ada video dipilih')
})

for (const { device, use } of DEVICES) {
  test.describe(device, () => {
    test.use(use)

    test('an HLS address is added, plays although its host lets no page read it, and is deleted after a question', async ({
      page,
      account,
      siarin,
      hls,
    }) => {
      await openLive(page, account)
      await tab(page, 'Bigo').click()
      await expect(page.getByText(NOTHING)).toBeVisible()
      const dialog = page.getByRole('dialog')

      await test.step('what is wrong stands below its field, and what was typed stays', async () => {
        await addSource(page, ' ', 'kamera.m3u8')
        await expect(dialog.getByText('Isi nama untuk sumber ini.')).toBeVisible()
        await expect(dialog.getByText(ONLINE_TEXTS.urlRequired)).toBeVisible()
        await expect(dialog.getByLabel('Alamat HLS (.m3u8)')).toHaveAttribute('aria-invalid', 'true')
        await expectNoSidewaysScroll(page)
        expect(await faults(page)).toEqual([])
        await dialog.getByLabel('Nama').fill('Kamera pantai')
        for (const [url, text] of [
          [`${siarin.url}/`, ONLINE_TEXTS.notHls],
          [hls.url.replace('live', 'tidak-ada'), ONLINE_TEXTS.urlAnswered(404)],
          [`http://127.0.0.1:${await freePort()}/live.m3u8`, ONLINE_TEXTS.urlUnreachable],
        ] as const) {
          await dialog.getByLabel('Alamat HLS (.m3u8)').fill(url)
          await dialog.getByRole('button', { name: 'Tambah sumber', exact: true }).click()
          await expect(dialog.getByText(text)).toBeVisible()
        }
        await expect(dialog.getByLabel('Nama')).toHaveValue('Kamera pantai')
        await page.keyboard.press('Escape')
        await expect(dialog).toHaveCount(0)
      })

      await test.step('added', async () => {
        await addSource(page, 'Kamera pantai', hls.url)
        await expect(message(page)).toHaveText('Sumber online ditambahkan.')
        await expect(sources(page)).toHaveCount(1)
        await expect(sources(page)).toContainText('Kamera pantai')
        await expect(sources(page)).toContainText(new URL(hls.url).host)
        await expect(page.getByText(NOTHING)).toHaveCount(0)
        await expectNoSidewaysScroll(page)
        await addSource(page, 'Lagi', hls.url)
        await expect(dialog.getByText(ONLINE_TEXTS.exists)).toBeVisible()
        await page.keyboard.press('Escape')
      })

      await test.step('it plays', async () => {
        await page.getByRole('button', { name: /^Kamera pantai/ }).click()
        await expect(page.getByTestId('current-video')).toHaveText('Kamera pantai')
        await plays(page)
        expect(await faults(page)).toEqual([])
      })

      await test.step('deleted', async () => {
        await page.getByRole('button', { name: 'Hapus Kamera pantai' }).click()
        const question = page.getByRole('alertdialog')
        await expect(question).toContainText('Yakin mau hapus sumber "Kamera pantai"?')
        await question.getByRole('button', { name: 'Hapus' }).click()
        await expect(message(page)).toHaveText('Sumber online dihapus.')
        await expect(page.getByText(NOTHING)).toBeVisible()
        await expect(page.getByTestId('current-video')).toHaveText('Belum ada video dipilih')
      })
    })
  })
}

test('[LIVE-09] Go offers a video that stands in for an online source only, and says what Facebook forbids @long', async ({
  page,
  account,
  clip,
  hls,
}) => {
  const user = await openLiveWith(page, account, [await clip('senja.mp4', { seconds: 3 })])
  await addByApi(page, user, 'online', { name: 'Kamera pantai', url: hls.url })
  const fallback = page.getByLabel('Video cadangan')
  await pickButton(page, 'senja.mp4').click()
  await tab(page, 'Go').click()
  await expect(fallback).toHaveCount(0)

  await tab(page, 'Bigo').click()
  await page.getByRole('button', { name: /^Kamera pantai/ }).click()
  await tab(page, 'Go').click()
  await expect(fallback.getByRole('option')).toHaveText(['Tanpa cadangan', 'senja.mp4'])
  await expect(page.getByText('Tayang otomatis saat sumber terputus, lalu kembali ke sumber.')).toBeVisible()

  const note = page.getByRole('note')
  await expect(note).toHaveCount(0)
  await page.getByLabel('Platform').selectOption({ label: 'Facebook' })
  await expect(note).toContainText('Aturan Facebook melarang rekaman yang diputar berulang terus-menerus')
  await expect(page.getByRole('button', { name: 'Go Live' })).toBeEnabled()
  expect(await faults(page)).toEqual([])
  await page.getByLabel('Platform').selectOption({ label: 'YouTube' })
  await expect(note).toHaveCount(0)
})

test('[LIVE-15] every tab loads its list when it is opened, and the active streams load on entry too', async ({
  page,
  reader,
}) => {
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.method() === 'GET') asked.push(pathname)
  })
  const count = (path: string): number => asked.filter((seen) => seen === path).length
  await openLive(page, reader)
  await expect.poll(() => count('/fitur/steam/active')).toBeGreaterThan(0)
  expect(count('/fitur/video')).toBeGreaterThan(0)
  expect(count('/fitur/bigo/live')).toBe(0)

  for (const [name, path] of [
    ['Bigo', '/fitur/bigo/live'],
    ['Live', '/fitur/steam/active'],
    ['Lokal', '/fitur/video'],
    ['Bigo', '/fitur/online'],
  ] as const) {
    const before = count(path)
    await tab(page, name).click()
    await expect.poll(() => count(path)).toBeGreaterThan(before)
  }
})
