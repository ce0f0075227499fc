import type { Locator, Page } from '@playwright/test'
import { ffmpegsTo, goLive, newName, PATIENT, stop, streams, tab, word } from '../support/broadcasts.ts'
import { expect, test } from '../support/fixtures.ts'
import { openLiveWith, player, ready, upload } from '../support/live-screen.ts'

const dialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Ganti video' })
const choices = (page: Page): Locator => dialog(page).getByRole('list', { name: 'Video pengganti' })

test('a video like the one on air follows it at the end of its pass, in the same session and the same ffmpeg', async ({
  page,
  account,
  clip,
  rtmp,
  siarin,
}) => {
  // Long enough for the wait to be seen, also on a busy machine.
  await openLiveWith(page, account, [await clip('senja.mp4', { seconds: 15 }), await clip('fajar.mp4', { seconds: 4 })])
  const name = newName()
  await goLive(page, { video: 'senja.mp4', target: `${rtmp.url}/${name}` })
  const row = streams(page).first()
  await expect(word(row, 'Tayang')).toBeVisible()
  const before = await rtmp.waitForPublisher(name, { growing: true, ...PATIENT })
  const [carrier] = await ffmpegsTo(siarin, name)
  expect(carrier).toBeDefined()

  await test.step('the dialog offers what is ready and not on air, and says how it comes', async () => {
    await row.getByRole('button', { name: 'Ganti video' }).click()
    await expect(dialog(page)).toContainText('tanpa memutus siaran')
    await expect(choices(page).getByRole('listitem')).toHaveCount(1)
    await choices(page)
      .getByRole('button', { name: /fajar\.mp4/ })
      .click()
    await expect(dialog(page)).toBeHidden()
    await expect(page.getByText('Video akan diganti saat putaran yang sekarang selesai.')).toBeVisible()
  })

  await test.step('until it plays, the row says what comes next', async () => {
    await expect(row.getByText('Berikutnya')).toBeVisible()
    await expect(word(row, 'senja.mp4')).toBeVisible()
    await row.getByRole('button', { name: 'Ganti video' }).click()
    await expect(choices(page).getByRole('button', { name: /fajar\.mp4.*Menunggu giliran/ })).toBeDisabled()
    await dialog(page).getByRole('button', { name: 'Tutup' }).click()
  })

  await test.step('then it carries the new name, and nobody was dropped', async () => {
    await expect(word(row, 'senja.mp4')).toHaveCount(0, { timeout: 120_000 })
    await expect(word(row, 'fajar.mp4')).toBeVisible()
    await expect(row.getByText('Berikutnya')).toHaveCount(0)
    const after = await rtmp.waitForPublisher(name, { growing: true, ...PATIENT })
    expect(after.id).toBe(before.id)
    expect(after.timeMs).toBeGreaterThan(before.timeMs)
    expect((await ffmpegsTo(siarin, name)).map(({ pid }) => pid)).toEqual([carrier?.pid])
    await row.getByRole('button', { name: 'Riwayat' }).click()
    await expect(row.getByText('Video diganti: fajar.mp4')).toBeVisible()
    await expect(row.getByText(/Terputus/)).toHaveCount(0)
  })
  await stop(page, row)
})

test('a video of another size comes after a short reconnection @long', async ({ page, account, clip, rtmp }) => {
  await openLiveWith(page, account, [
    await clip('kecil.mp4', { seconds: 3 }),
    await clip('besar.mp4', { seconds: 3, width: 640, height: 360 }),
  ])
  const name = newName()
  await goLive(page, { video: 'kecil.mp4', target: `${rtmp.url}/${name}`, title: 'Kolam ikan' })
  const row = streams(page).first()
  await rtmp.waitForPublisher(name, { growing: true, ...PATIENT })
  await row.getByRole('button', { name: /Kolam ikan/ }).click()
  await expect(player(page)).toHaveAttribute('src', /kecil\.mp4/)
  await row.getByRole('button', { name: 'Ganti video' }).click()
  await expect(dialog(page)).toContainText('tersambung ulang sebentar')
  await choices(page)
    .getByRole('button', { name: /besar\.mp4/ })
    .click()
  // A broadcast with a title keeps it; the video's name stands below.
  await expect(word(row, 'besar.mp4')).toBeVisible({ timeout: 90_000 })
  await expect(word(row, 'Kolam ikan')).toBeVisible()
  // A person who watches it sees what is on air.
  await expect(player(page)).toHaveAttribute('src', /besar\.mp4/)
  await expect(word(row, 'Tayang')).toBeVisible()
  await expect.poll(async () => (await rtmp.publisher(name))?.width).toBe(640)
  await stop(page, row)
})

test('with no other video there is nothing to choose, and a refusal is said where it was asked @long', async ({
  page,
  account,
  clip,
  rtmp,
}) => {
  await openLiveWith(page, account, [await clip('satu.mp4', { seconds: 3 })])
  await goLive(page, { video: 'satu.mp4', target: `${rtmp.url}/${newName()}` })
  const row = streams(page).first()
  await expect(word(row, 'Tayang')).toBeVisible()
  await row.getByRole('button', { name: 'Ganti video' }).click()
  await expect(dialog(page)).toContainText('Belum ada video lain yang siap.')
  await page.keyboard.press('Escape')
  await expect(row.getByRole('button', { name: 'Ganti video' })).toBeFocused()

  await tab(page, 'Lokal').click()
  await upload(page, await clip('dua.mp4', { seconds: 3 }))
  await ready(page, 'dua.mp4')
  await tab(page, 'Live').click()
  await page.route('**/fitur/steam/swap', (route) =>
    route.fulfill({ status: 404, json: { success: false, message: 'Siaran tidak ditemukan atau sudah selesai.' } }),
  )
  await row.getByRole('button', { name: 'Ganti video' }).click()
  await choices(page)
    .getByRole('button', { name: /dua\.mp4/ })
    .click()
  await expect(dialog(page).getByRole('alert')).toHaveText('Siaran tidak ditemukan atau sudah selesai.')
  await page.keyboard.press('Escape')
  await stop(page, row)
})
