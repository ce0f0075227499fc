import type { Locator, Page } from '@playwright/test'
import type { cachedClip } from '@siarin/testkit/clips'
import type { Account } from '../support/account.ts'
import { goLive, newName, PATIENT, stop, streams, tab, word } from '../support/broadcasts.ts'
import { expect, test } from '../support/fixtures.ts'
import { openLive, openLiveAs, openLiveWith, pickButton, player } from '../support/live-screen.ts'
import { OWNED_VIDEO } from '../support/member.ts'

const VIDEO = 'senja.mp4'
/** Nothing listens there. */
const NOBODY = 'rtmp://127.0.0.1:9/live/tanpa-server'

const ended = (page: Page): Locator => page.getByRole('list', { name: 'Riwayat siaran' })
const clock = (page: Page): Locator => streams(page).getByTestId('clock')
const none = (page: Page): Locator => page.getByText('Tidak ada live stream yang aktif saat ini.')

async function openWithVideo(page: Page, account: Account, clip: typeof cachedClip): Promise<void> {
  await openLiveWith(page, account, [await clip(VIDEO, { seconds: 3 })])
}

const seconds = async (place: Locator): Promise<number> => {
  const [hours = 0, minutes = 0, rest = 0] = ((await place.textContent()) ?? '').split(':').map(Number)
  return hours * 3600 + minutes * 60 + rest
}

test('[LIVE-08] [LIVE-13] an active stream has all its facts, plays, and is stopped after a question', async ({
  page,
  account,
  clip,
  rtmp,
}) => {
  await openWithVideo(page, account, clip)
  await tab(page, 'Live').click()
  await expect(none(page)).toBeVisible()
  await expect(page).toHaveTitle('Siarin - Live')

  const name = newName()
  await goLive(page, { video: VIDEO, target: `${rtmp.url}/${name}`, title: 'Senja di Bali' })
  const row = streams(page).first()

  await test.step('its facts', async () => {
    await expect(word(row, '1.')).toBeVisible()
    await expect(word(row, 'Lainnya')).toBeVisible()
    await expect(word(row, 'Senja di Bali')).toBeVisible()
    await expect(row.getByText(/^ID [0-9a-f-]{36}$/)).toBeVisible()
    await expect(row.getByText(/^Mulai \d{1,2} \p{L}{3} \d{4} \d\d\.\d\d WIB$/u)).toBeVisible()
    await expect(row).not.toContainText(name)
  })

  await test.step('Tayang, with a clock that runs and its bitrate', async () => {
    await expect(word(row, 'Tayang')).toBeVisible()
    await expect(clock(page)).toHaveText(/^\d+:\d\d:\d\d$/)
    const before = await seconds(clock(page))
    await expect.poll(() => seconds(clock(page))).toBeGreaterThanOrEqual(before + 3)
    await expect(row.getByText(/^\d+(,\d)? [Mk]bps$/)).toBeVisible()
    await expect(row.getByTestId('sparkline').locator('polyline')).toBeAttached()
    await expect(page).toHaveTitle('● Siarin - Live')
    await expect(page.getByRole('banner').getByRole('link', { name: /^1 tayang/ })).toBeVisible()
  })

  await test.step('a click plays its source', async () => {
    await row.getByRole('button', { pressed: false }).first().click()
    await expect(page.getByTestId('current-video')).toHaveText('Senja di Bali')
    await expect(player(page)).toHaveAttribute('src', /senja\.mp4/)
  })

  await test.step('Stop asks, and a refusal changes nothing', async () => {
    await row.getByRole('button', { name: 'Stop' }).click()
    const question = page.getByRole('alertdialog')
    await expect(question).toContainText('Yakin ingin menghentikan live stream ini?')
    await question.getByRole('button', { name: 'Batal' }).click()
    await expect(word(row, 'Tayang')).toBeVisible()
    await expect(row.getByRole('button', { name: 'Stop' })).toBeFocused()
  })

  await test.step('stopped: the list is empty and the player too', async () => {
    await stop(page, row)
    await expect(page.getByText('Live stream berhasil dihentikan!')).toBeVisible()
    await expect(none(page)).toBeVisible()
    await expect(page.getByTestId('current-video')).toHaveText('Belum ada video dipilih')
    await expect(player(page)).not.toHaveAttribute('src')
    await expect(page).toHaveTitle('Siarin - Live')
    await rtmp.waitForNoPublisher(name, PATIENT)
  })

  await test.step('it stays in the history, with its timeline', async () => {
    const past = ended(page).getByRole('listitem').first()
    await expect(word(past, 'Selesai')).toBeVisible()
    await expect(past).toContainText(/Tayang [\d,]+ detik, \d+(,\d)?% dari waktu siaran/)
    await past.getByRole('button', { name: /Senja di Bali/ }).click()
    const timeline = past.getByRole('list', { name: 'Kejadian' })
    for (const line of ['Selesai', 'Diminta berhenti', 'Tayang', 'Siaran diminta']) {
      await expect(word(timeline, line)).toBeVisible()
    }
  })

  await test.step('begun again without its key, which the page does not know', async () => {
    await ended(page).getByRole('button', { name: 'Siarkan lagi' }).click()
    const sent = page.waitForRequest('**/fitur/steam/start')
    await page.getByRole('button', { name: 'Go Live' }).click()
    expect((await sent).postDataJSON()).toMatchObject({ source: VIDEO, platform: 'lain', rtmpStream: '' })
    await rtmp.waitForPublisher(name, { growing: true, ...PATIENT })
    await tab(page, 'Live').click()
    await stop(page, streams(page).first())
    await expect(none(page)).toBeVisible()
  })
})

test('an outage shows as Menyambung ulang with its reason, and as Tayang again afterwards', async ({
  page,
  account,
  clip,
  rtmp,
}) => {
  await openWithVideo(page, account, clip)
  await goLive(page, { video: VIDEO, target: `${rtmp.url}/${newName()}` })
  const row = streams(page).first()
  await expect(word(row, 'Tayang')).toBeVisible()
  await expect(row.getByText(/tersambung ulang/)).toHaveCount(0)
  await expect.poll(() => seconds(clock(page))).toBeGreaterThanOrEqual(5)
  const before = await seconds(clock(page))

  await rtmp.stop()
  try {
    await expect(word(row, 'Menyambung ulang')).toBeVisible()
    await expect(row.getByText(/^mencoba lagi dalam \d+ detik$/)).toBeVisible()
    await expect(row.getByText(/\p{L}{3}.*\.$/u)).toBeVisible()
    await expect(clock(page)).toHaveCount(0)
    await expect(page.getByRole('banner').getByRole('link', { name: /menyambung ulang/ })).toBeVisible()
    await expect(page).toHaveTitle('Siarin - Live')
  } finally {
    await rtmp.start()
  }
  await expect(word(row, 'Tayang')).toBeVisible()
  // The clock is of the whole broadcast, not of the time since it is back.
  await expect.poll(() => seconds(clock(page))).toBeGreaterThanOrEqual(before)
  await expect(word(row, 'tersambung ulang 1 kali')).toBeVisible()

  await row.getByRole('button', { name: 'Riwayat' }).click()
  const timeline = row.getByRole('list', { name: 'Kejadian' })
  await expect(timeline.getByText(/^Terputus: \S+/)).toBeVisible()
  await expect(timeline.getByText(/^Tayang lagi setelah \S+ detik$/)).toBeVisible()
  await stop(page, row)
  await expect(none(page)).toBeVisible()
})

test('a target that nobody answers at is waited for, with the reason and the time of the next try @long', async ({
  page,
  account,
  clip,
}) => {
  await openWithVideo(page, account, clip)
  await goLive(page, { video: VIDEO, target: NOBODY })
  const row = streams(page).first()
  await expect(row.getByText(/^Server platform tidak bisa dihubungi\. Periksa alamat/)).toBeVisible()
  await expect(row.getByText(/^mencoba lagi dalam \d+ detik$/)).toBeVisible()
  await stop(page, row)
  await expect(none(page)).toBeVisible()
})

test('a stream that never got on air is in the history as Gagal and can be tried again @long', async ({
  page,
  account,
  clip,
  rtmp,
}) => {
  await openWithVideo(page, account, clip)
  await goLive(page, { video: VIDEO, target: `${rtmp.refusingUrl}/${newName()}`, title: 'Percobaan' })
  const failed = ended(page).getByRole('listitem').first()
  await expect(word(failed, 'Gagal')).toBeVisible({ timeout: 120_000 })
  await expect(none(page)).toBeVisible()
  await expect(failed).toContainText('Tidak sempat tayang')
  await failed.getByRole('button', { name: /Percobaan/ }).click()
  await expect(failed.getByText(/^Gagal: \S+.+/)).toBeVisible()

  await failed.getByRole('button', { name: 'Coba lagi', exact: true }).click()
  await expect(tab(page, 'Go')).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByTestId('chosen-source')).toHaveText(VIDEO)
  await expect(page.getByLabel('Judul live')).toHaveValue('Percobaan')
  await expect(page.getByLabel('Platform')).toHaveValue('lain')
  const key = page.getByLabel('RTMP/stream key')
  await expect(key).toHaveValue('')
  await expect(key).toHaveAttribute('placeholder', /kunci tersimpan/)
  await expect(key).toHaveAccessibleDescription(
    'Kunci siaran itu tersimpan dan dipakai lagi. Isi kunci baru kalau kunci itu ditolak atau sudah diganti.',
  )
  await expect(page.getByRole('button', { name: 'Go Live' })).toBeFocused()

  await test.step('the kept key goes with its platform', async () => {
    await page.getByLabel('Platform').selectOption({ label: 'YouTube' })
    await expect(key).not.toHaveAttribute('placeholder', /./)
    await page.getByRole('button', { name: 'Go Live' }).click()
    await expect(page.getByText('RTMP/stream key diperlukan.')).toBeVisible()
  })
})

test('the list follows the server by polling while the feed is refused @long', async ({
  page,
  account,
  clip,
  rtmp,
}) => {
  await page.route('**/fitur/steam/live?*', (route) => route.fulfill({ status: 502 }))
  await openWithVideo(page, account, clip)
  await goLive(page, { video: VIDEO, target: `${rtmp.url}/${newName()}` })
  await expect(word(streams(page).first(), 'Tayang')).toBeVisible()
  await stop(page, streams(page).first())
  await expect(none(page)).toBeVisible()
})

test('a key that another browser has changed does not hold up the page, which sends its session', async ({
  page,
  account,
  request,
}) => {
  const user = await account.register()
  const { token } = await account.login(page, user)
  const changed = await request.post('/auth/profile/apikey', { headers: { Authorization: `Bearer ${token}` } })
  expect(changed.ok()).toBe(true)
  await page.goto('/fitur/live')
  await expect(page.getByText('Anda belum mengupload video.')).toBeVisible()
  await expect(page.getByTestId('message')).toHaveText('')
})

test('arrow keys walk over the tabs without opening them', async ({ page, owner }) => {
  await openLiveAs(page, owner)
  await pickButton(page, OWNED_VIDEO).click()
  await tab(page, 'Lokal').focus()
  for (const next of ['Bigo', 'Live', 'Go']) {
    await page.keyboard.press('ArrowRight')
    await expect(tab(page, next)).toBeFocused()
  }
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('chosen-source')).toHaveText(OWNED_VIDEO)
})

test('the feed is open on the Live screen and closed when it is left', async ({ page, reader }) => {
  const seen: string[] = []
  page.on('request', (asked) => asked.url().includes('/fitur/steam/live?') && seen.push('opened'))
  page.on('requestfailed', (asked) => asked.url().includes('/fitur/steam/live?') && seen.push('closed'))
  await openLive(page, reader)
  await expect.poll(() => seen).toEqual(['opened'])
  await page.getByRole('banner').getByRole('link', { name: 'Siarin' }).click()
  await expect.poll(() => seen).toEqual(['opened', 'closed'])
})
