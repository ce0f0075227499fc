import { readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename } from 'node:path'
import { formatBytes } from '@siarin/contracts/format'
import { VIDEO_TEXTS } from '@siarin/contracts/texts'
import { ffmpegsUnder } from '@siarin/testkit/processes'
import { waitFor } from '@siarin/testkit/wait-for'
import { holdClock } from '../support/clock.ts'
import { expect, test } from '../support/fixtures.ts'
import {
  bar,
  chooser,
  currentTime,
  heavyClip,
  openLive,
  openLiveAs,
  openLiveWith,
  type PlayingVideo,
  pickButton,
  player,
  reach,
  ready,
  row,
  rows,
  slowUploads,
  upload,
  uploaded,
} from '../support/live-screen.ts'
import { OWNED_VIDEO } from '../support/member.ts'

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
    await expect(player(page)).not.toHaveAttribute('src')
  })

  test('[LIVE-16] a picked video becomes source and name and plays after 100 ms', async ({ page, owner }) => {
    await openLiveAs(page, owner)
    await holdClock(page)
    await pickButton(page, OWNED_VIDEO).click()
    await expect(page.getByTestId('current-video')).toHaveText(OWNED_VIDEO)
    await page.clock.runFor(99)
    expect(await player(page).getAttribute('src')).toBeNull()
    await page.clock.runFor(1)
    await expect(player(page)).toHaveAttribute('src', /\/fitur\/video\/kebun\.mp4/)
    await page.clock.resume()
    await expect.poll(() => currentTime(player(page))).toBeGreaterThan(0)
  })

  test('a thumbnail plays a silent preview while the mouse rests on it', async ({ page, owner }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await openLiveAs(page, owner)
    const preview = row(page, OWNED_VIDEO).locator('video')
    await expect(preview).toHaveCount(0)
    await row(page, OWNED_VIDEO).locator('img').hover()
    await expect.poll(() => currentTime(preview)).toBeGreaterThan(0)
    expect(await preview.evaluate((video) => (video as unknown as PlayingVideo).muted)).toBe(true)
    await page.mouse.move(0, 0)
    await expect(preview).toHaveCount(0)

    await page.emulateMedia({ reducedMotion: 'reduce' })
    await holdClock(page)
    await row(page, OWNED_VIDEO).locator('img').hover()
    await page.clock.runFor(5000)
    await expect(preview).toHaveCount(0)
  })

  test('plays and seeks while another video uploads @long', async ({ page, account, clip }) => {
    await openLiveWith(page, account, [await heavyClip(clip, 'diputar.mp4')])
    // It would take minutes: long enough to look at the player.
    const speedUp = await slowUploads(page, 50_000)
    await chooser(page).setInputFiles(await heavyClip(clip, 'menyusul.mp4'))
    await reach(page, 1)

    await pickButton(page, 'diputar.mp4').click()
    await expect.poll(() => currentTime(player(page))).toBeGreaterThan(0)
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
    await speedUp()
    await expect(uploaded(page)).toBeVisible({ timeout: 90_000 })
  })
})

test('a video that is still being prepared is shown as such and not broadcast yet @long', async ({
  page,
  account,
  clip,
  siarin,
}) => {
  // MPEG-4 must be encoded anew, which takes a second of one's own processor, and here many of them.
  const file = await clip('lama.avi', {
    seconds: 4,
    width: 640,
    height: 360,
    videoCodec: 'mpeg4',
    audioCodec: 'libmp3lame',
  })
  await openLive(page, account)
  await upload(page, file)
  const encoders = await waitFor('the encoder', async () => {
    // Only those of this video: what an earlier test left may still be on its way, and would hold up this one for ever.
    const isOurs = (args: string[]) => args.includes('libx264') && args.some((word) => word.endsWith('original.avi'))
    const found = (await ffmpegsUnder(siarin.dataDir)).filter(({ args }) => isOurs(args))
    return found.length > 0 && found
  })
  // It waits until we have looked.
  for (const { pid } of encoders) process.kill(pid, 'SIGSTOP')
  await expect(row(page, 'lama.avi').getByTestId('video-state')).toHaveText(/^Diproses( \d+%)?$/)
  await pickButton(page, 'lama.avi').click()
  await expect(page.getByText('Video ini akan diputar di sini begitu siap.')).toBeVisible()
  await page.getByRole('tab', { name: 'Go', exact: true }).click()
  await page.getByLabel('RTMP/stream key').fill('abcd-efgh')
  await page.getByLabel('Siarkan begitu siap').uncheck()
  await page.getByRole('button', { name: 'Go Live' }).click()
  await expect(page.getByText(VIDEO_TEXTS.notReady)).toBeVisible()
  for (const { pid } of encoders) process.kill(pid, 'SIGCONT')
  await expect.poll(() => currentTime(player(page)), { timeout: 150_000 }).toBeGreaterThan(0)
})

test('a video is fetched from an address @long', async ({ page, account, clip }) => {
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
    await expect(failed).toContainText('Gagal')
    await expect(failed).toContainText(VIDEO_TEXTS.urlAnswered(404))
    await failed.getByRole('button', { name: 'Coba lagi' }).click()
    await expect(page.getByText(VIDEO_TEXTS.retried)).toBeVisible()
  } finally {
    server.close()
  }
})
