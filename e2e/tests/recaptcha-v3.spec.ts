import type { Page } from '@playwright/test'
import { startSiarin } from '@siarin/testkit/siarin-server'
import { tab } from '../support/broadcasts.ts'
import { expect, test } from '../support/fixtures.ts'
import { expectNoSidewaysScroll } from '../support/layout.ts'
import {
  bar,
  chooser,
  currentTime,
  heavyClip,
  pickButton,
  player,
  reach,
  ready,
  row,
  rows,
  slowUploads,
} from '../support/live-screen.ts'
import { expectSaid, noteSaid } from '../support/said.ts'

const SCREEN = '/documentation/captcha/v3'
const VIDEO = 'taman.mp4'
const EMPTY = 'Anda belum mengupload video.'

const key = (page: Page) => page.getByLabel('API Key', { exact: true })

test('[V3-01] a guest with an API key lists, uploads, plays and deletes videos; what cannot be played clears the player', async ({
  page,
  account,
  clip,
}) => {
  const { user } = await account.session(await account.register())
  const calls: { keyed: boolean; inAddress: boolean; bearer: string | undefined }[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (!pathname.startsWith('/fitur/video')) return
    const headers = request.headers()
    calls.push({
      keyed: headers['x-api-key'] === user.apiKey || searchParams.has('ticket'),
      inAddress: request.url().includes(user.apiKey),
      bearer: headers['authorization'],
    })
  })
  await noteSaid(page)
  await page.goto(SCREEN)
  for (const name of ['Lokal', 'Bigo', 'Live', 'Go']) await expect(tab(page, name)).toBeVisible()
  await expectSaid(page, 'API Key diperlukan.', 'alert')
  expect(calls).toEqual([])

  await key(page).fill(user.apiKey)
  await key(page).press('Enter')
  await expect(page.getByText(EMPTY)).toBeVisible()

  await test.step('upload, in the specified call', async () => {
    const sent = page.waitForRequest('**/fitur/video/upload')
    await chooser(page).setInputFiles(await clip(VIDEO, { seconds: 3 }))
    expect((await sent).method()).toBe('POST')
    expect((await sent).headers()['x-api-key']).toBe(user.apiKey)
    expect((await sent).headers()['content-type']).toMatch(/^multipart\/form-data/)
    await expectSaid(page, 'Upload berhasil.')
    await expect(row(page, VIDEO)).toBeVisible()
  })
  await test.step('play, which fails first', async () => {
    await ready(page, VIDEO)
    await page.route(`**/fitur/video/${VIDEO}?*`, (route) => route.fulfill({ status: 500, body: '' }))
    await pickButton(page, VIDEO).click()
    await expectSaid(page, 'Gagal memuat streaming.', 'alert')
    await expect(page.getByTestId('current-video')).toHaveText('Belum ada video dipilih')
    await expect(player(page)).not.toHaveAttribute('src')
    await page.unroute(`**/fitur/video/${VIDEO}?*`)
    await pickButton(page, VIDEO).click()
    await expect(page.getByTestId('current-video')).toHaveText(VIDEO)
    await expect.poll(() => currentTime(player(page))).toBeGreaterThan(0)
  })
  await test.step('delete', async () => {
    await page.getByRole('button', { name: `Hapus ${VIDEO}` }).click()
    await expect(page.getByRole('alertdialog')).toContainText(`Yakin mau hapus video "${VIDEO}"?`)
    await page.getByRole('alertdialog').getByRole('button', { name: 'Hapus' }).click()
    await expectSaid(page, 'Video berhasil dihapus.')
    await expect(page.getByText(EMPTY)).toBeVisible()
    await expect(player(page)).not.toHaveAttribute('src')
  })
  for (const made of calls) expect(made).toEqual({ keyed: true, inAddress: false, bearer: undefined })
})

test('[V3-01] the address of the service is a setting: another server answers @long', async ({
  page,
  account,
  siarin,
  clip,
}) => {
  // The service is the server of all tests; the page comes from one that only points to it.
  const { user } = await account.session(await account.register())
  const pageServer = await startSiarin({ env: { VIDEO_SERVICE_URL: siarin.url } })
  try {
    await noteSaid(page)
    await page.goto(`${pageServer.url}${SCREEN}`)
    await key(page).fill(user.apiKey)
    await key(page).press('Enter')
    await expect(page.getByText(EMPTY)).toBeVisible()
    await chooser(page).setInputFiles(await clip(VIDEO, { seconds: 3 }))
    await expectSaid(page, 'Upload berhasil.')
    await ready(page, VIDEO)
    await pickButton(page, VIDEO).click()
    await expect.poll(() => currentTime(player(page))).toBeGreaterThan(0)
    expect(await player(page).getAttribute('src')).toContain(siarin.url)
    await page.getByRole('button', { name: `Hapus ${VIDEO}` }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Hapus' }).click()
    await expectSaid(page, 'Video berhasil dihapus.')
  } finally {
    await pageServer.dispose()
  }
})

test('[V3-01] [V3-02] Bigo and Live are sample data with id and duration; Go starts nothing; an upload shows its progress and can be called off', async ({
  page,
  account,
  clip,
}) => {
  const { user } = await account.login(page, await account.register())
  await page.goto(SCREEN)
  // Who is logged in has their own key in the field.
  await expect(key(page)).toHaveValue(user.apiKey)
  await tab(page, 'Bigo').click()
  const online = page.getByRole('list', { name: 'Video online' }).getByRole('listitem')
  await expect(online).toHaveCount(3)
  await expect(online.first()).toContainText(/ID 1 · \d+,\d\d MB · 60m 0s/)
  await expect(online.first().getByText('Online', { exact: true })).toBeVisible()
  await online.first().getByRole('button').click()
  await expect(page.getByTestId('current-video')).toHaveText('Musik santai sore')
  await expect.poll(() => currentTime(player(page))).toBeGreaterThan(0)

  await tab(page, 'Live').click()
  const streams = page.getByRole('list', { name: 'Siaran aktif' }).getByRole('listitem')
  await expect(streams).toHaveCount(2)
  await expect(streams.first()).toContainText('ID contoh-1001')
  await expect(streams.first()).toContainText(/Mulai 5 Jan 2026 19\.30 WIB · 1440m 0s/)
  await expect(streams.first()).toContainText('YouTube')

  await test.step('the Go tab', async () => {
    await streams.first().getByRole('button', { pressed: false }).first().click()
    await tab(page, 'Go').click()
    await expect(page.getByTestId('chosen-source')).toHaveText('Musik belajar 24 jam')
    await expect(page.getByLabel('Judul live')).toBeVisible()
    const platform = page.getByLabel('Platform')
    await expect(platform.getByRole('option')).toHaveText(['Facebook', 'TikTok', 'YouTube'])
    await expect(page.getByLabel('Steam Key')).toBeVisible()
    await platform.selectOption('tiktok')
    await expect(page.getByLabel('Steam Key')).toHaveCount(0)
    await platform.selectOption('facebook')
    await page.getByLabel('Steam Key').fill('abcd-efgh')

    const sent: string[] = []
    // The list asks for a ticket for its pictures.
    const starts = (url: string) => !url.endsWith('/fitur/video/ticket')
    page.on('request', (request) => request.method() !== 'GET' && starts(request.url()) && sent.push(request.url()))
    await page.getByRole('button', { name: 'Go Live' }).click()
    await page.getByLabel('Steam Key').press('Enter')
    await tab(page, 'Lokal').click()
    await expect(page.getByText(EMPTY)).toBeVisible()
    expect(sent).toEqual([])
  })
  await expectNoSidewaysScroll(page)

  await test.step('an upload', async () => {
    await slowUploads(page)
    await chooser(page).setInputFiles(await heavyClip(clip, 'berat.mp4'))
    await reach(page, 5)
    await expect(bar(page)).toBeVisible()
    await page.getByRole('button', { name: 'Batalkan' }).click()
    await expect(bar(page)).toHaveCount(0)
    await expect(page.getByRole('button', { name: /^Klik atau seret video/ })).toBeVisible()
    await expect(rows(page)).toHaveCount(0)
  })
})
