import { readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename } from 'node:path'
import type { Locator, Page, Request } from '@playwright/test'
import { formatBytes } from '@siarin/contracts/format'
import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import { RESUMABLE_UPLOAD_PATH } from '@siarin/contracts/videos'
import type { Account } from '../support/account.ts'
import type { cachedClip } from '../support/clip-cache.ts'
import { expect, test } from '../support/fixtures.ts'

/** What the page's own functions use below; the tests themselves run in Node and know no DOM. */
declare const DataTransfer: new () => { items: { add(file: File): void } }
declare const MutationObserver: new (seen: () => void) => { observe(node: unknown, options: object): void }
declare const document: { addEventListener(type: string, heard: () => void, options: object): void }
interface PlayingVideo {
  currentTime: number
  muted: boolean
  pause(): void
  addEventListener(type: string, heard: () => void, options: object): void
}

const SLOW_BYTES_PER_SECOND = 700_000

const list = (page: Page): Locator => page.getByRole('list', { name: 'Video lokal' })
const rows = (page: Page): Locator => list(page).getByRole('listitem')
const row = (page: Page, name: string): Locator => rows(page).filter({ hasText: name })
const pickButton = (page: Page, name: string): Locator =>
  row(page, name).getByRole('button', { pressed: false }).first()
const chooser = (page: Page): Locator => page.getByLabel('File video')
const bar = (page: Page): Locator => page.getByRole('progressbar', { name: 'Upload' })
const uploaded = (page: Page): Locator => page.getByText('Upload berhasil.')
const player = (page: Page): Locator => page.locator('main video').first()

async function openLive(page: Page, account: Account): Promise<void> {
  await account.login(page, await account.register())
  await page.goto('/fitur/live')
  await expect(page.getByText('Anda belum mengupload video.')).toBeVisible()
}

async function upload(page: Page, file: string): Promise<void> {
  await chooser(page).setInputFiles(file)
  await expect(uploaded(page)).toBeVisible()
  await expect(row(page, basename(file))).toBeVisible()
}

const ready = (page: Page, name: string): Promise<void> =>
  expect(row(page, name).getByTestId('video-state')).toHaveCount(0, { timeout: 45_000 })

/** Some megabytes, so that a slow line needs seconds for them. */
const heavyClip = (clip: typeof cachedClip, name: string): Promise<string> =>
  clip(name, {
    seconds: 4,
    width: 1280,
    height: 720,
    extraArgs: ['-b:v', '12M', '-minrate', '12M', '-maxrate', '12M', '-bufsize', '12M', '-x264-params', 'nal-hrd=cbr'],
  })

async function slowUploads(page: Page, bytesPerSecond = SLOW_BYTES_PER_SECOND): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: bytesPerSecond,
  })
}

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

const percent = async (page: Page): Promise<number> =>
  Number(
    (await bar(page)
      .getAttribute('aria-valuenow', { timeout: 1000 })
      .catch(() => '0')) ?? 0,
  )

const reach = (page: Page, share: number): Promise<void> =>
  expect.poll(() => percent(page), { timeout: 20_000, intervals: [100] }).toBeGreaterThanOrEqual(share)

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

test.describe('uploading', () => {
  test('[LIVE-02] by click or by drag and drop, one video at a time', async ({ page, account, clip }) => {
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

  test('[LIVE-03] shows progress, speed and the time left, then the video', async ({ page, account, clip }) => {
    await openLive(page, account)
    await slowUploads(page)
    await expect(bar(page)).toHaveCount(0)
    await chooser(page).setInputFiles(await heavyClip(clip, 'progres.mp4'))
    await reach(page, 30)
    expect(await percent(page)).toBeLessThan(100)
    await expect(page.getByTestId('upload-figures')).toHaveText(
      /^[\d,]+ MB dari [\d,]+ MB · [\d,]+ [KM]B\/s · sisa \d+ dtk$/,
    )
    await chooser(page).setInputFiles(await clip('kedua.mp4', { seconds: 3 }))
    await expect(page.getByText('Tunggu sampai upload ini selesai')).toBeVisible()

    await expect(uploaded(page)).toBeVisible({ timeout: 30_000 })
    await expect(bar(page)).toHaveCount(0)
    await expect(rows(page)).toHaveCount(1)
    await expect(row(page, 'progres.mp4')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Klik atau seret video ke sini' })).toBeEnabled()
  })

  test('goes on where it stopped after the line was cut', async ({ page, account, clip, context }) => {
    await openLive(page, account)
    await slowUploads(page)
    const tus = watchTus(page)
    await chooser(page).setInputFiles(await heavyClip(clip, 'putus.mp4'))
    await reach(page, 40)
    await context.setOffline(true)
    await expect(page.getByText('Koneksi terputus, menyambung ulang…')).toBeVisible()
    await page.waitForTimeout(2000)
    await context.setOffline(false)
    await expect(uploaded(page)).toBeVisible({ timeout: 40_000 })
    await expect(row(page, 'putus.mp4')).toBeVisible()
    expect(tus.created()).toBe(1)
    expect(tus.offsets().at(-1)).toBeGreaterThan(0)
  })

  test('goes on where it stopped after the server was restarted', async ({ page, account, clip, siarin }) => {
    await openLive(page, account)
    await slowUploads(page)
    const tus = watchTus(page)
    await chooser(page).setInputFiles(await heavyClip(clip, 'restart.mp4'))
    await reach(page, 40)
    await siarin.restart()
    await expect(uploaded(page)).toBeVisible({ timeout: 40_000 })
    await expect(row(page, 'restart.mp4')).toBeVisible()
    expect(tus.created()).toBe(1)
    expect(tus.offsets().at(-1)).toBeGreaterThan(0)
  })

  test('goes on where it stopped when the same file is chosen after the tab was closed', async ({
    page,
    account,
    clip,
    context,
  }) => {
    const file = await heavyClip(clip, 'tab tertutup.mp4')
    await openLive(page, account)
    await slowUploads(page)
    await chooser(page).setInputFiles(file)
    await reach(page, 40)
    // The throttle goes with the page, and what it held back would still arrive.
    await context.setOffline(true)
    await page.close()
    await context.setOffline(false)

    const again = await context.newPage()
    const tus = watchTus(again)
    await again.goto('/fitur/live')
    await expect(again.getByText(/Upload tab tertutup\.mp4 belum selesai/)).toBeVisible()
    await slowUploads(again)
    await chooser(again).setInputFiles(file)
    await expect(again.getByText('Melanjutkan upload…')).toBeVisible()
    await expect(uploaded(again)).toBeVisible({ timeout: 30_000 })
    expect(tus.created()).toBe(0)
    expect(tus.offsets()[0]).toBeGreaterThan(0)
    await expect(again.getByText(/belum selesai/)).toHaveCount(0)
  })

  test('survives a look at another screen', async ({ page, account, clip }) => {
    await openLive(page, account)
    await slowUploads(page)
    await chooser(page).setInputFiles(await heavyClip(clip, 'jalan terus.mp4'))
    await reach(page, 20)
    await page.getByRole('button', { name: 'Dokumentasi' }).click()
    await page.getByRole('menuitem', { name: 'Pengantar' }).click()
    await expect(page).toHaveURL('/documentation')
    await expect(uploaded(page)).toBeVisible({ timeout: 30_000 })
    await page.goto('/fitur/live')
    await expect(row(page, 'jalan terus.mp4')).toBeVisible()
  })

  test('can be cancelled and leaves nothing', async ({ page, account, clip }) => {
    await openLive(page, account)
    await slowUploads(page)
    await chooser(page).setInputFiles(await heavyClip(clip, 'batal.mp4'))
    await reach(page, 20)
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

  test('says what is wrong with a text file that calls itself .mp4', async ({ page, account }) => {
    await openLive(page, account)
    const tus = watchTus(page)
    const buffer = Buffer.from('ini bukan video, hanya teks\n'.repeat(5000))
    await chooser(page).setInputFiles({ name: 'tipuan.mp4', mimeType: 'video/mp4', buffer })
    await expect(page.getByText(VIDEO_TEXTS.unreadable)).toBeVisible()
    await expect(page.getByText('Anda belum mengupload video.')).toBeVisible()
    expect(tus.offsets()).toHaveLength(1)
  })

  test('refuses what does not fit before a byte travels', async ({ page, account }, testInfo) => {
    await openLive(page, account)
    await expect(page.getByTestId('storage')).toHaveText('Terpakai 0 B dari 20 GB')
    const huge = testInfo.outputPath('raksasa.mp4')
    await writeFile(huge, '')
    await truncate(huge, 21 * 1024 ** 3)
    const tus = watchTus(page)
    await chooser(page).setInputFiles(huge)
    await expect(page.getByText(VIDEO_TEXTS.noRoom('20,00 GB', '21,00 GB'))).toBeVisible()
    expect(tus.created()).toBe(0)
  })
})

test.describe('the list', () => {
  test('[LIVE-04] [LIVE-05] shows each video with its facts, newest first', async ({ page, account, clip }) => {
    const first = await clip('pertama.mp4', { seconds: 3 })
    const second = await clip('kedua 🎉 "kutip".mp4', { seconds: 62, fps: 5 })
    await openLive(page, account)
    await upload(page, first)
    await upload(page, second)

    await expect(rows(page)).toHaveCount(2)
    await expect(rows(page).nth(0)).toContainText(basename(second))
    await expect(rows(page).nth(1)).toContainText(basename(first))

    const sizeOf = async (file: string) => formatBytes((await stat(file)).size)
    const today = new Intl.DateTimeFormat('id-ID', { dateStyle: 'medium', timeZone: 'Asia/Jakarta' }).format(new Date())
    const facts = async (file: string, duration: string) =>
      new RegExp(`${(await sizeOf(file)).replaceAll('.', '\\.')} · ${duration} · ${today} \\d\\d\\.\\d\\d WIB`)
    await expect(rows(page).nth(0)).toContainText(await facts(second, '1m 2s'))
    await expect(rows(page).nth(1)).toContainText(await facts(first, '0m 3s'))
    expect(await sizeOf(first)).toMatch(/^[\d.]+,\d\d (KB|MB)$/)
    for (const file of [first, second]) {
      await expect(page.getByRole('button', { name: `Hapus ${basename(file)}`, exact: true })).toBeVisible()
    }

    await ready(page, basename(first))
    await expect(row(page, basename(first))).toContainText('320×180 · 25 fps · H.264/AAC')
    const picture = row(page, basename(first)).locator('img')
    await expect
      .poll(() => picture.evaluate((img) => (img as { naturalWidth?: number }).naturalWidth ?? 0))
      .toBeGreaterThan(0)
  })

  test('[LIVE-06] deletes after a question and clears what was chosen', async ({ page, account, clip }) => {
    const file = await clip('hapus saya.mp4', { seconds: 3 })
    await openLive(page, account)
    await upload(page, file)
    await ready(page, 'hapus saya.mp4')
    await pickButton(page, 'hapus saya.mp4').click()
    await expect(page.getByTestId('current-video')).toHaveText('hapus saya.mp4')

    const trash = page.getByRole('button', { name: 'Hapus hapus saya.mp4' })
    await trash.click()
    const question = page.getByRole('alertdialog')
    await expect(question).toContainText('Yakin mau hapus video "hapus saya.mp4"?')
    await question.getByRole('button', { name: 'Batal' }).click()
    await expect(row(page, 'hapus saya.mp4')).toBeVisible()

    await trash.click()
    await question.getByRole('button', { name: 'Hapus' }).click()
    await expect(page.getByText('Video berhasil dihapus.')).toBeVisible()
    await expect(page.getByText('Anda belum mengupload video.')).toBeVisible()
    await expect(page.getByTestId('current-video')).not.toHaveText('hapus saya.mp4')
    expect(await player(page).getAttribute('src')).toBeNull()
  })

  test('[LIVE-16] a picked video becomes source and name and plays after 100 ms', async ({ page, account, clip }) => {
    await openLive(page, account)
    await upload(page, await clip('putar.mp4', { seconds: 3 }))
    await ready(page, 'putar.mp4')

    const waitedMs = player(page).evaluate(
      (video) =>
        new Promise<number>((resolve) => {
          let clickedAt = 0
          document.addEventListener('click', () => (clickedAt = performance.now()), { capture: true, once: true })
          const sourceSet = () => resolve(performance.now() - clickedAt)
          new MutationObserver(sourceSet).observe(video, { attributeFilter: ['src'] })
        }),
    )
    await pickButton(page, 'putar.mp4').click()
    await expect(page.getByTestId('current-video')).toHaveText('putar.mp4')
    expect(await waitedMs).toBeGreaterThanOrEqual(99)
    expect(await waitedMs).toBeLessThan(1000)
    expect(await player(page).getAttribute('src')).toContain('/fitur/video/putar.mp4')
    await expect
      .poll(() => player(page).evaluate((video) => (video as unknown as PlayingVideo).currentTime))
      .toBeGreaterThan(0)
  })

  test('a thumbnail plays a silent preview while the mouse rests on it', async ({ page, account, clip }) => {
    await openLive(page, account)
    await upload(page, await clip('cuplikan.mp4', { seconds: 3 }))
    await ready(page, 'cuplikan.mp4')
    const preview = row(page, 'cuplikan.mp4').locator('video')
    await expect(preview).toHaveCount(0)
    await row(page, 'cuplikan.mp4').locator('img').hover()
    await expect
      .poll(() => preview.evaluate((video) => (video as unknown as PlayingVideo).currentTime))
      .toBeGreaterThan(0)
    expect(await preview.evaluate((video) => (video as unknown as PlayingVideo).muted)).toBe(true)
    await page.mouse.move(0, 0)
    await expect(preview).toHaveCount(0)

    await page.emulateMedia({ reducedMotion: 'reduce' })
    await row(page, 'cuplikan.mp4').locator('img').hover()
    await page.waitForTimeout(600)
    await expect(preview).toHaveCount(0)
  })

  test('plays and seeks while another video uploads', async ({ page, account, clip }) => {
    await openLive(page, account)
    await upload(page, await heavyClip(clip, 'diputar.mp4'))
    await ready(page, 'diputar.mp4')
    await slowUploads(page, 400_000)
    await chooser(page).setInputFiles(await heavyClip(clip, 'menyusul.mp4'))
    await reach(page, 5)

    await pickButton(page, 'diputar.mp4').click()
    const currentTime = () => player(page).evaluate((video) => (video as unknown as PlayingVideo).currentTime)
    await expect.poll(currentTime).toBeGreaterThan(0)
    const seekedTo = await player(page).evaluate(
      (element) =>
        new Promise<number>((resolve) => {
          const video = element as unknown as PlayingVideo
          video.pause()
          video.addEventListener('seeked', () => resolve(video.currentTime), { once: true })
          video.currentTime = 3
        }),
    )
    expect(seekedTo).toBeCloseTo(3, 1)
    await expect(bar(page)).toBeVisible()
    await expect(uploaded(page)).toBeVisible({ timeout: 40_000 })
  })
})

test('a video that is still being prepared is shown as such and not broadcast yet', async ({ page, account, clip }) => {
  // MPEG-4 must be encoded anew, and 1080p takes its time.
  const file = await clip('lama.avi', {
    seconds: 25,
    width: 1920,
    height: 1080,
    videoCodec: 'mpeg4',
    audioCodec: 'libmp3lame',
  })
  await openLive(page, account)
  await upload(page, file)
  await expect(row(page, 'lama.avi').getByTestId('video-state')).toHaveText(/^Diproses( \d+%)?$/)
  await pickButton(page, 'lama.avi').click()
  await expect(page.getByText('Video ini akan diputar di sini begitu siap.')).toBeVisible()
  await page.getByRole('tab', { name: 'Go', exact: true }).click()
  await page.getByLabel('RTMP/stream key').fill('abcd-efgh')
  await page.getByRole('button', { name: 'Go Live' }).click()
  await expect(page.getByText(VIDEO_TEXTS.notReady)).toBeVisible()
  await expect
    .poll(() => player(page).evaluate((video) => (video as unknown as PlayingVideo).currentTime), { timeout: 50_000 })
    .toBeGreaterThan(0)
})

test('a video is fetched from an address', async ({ page, account, clip }) => {
  const bytes = await readFile(await clip('dari jauh.mp4', { seconds: 3 }))
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/dari%20jauh.mp4' ? 200 : 404, { 'Content-Type': 'video/mp4' }).end(bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    await openLive(page, account)
    await page.getByRole('button', { name: 'Ambil dari alamat' }).click()
    const field = page.getByLabel('Alamat video')
    await field.fill('ftp://contoh/video.mp4')
    await page.getByRole('button', { name: 'Ambil video' }).click()
    await expect(page.getByRole('dialog').getByRole('alert')).toHaveText(VIDEO_TEXTS.urlInvalid)
    await expect(field).toHaveValue('ftp://contoh/video.mp4')

    await field.fill(`${base}/dari%20jauh.mp4`)
    await page.getByRole('button', { name: 'Ambil video' }).click()
    await expect(page.getByText(VIDEO_TEXTS.importStarted)).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(row(page, 'dari jauh.mp4')).toBeVisible()
    await ready(page, 'dari jauh.mp4')

    await page.getByRole('button', { name: 'Ambil dari alamat' }).click()
    await page.getByLabel('Alamat video').fill(`${base}/tidak-ada.mp4`)
    await page.getByRole('button', { name: 'Ambil video' }).click()
    const failed = row(page, 'tidak-ada.mp4')
    await expect(failed).toContainText('Gagal', { timeout: 20_000 })
    await expect(failed).toContainText(VIDEO_TEXTS.urlAnswered(404))
    await failed.getByRole('button', { name: 'Coba lagi' }).click()
    await expect(page.getByText(VIDEO_TEXTS.retried)).toBeVisible()
  } finally {
    server.close()
  }
})
