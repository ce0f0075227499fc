import type { Locator, Page } from '@playwright/test'
import { ONLINE_TEXTS } from '@siarin/contracts/texts'
import { startHlsSource } from '@siarin/testkit/hls-source'
import { faults } from '../support/axe.ts'
import { newName, stop, streams, tab, word } from '../support/broadcasts.ts'
import { expect, test } from '../support/fixtures.ts'
import { message, openLiveWith, player } from '../support/live-screen.ts'
import { addByApi, newId, plays } from '../support/online.ts'

const VIDEO = 'cadangan.mp4'
const PATIENT = { timeout: 120_000 }

const standIn = (row: Locator): Locator => word(row, 'Cadangan tayang')
const none = (page: Page): Locator => page.getByText('Tidak ada live stream yang aktif saat ini.')

async function go(page: Page, target: string, fallback?: string): Promise<void> {
  await tab(page, 'Go').click()
  await page.getByLabel('Platform').selectOption({ label: 'Lainnya' })
  await page.getByLabel('RTMP/stream key').fill(target)
  if (fallback) await page.getByLabel('Video cadangan').selectOption({ label: fallback })
  await page.getByRole('button', { name: 'Go Live' }).click()
  await expect(message(page)).toHaveText('Siaran langsung dimulai!')
  await tab(page, 'Live').click()
}

test('a room on Bigo is added, played and relayed; a video stands in while it is away [LIVE-07] [ACC-06] @long', async ({
  page,
  context,
  account,
  clip,
  rtmp,
  bigo,
  hls,
}) => {
  test.setTimeout(600_000)
  await openLiveWith(page, account, [await clip(VIDEO, { seconds: 3 })])
  const name = newName()
  const siteId = newId()
  bigo.set(siteId, { is: 'live', hls: hls.url, nickname: 'Panggung Rina' })

  await test.step('the account', async () => {
    await page.goto('/fitur/account')
    await page.getByLabel('Id Bigo').fill(siteId)
    await page.getByLabel('Account Name').fill('Rina')
    await page.getByRole('button', { name: 'Add Account' }).click()
    await expect(page.getByTestId('message')).toHaveText('Akun berhasil ditambahkan.')
  })

  await test.step('its room, live', async () => {
    await page.goto('/fitur/live')
    await tab(page, 'Bigo').click()
    await page.getByRole('button', { name: /^Panggung Rina/ }).click()
    await plays(page)
  })

  const row = streams(page).first()
  await test.step('relayed', async () => {
    const started = page.waitForRequest('**/fitur/steam/start')
    await go(page, `${rtmp.url}/${name}`, VIDEO)
    expect((await started).postDataJSON()).toMatchObject({
      source: hls.url,
      accountId: expect.any(String),
      fallback: VIDEO,
      platform: 'lain',
      looping: true,
    })
    await rtmp.waitForPublisher(name, { growing: true, timeoutMs: 120_000 })
    await expect(word(row, 'Tayang')).toBeVisible(PATIENT)
    await expect(row).toContainText('Panggung Rina')
    await expect(standIn(row)).toHaveCount(0)
    await expect(row.getByRole('button', { name: 'Ganti video' })).toHaveCount(0)
  })

  await test.step('watched', async () => {
    await row.getByRole('button', { pressed: false }).first().click()
    await expect(page.getByTestId('current-video')).toHaveText('Panggung Rina')
    await plays(page)
    await expect(player(page)).toHaveAttribute('src', /^blob:/)
  })

  await test.step('lost: the video stands in, on air and in the player', async () => {
    hls.stop()
    await expect(standIn(row)).toBeVisible(PATIENT)
    await expect(word(row, VIDEO)).toBeVisible()
    await expect(word(row, 'menunggu sumber')).toBeVisible()
    await expect(word(row, 'Tayang')).toBeVisible(PATIENT)
    await rtmp.waitForPublisher(name, { growing: true, timeoutMs: 120_000 })
    await expect(player(page)).toHaveAttribute('src', new RegExp(VIDEO.replace('.', '\\.')))
    expect(await faults(page)).toEqual([])
  })

  const dashboard = await context.newPage()
  const card = dashboard.getByRole('list', { name: 'Sedang tayang' }).getByRole('listitem')
  await test.step('the dashboard says it too', async () => {
    await dashboard.goto('/dashboard')
    await expect(standIn(card)).toBeVisible()
    await expect(word(card, 'Tayang')).toBeVisible()
  })

  await test.step('back', async () => {
    hls.resume()
    await expect(standIn(row)).toHaveCount(0, PATIENT)
    await expect(word(row, 'Tayang')).toBeVisible(PATIENT)
    await expect(word(card, 'Tayang')).toBeVisible()
    await expect(standIn(card)).toHaveCount(0)
    await rtmp.waitForPublisher(name, { growing: true, timeoutMs: 120_000 })
    await expect(player(page)).toHaveAttribute('src', /^blob:/)
    await plays(page)
    await row.getByRole('button', { name: 'Riwayat' }).click()
    const timeline = row.getByRole('list', { name: 'Kejadian' })
    for (const line of ['Sumber terputus; video cadangan tayang', 'Sumber kembali']) {
      await expect(word(timeline, line)).toBeVisible()
    }
  })

  await stop(page, row)
  await expect(none(page)).toBeVisible()
  await rtmp.waitForNoPublisher(name, { timeoutMs: 120_000 })
})

test('an HLS address is relayed; one whose format no platform takes says that it is changed', async ({
  page,
  account,
  rtmp,
}) => {
  const odd = await startHlsSource({ videoCodec: 'mpeg2video', audioCodec: 'mp2' })
  try {
    const user = await openLiveWith(page, account, [])
    await addByApi(page, user, 'online', { name: 'Kamera tua', url: odd.url })
    await tab(page, 'Bigo').click()
    await page.getByRole('button', { name: /^Kamera tua/ }).click()
    const name = newName()
    await go(page, `${rtmp.url}/${name}`)
    await rtmp.waitForPublisher(name, { growing: true, timeoutMs: 120_000 })
    const row = streams(page).first()
    await expect(word(row, 'Tayang')).toBeVisible(PATIENT)
    await expect(row).toContainText('Kamera tua')
    await expect(row.getByText(ONLINE_TEXTS.encoded)).toBeVisible()
    await stop(page, row)
    await expect(none(page)).toBeVisible()
    await rtmp.waitForNoPublisher(name, { timeoutMs: 120_000 })
  } finally {
    await odd.dispose()
  }
})

test('a relay that failed is tried again with its source and the video that stands in @long', async ({
  page,
  account,
  clip,
  rtmp,
  hls,
}) => {
  const user = await openLiveWith(page, account, [await clip(VIDEO, { seconds: 3 })])
  const refused = `${rtmp.refusingUrl}/${newName()}`
  await addByApi(page, user, 'online', { name: 'Kamera pantai', url: hls.url })
  await tab(page, 'Bigo').click()
  await page.getByRole('button', { name: /^Kamera pantai/ }).click()
  await go(page, refused, VIDEO)
  const failed = page.getByRole('list', { name: 'Riwayat siaran' }).getByRole('listitem').first()
  await expect(word(failed, 'Gagal')).toBeVisible(PATIENT)
  await expect(failed).toContainText('Kamera pantai')
  await failed.getByRole('button', { name: 'Coba lagi', exact: true }).click()
  await expect(page.getByTestId('chosen-source')).toHaveText('Kamera pantai')
  await expect(page.getByLabel('Video cadangan')).toHaveValue(VIDEO)
  await plays(page)
  const started = page.waitForRequest('**/fitur/steam/start')
  await page.getByRole('button', { name: 'Go Live' }).click()
  expect((await started).postDataJSON()).toMatchObject({ source: hls.url, fallback: VIDEO, rtmpStream: '' })
})
