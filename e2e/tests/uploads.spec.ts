import { readFile, truncate, writeFile } from 'node:fs/promises'
import type { Page, Request } from '@playwright/test'
import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import { RESUMABLE_UPLOAD_PATH } from '@siarin/contracts/videos'
import { createAccount } from '../support/account.ts'
import { openLine } from '../support/cuttable-line.ts'
import { expect, test } from '../support/fixtures.ts'
import { keepMessages } from '../support/lasting-messages.ts'
import {
  bar,
  chooser,
  heavyClip,
  openLive,
  percent,
  reach,
  row,
  rows,
  slowUploads,
  uploaded,
} from '../support/live-screen.ts'

/** For the page's own functions below. */
declare const DataTransfer: new () => { items: { add(file: File): void } }

/** What the page asks of tus: how often it begins a new upload, and from where each piece is sent. */
function watchTus(page: Page): { created: () => number; offsets: () => number[] } {
  const seen: Request[] = []
  page.on('request', (request) => request.url().includes(RESUMABLE_UPLOAD_PATH) && seen.push(request))
  const of = (method: string) => seen.filter((request) => request.method() === method)
  return {
    created: () => of('POST').length,
    offsets: () => of('PATCH').map((request) => Number(request.headers()['upload-offset'])),
  }
}

/** Drags over the upload area and, where `content` is given, drops it there as a file. */
async function drag(page: Page, type: 'dragenter' | 'drop', content?: { name: string; base64: string }): Promise<void> {
  const dataTransfer = await page.evaluateHandle((file) => {
    const transfer = new DataTransfer()
    if (!file) return transfer
    const bytes = Uint8Array.from(atob(file.base64), (char) => char.charCodeAt(0))
    transfer.items.add(new File([bytes], file.name, { type: 'video/mp4' }))
    return transfer
  }, content)
  await page.getByRole('button', { name: 'Klik atau seret video ke sini' }).dispatchEvent(type, { dataTransfer })
}

test('[LIVE-02] an upload begins by click or by drag and drop, one video at a time', async ({
  page,
  account,
  clip,
}) => {
  await openLive(page, account)
  const area = page.getByRole('button', { name: 'Klik atau seret video ke sini' })

  const opened = page.waitForEvent('filechooser')
  await area.click()
  expect((await opened).isMultiple()).toBe(false)
  expect(await chooser(page).getAttribute('accept')).toContain('video/*')

  await expect(area).toHaveAttribute('data-dragging', 'false')
  await drag(page, 'dragenter')
  await expect(area).toHaveAttribute('data-dragging', 'true')
  await drag(page, 'drop')
  await expect(page.getByText('Pilih file video.')).toBeVisible()
  await expect(area).toHaveAttribute('data-dragging', 'false')

  await chooser(page).setInputFiles({ name: 'catatan.txt', mimeType: 'text/plain', buffer: Buffer.from('halo') })
  await expect(page.getByText('Pilih file video.')).toBeVisible()

  const base64 = (await readFile(await clip('seret.mp4', { seconds: 3 }))).toString('base64')
  await drag(page, 'drop', { name: 'seret.mp4', base64 })
  await expect(uploaded(page)).toBeVisible()
  await expect(row(page, 'seret.mp4')).toBeVisible()
})

test('[LIVE-03] an upload shows progress, speed and the time left, then the video', async ({ page, account, clip }) => {
  await openLive(page, account)
  const speedUp = await slowUploads(page, 250_000)
  await expect(bar(page)).toHaveCount(0)
  await chooser(page).setInputFiles(await heavyClip(clip, 'progres.mp4'))
  await reach(page, 20)
  expect(await percent(page)).toBeLessThan(100)
  await expect(page.getByTestId('upload-figures')).toHaveText(
    /^[\d,]+ MB dari [\d,]+ MB · [\d,]+ [KM]B\/s · sisa \d+ detik$/,
  )
  await chooser(page).setInputFiles(await clip('kedua.mp4', { seconds: 3 }))
  await expect(page.getByText('Tunggu sampai upload ini selesai')).toBeVisible()

  await speedUp()
  await expect(uploaded(page)).toBeVisible({ timeout: 120_000 })
  await expect(bar(page)).toHaveCount(0)
  await expect(rows(page)).toHaveCount(1)
  await expect(row(page, 'progres.mp4')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Klik atau seret video ke sini' })).toBeEnabled()
})

test('an upload goes on where it stopped after the line was cut', async ({ browser, address, clip, siarin }) => {
  const line = await openLine(siarin.port)
  const context = await browser.newContext({ baseURL: line.url, extraHTTPHeaders: { 'X-Forwarded-For': address } })
  await keepMessages(context)
  const page = await context.newPage()
  try {
    await openLive(page, createAccount(context.request))
    const speedUp = await slowUploads(page)
    const tus = watchTus(page)
    const refused: string[] = []
    page.on(
      'requestfailed',
      (request) => request.url().includes(RESUMABLE_UPLOAD_PATH) && refused.push(request.method()),
    )
    await chooser(page).setInputFiles(await heavyClip(clip, 'putus.mp4'))
    await reach(page, 20)
    line.cut()
    await expect(page.getByText('Koneksi terputus, menyambung ulang…')).toBeVisible()
    // The piece that was cut off, and two tries that found no line: it is still being tried.
    await expect.poll(() => refused.length).toBeGreaterThanOrEqual(3)
    await expect(page.getByText('Koneksi terputus, menyambung ulang…')).toBeVisible()
    await speedUp()
    await line.mend()
    await expect(uploaded(page)).toBeVisible({ timeout: 120_000 })
    await expect(row(page, 'putus.mp4')).toBeVisible()
    expect(tus.created()).toBe(1)
    expect(tus.offsets().at(-1)).toBeGreaterThan(0)
  } finally {
    await context.close()
    line.close()
  }
})

test('an upload goes on where it stopped after the server was restarted @long', async ({
  page,
  account,
  clip,
  siarin,
}) => {
  await openLive(page, account)
  const speedUp = await slowUploads(page)
  const tus = watchTus(page)
  await chooser(page).setInputFiles(await heavyClip(clip, 'restart.mp4'))
  await reach(page, 20)
  await siarin.restart()
  await speedUp()
  await expect(uploaded(page)).toBeVisible({ timeout: 120_000 })
  await expect(row(page, 'restart.mp4')).toBeVisible()
  expect(tus.created()).toBe(1)
  expect(tus.offsets().at(-1)).toBeGreaterThan(0)
})

test('an upload goes on where it stopped when the same file is chosen after the tab was closed @long', async ({
  browser,
  address,
  clip,
  siarin,
}) => {
  const file = await heavyClip(clip, 'tab tertutup.mp4')
  const line = await openLine(siarin.port)
  const context = await browser.newContext({ baseURL: line.url, extraHTTPHeaders: { 'X-Forwarded-For': address } })
  try {
    await keepMessages(context)
    const page = await context.newPage()
    await openLive(page, createAccount(context.request))
    await slowUploads(page)
    await chooser(page).setInputFiles(file)
    await reach(page, 20)
    // The throttle goes with the page, and what it held back would still arrive.
    line.cut()
    await page.close()
    await line.mend()

    const again = await context.newPage()
    const tus = watchTus(again)
    await again.goto('/fitur/live')
    await expect(again.getByText(/Upload tab tertutup\.mp4 belum selesai/)).toBeVisible()
    const speedUp = await slowUploads(again, 100_000)
    await chooser(again).setInputFiles(file)
    await expect(again.getByText('Melanjutkan upload…')).toBeVisible()
    await speedUp()
    await expect(uploaded(again)).toBeVisible({ timeout: 120_000 })
    expect(tus.created()).toBe(0)
    expect(tus.offsets()[0]).toBeGreaterThan(0)
    await expect(again.getByText(/belum selesai/)).toHaveCount(0)
  } finally {
    await context.close()
    line.close()
  }
})

test('an upload survives a look at another screen @long', async ({ page, account, clip }) => {
  await openLive(page, account)
  const speedUp = await slowUploads(page, 100_000)
  await chooser(page).setInputFiles(await heavyClip(clip, 'jalan terus.mp4'))
  await reach(page, 2)
  await page.getByRole('button', { name: 'Dokumentasi' }).click()
  await page.getByRole('menuitem', { name: 'Pengantar' }).click()
  await expect(page).toHaveURL('/documentation')
  await expect(uploaded(page)).toHaveCount(0)
  await speedUp()
  await expect(uploaded(page)).toBeVisible({ timeout: 120_000 })
  await page.goto('/fitur/live')
  await expect(row(page, 'jalan terus.mp4')).toBeVisible()
})

test('an upload can be cancelled and leaves nothing', async ({ page, account, clip }) => {
  await openLive(page, account)
  await slowUploads(page, 100_000)
  await chooser(page).setInputFiles(await heavyClip(clip, 'batal.mp4'))
  await reach(page, 2)
  const thrownAway = page.waitForResponse((response) => response.request().method() === 'DELETE')
  await page.getByRole('button', { name: 'Batalkan' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Batalkan upload' }).click()
  await expect(page.getByText('Upload dibatalkan.')).toBeVisible()
  expect((await thrownAway).status()).toBe(204)
  await expect(bar(page)).toHaveCount(0)
  await page.reload()
  await expect(page.getByText('Anda belum mengupload video.')).toBeVisible()
  await expect(page.getByText(/belum selesai/)).toHaveCount(0)
})

test('an upload of a text file that calls itself .mp4 is refused with the reason', async ({ page, account }) => {
  await openLive(page, account)
  const tus = watchTus(page)
  const buffer = Buffer.from('ini bukan video, hanya teks\n'.repeat(5000))
  await chooser(page).setInputFiles({ name: 'tipuan.mp4', mimeType: 'video/mp4', buffer })
  await expect(page.getByText(VIDEO_TEXTS.unreadable)).toBeVisible()
  await expect(page.getByText('Anda belum mengupload video.')).toBeVisible()
  expect(tus.offsets()).toHaveLength(1)
})

test('an upload that does not fit is refused before a byte travels', async ({ page, account }, testInfo) => {
  await openLive(page, account)
  await expect(page.getByTestId('storage')).toHaveText('Terpakai 0 B dari 20 GB')
  const huge = testInfo.outputPath('raksasa.mp4')
  await writeFile(huge, '')
  await truncate(huge, 21 * 1024 ** 3)
  const tus = watchTus(page)
  await chooser(page).setInputFiles(huge)
  await expect(page.getByText(VIDEO_TEXTS.overRoom('20,00 GB', '21,00 GB'))).toBeVisible()
  expect(tus.created()).toBe(0)
})
