import type { APIRequestContext, Locator, Page } from '@playwright/test'
import type { SessionUser } from '@siarin/contracts/auth'
import { faults } from '../support/axe.ts'
import { newName, PATIENT, stop, streams, tab, word } from '../support/broadcasts.ts'
import { DEVICES } from '../support/devices.ts'
import { drag } from '../support/drag.ts'
import { expect, test } from '../support/fixtures.ts'
import { atEachSize, expectNoSidewaysScroll } from '../support/layout.ts'
import { uploadByApi, videosReady } from '../support/videos-by-api.ts'

const rows = (page: Page): Locator => page.getByRole('list', { name: 'Isi playlist' }).getByRole('listitem')
const names = (page: Page): Locator => rows(page).getByRole('heading')
const dialog = (page: Page): Locator => page.getByRole('dialog')
const heading = (page: Page, name: string): Locator => page.getByRole('heading', { level: 1, name })
const idOf = (page: Page): string => new URL(page.url()).searchParams.get('id') ?? ''

async function bringVideos(page: Page, user: SessionUser, files: readonly string[]): Promise<void> {
  for (const file of files) await uploadByApi(page.request, user, file)
  await videosReady(page.request, user)
}

async function call(request: APIRequestContext, user: SessionUser, path: string, method: string, data: object) {
  const answer = await request.fetch(path, { method, headers: { 'X-API-Key': user.apiKey }, data })
  expect(answer.ok(), await answer.text()).toBe(true)
  return answer.json()
}

async function wellMade(page: Page): Promise<void> {
  await expectNoSidewaysScroll(page)
  expect(await faults(page)).toEqual([])
}

/** On a phone an item's buttons are asked for. */
async function openActions(page: Page, name: string): Promise<void> {
  const more = page.getByRole('button', { name: `Pilihan untuk ${name}` }).first()
  if (await more.isVisible()) await more.click()
}

for (const { device, use } of DEVICES) {
  test.describe(device, () => {
    test.use(use)

    test('[LIST-01] [LIST-02] a playlist is made of the library, put in order by hand and by keyboard, and never overwrites what somebody else changed', async ({
      page,
      account,
      clip,
      request,
    }) => {
      const { user } = await account.login(page, await account.register())
      await bringVideos(page, user, [
        await clip('senja.mp4', { seconds: 3 }),
        await clip('fajar.mp4', { seconds: 4 }),
        await clip('besar.mp4', { seconds: 3, width: 640, height: 360 }),
      ])
      await page.goto('/fitur')
      await page.getByRole('main').getByRole('link', { name: 'Playlist' }).click()

      await test.step('nothing is there at first; a list needs a name', async () => {
        await page.getByRole('button', { name: 'Buat playlist pertama' }).click()
        await dialog(page).getByRole('button', { name: 'Buat playlist' }).click()
        await expect(dialog(page).getByText('Isi nama playlist.')).toBeVisible()
        await dialog(page).getByLabel('Nama').fill('Malam minggu')
        await dialog(page).getByRole('button', { name: 'Buat playlist' }).click()
        await expect(heading(page, 'Malam minggu')).toBeVisible()
        await expect(page.getByText('Playlist ini masih kosong.')).toBeVisible()
        await expect(page.getByRole('link', { name: 'Siarkan' })).toHaveCount(0)
      })

      await test.step('videos are searched for and ticked, and come in the order of the ticks', async () => {
        await page.getByRole('button', { name: 'Pilih video' }).click()
        const choices = dialog(page).getByRole('listitem')
        await expect(choices).toHaveCount(3)
        await expect(dialog(page).getByRole('button', { name: 'Tambahkan' })).toBeDisabled()
        await dialog(page).getByLabel('Cari video').fill('SENJA')
        await expect(choices).toHaveCount(1)
        await dialog(page)
          .getByRole('checkbox', { name: /senja\.mp4/ })
          .check()
        await dialog(page).getByLabel('Cari video').fill('')
        await dialog(page)
          .getByRole('checkbox', { name: /fajar\.mp4/ })
          .check()
        await dialog(page)
          .getByRole('checkbox', { name: /besar\.mp4/ })
          .check()
        expect(await faults(page)).toEqual([])
        await dialog(page).getByRole('button', { name: 'Tambahkan 3 video' }).click()
        await expect(dialog(page)).toHaveCount(0)
        await expect(names(page)).toHaveText(['senja.mp4', 'fajar.mp4', 'besar.mp4'])
        await expect(page.getByText('3 video · 10 detik')).toBeVisible()
      })

      await test.step('each item says what happens where it joins the others', async () => {
        await expect(rows(page).filter({ hasText: 'senja.mp4' })).not.toContainText('tersambung ulang')
        await expect(rows(page).filter({ hasText: 'besar.mp4' })).toContainText('tersambung ulang sekitar 1 detik')
        await expectNoSidewaysScroll(page)
        expect(await faults(page)).toEqual([])
      })

      await test.step('the keyboard moves an item, and keeps hold of it', async () => {
        await openActions(page, 'senja.mp4')
        await page.getByRole('button', { name: 'Turun senja.mp4' }).focus()
        await page.keyboard.press('Enter')
        await expect(names(page)).toHaveText(['fajar.mp4', 'senja.mp4', 'besar.mp4'])
        await expect(page.getByRole('button', { name: 'Turun senja.mp4' })).toBeFocused()
        await page.keyboard.press('Enter')
        await expect(names(page)).toHaveText(['fajar.mp4', 'besar.mp4', 'senja.mp4'])
        // It cannot go further down: its other button has the focus.
        await expect(page.getByRole('button', { name: 'Naik senja.mp4' })).toBeFocused()
        await expect(page.getByText('senja.mp4 dipindah ke urutan 3 dari 3.')).toBeVisible()
      })

      await test.step('a row is dragged by its handle, and the server has the order', async () => {
        const moved = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
        await drag(page, rows(page).nth(2), rows(page).nth(0), use.hasTouch === true)
        await expect(names(page)).toHaveText(['senja.mp4', 'fajar.mp4', 'besar.mp4'])
        expect((await moved).status()).toBe(200)
        await page.reload()
        await expect(names(page)).toHaveText(['senja.mp4', 'fajar.mp4', 'besar.mp4'])
      })

      await test.step('an item is repeated and taken out, and the order is shuffled', async () => {
        await openActions(page, 'senja.mp4')
        await page.getByRole('button', { name: 'Ulangi senja.mp4' }).click()
        await expect(names(page)).toHaveText(['senja.mp4', 'senja.mp4', 'fajar.mp4', 'besar.mp4'])
        const repeated = rows(page).nth(1)
        if (use.hasTouch) await repeated.getByRole('button', { name: 'Pilihan untuk senja.mp4' }).click()
        await repeated.getByRole('button', { name: 'Keluarkan senja.mp4' }).click()
        await expect(names(page)).toHaveText(['senja.mp4', 'fajar.mp4', 'besar.mp4'])
        const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
        await page.getByLabel('Acak tiap putaran').check()
        expect((await saved).status()).toBe(200)
        await page.reload()
        await expect(page.getByLabel('Acak tiap putaran')).toBeChecked()
      })

      await test.step('what somebody else changed meanwhile is loaded, and the change is asked for again', async () => {
        await openActions(page, 'senja.mp4')
        await call(request, user, `/fitur/playlist/${idOf(page)}`, 'PATCH', { name: 'Malam Senin' })
        await page.getByRole('button', { name: 'Turun senja.mp4' }).click()
        await expect(page.getByText('Playlist ini baru saja diubah di tempat lain.')).toBeVisible()
        await expect(heading(page, 'Malam Senin')).toBeVisible()
        await expect(names(page)).toHaveText(['senja.mp4', 'fajar.mp4', 'besar.mp4'])
        await page.getByRole('button', { name: 'Turun senja.mp4' }).click()
        await expect(names(page)).toHaveText(['fajar.mp4', 'senja.mp4', 'besar.mp4'])
      })

      await test.step('it gets another name, and is deleted from the list of all', async () => {
        const name = `🌸 ليلى ${'Panjang'.repeat(9)}`
        await page.getByRole('button', { name: 'Ganti nama playlist' }).click()
        await dialog(page).getByLabel('Nama').fill(name)
        await dialog(page).getByRole('button', { name: 'Simpan' }).click()
        await expect(heading(page, name)).toBeVisible()
        await page.getByRole('link', { name: 'Semua playlist' }).click()
        const row = page.getByRole('list', { name: 'Playlist' }).getByRole('listitem')
        await expect(row).toContainText('3 video')
        await expect(row).toContainText('10 detik')
        await expectNoSidewaysScroll(page)
        expect(await faults(page)).toEqual([])
        await row.getByRole('button', { name: /^Hapus/ }).click()
        await page.getByRole('alertdialog').getByRole('button', { name: 'Hapus' }).click()
        await expect(page.getByRole('button', { name: 'Buat playlist pertama' })).toBeVisible()
      })
    })

    test('[LIST-01] [LIST-02] a playlist goes on air from a chosen item, says what plays now and next, skips, and is changed meanwhile', async ({
      page,
      account,
      clip,
      request,
      rtmp,
    }) => {
      const { user } = await account.login(page, await account.register())
      // Long enough for each state to be seen, also on a busy machine.
      const videos = ['satu.mp4', 'dua.mp4', 'tiga.mp4']
      const files = videos.map((name, index) => clip(name, { seconds: 18 + index }))
      await bringVideos(page, user, await Promise.all(files))
      const { playlist } = await call(request, user, '/fitur/playlist', 'POST', { name: 'Malam minggu', videos })
      await page.goto(`/fitur/playlist?id=${playlist.id}`)
      await expect(names(page)).toHaveText(videos)
      await openActions(page, 'dua.mp4')
      await page.getByRole('link', { name: 'Siarkan mulai dari dua.mp4' }).click()
      const name = newName()

      await test.step('the Go form has it as its source', async () => {
        await expect(page.getByTestId('chosen-source')).toHaveText('Malam minggu')
        await expect(page.getByText('mulai dari dua.mp4')).toBeVisible()
        await expect(page.getByLabel('Selesai setelah satu putaran')).not.toBeChecked()
        await page.getByLabel('Platform').selectOption({ label: 'Lainnya' })
        await page.getByLabel('RTMP/stream key').fill(`${rtmp.url}/${name}`)
        await page.getByRole('button', { name: 'Go Live' }).click()
        await expect(page.getByText('Siaran langsung dimulai!')).toBeVisible()
        await tab(page, 'Live').click()
      })

      const row = streams(page).first()
      const now = row.getByTestId('playlist-now')
      await test.step('the row says what plays, what follows, and leaves out the next', async () => {
        await expect(word(row, 'Tayang')).toBeVisible()
        await expect(now).toContainText('Sekarang: dua.mp4')
        await expect(now).toContainText('Berikutnya: tiga.mp4')
        await expect(now).toContainText(/2 dari 3 · 0:\d\d \/ 0:57/)
        await expect(now).toContainText(/0:\d\d \/ 0:19/)
        await row.getByRole('button', { name: /^Lewati berikutnya: / }).click()
        await expect(page.getByText('Item berikutnya dilewati.')).toBeVisible()
        await expect(now).toContainText('Berikutnya: satu.mp4')
      })
      const before = await rtmp.waitForPublisher(name, { growing: true, ...PATIENT })

      await test.step('a change on air says when it takes effect, and a list on air is not deleted', async () => {
        await row.getByRole('link', { name: 'Ubah playlist' }).click()
        await expect(page.getByText('Perubahan berlaku pada sambungan berikutnya.')).toBeVisible()
        await expect(rows(page).filter({ hasText: 'dua.mp4' }).getByText('Sekarang')).toBeVisible()
        await openActions(page, 'tiga.mp4')
        await page.getByRole('button', { name: 'Keluarkan tiga.mp4' }).click()
        await expect(page.getByRole('status').filter({ hasText: 'dikeluarkan' })).toContainText(
          'Perubahan berlaku pada sambungan berikutnya.',
        )
        await expect(names(page)).toHaveText(['satu.mp4', 'dua.mp4'])
        expect(await faults(page)).toEqual([])
        await page.getByRole('button', { name: 'Hapus playlist' }).click()
        await page.getByRole('alertdialog').getByRole('button', { name: 'Hapus' }).click()
        await expect(page.getByText('Playlist sedang dipakai siaran langsung.')).toBeVisible()
        await page.goto('/fitur/live?tab=live')
        await expect(now).toContainText('dari 2')
      })

      await expectNoSidewaysScroll(page)
      // Half a minute of a video's time: once is enough.
      if (device === 'desktop') {
        await test.step('the next item comes in the same session', async () => {
          await expect(now).toContainText('Sekarang: satu.mp4', { timeout: 90_000 })
          await expect(now).toContainText('1 dari 2')
          const after = await rtmp.waitForPublisher(name, { growing: true, ...PATIENT })
          expect(after.id).toBe(before.id)
        })
      }

      await test.step('what has ended is begun again as the playlist that it was', async () => {
        await stop(page, row)
        await page.getByRole('button', { name: 'Siarkan lagi' }).click()
        await expect(page.getByTestId('chosen-source')).toHaveText('Malam minggu')
        await expect(page.getByText('2 video', { exact: true })).toBeVisible()
      })
    })
  })
}

test('[LIST-04] videos that are not alike are made so by one button, with progress, and then join without a gap @long', async ({
  page,
  account,
  clip,
  request,
}) => {
  const { user } = await account.login(page, await account.register())
  await bringVideos(page, user, [
    await clip('siang.mp4', { seconds: 4, width: 640, height: 360 }),
    await clip('malam.mp4', { seconds: 3, width: 640, height: 480 }),
  ])
  const videos = ['siang.mp4', 'malam.mp4']
  const { playlist } = await call(request, user, '/fitur/playlist', 'POST', { name: 'Campur', videos })
  await page.goto(`/fitur/playlist?id=${playlist.id}`)
  const notice = page.getByRole('region', { name: 'Format video' })

  await test.step('it is said what happens, and what mending it takes', async () => {
    await expect(notice).toContainText('1 video berbeda format: ada jeda singkat saat berganti.', {
      timeout: PATIENT.timeoutMs,
    })
    await expect(notice).toContainText(/untuk 2 video\. Hasilnya 640×480 · 25 fps · 1\.500 kbps/)
    await atEachSize(page, () => wellMade(page))
  })

  await test.step('one button, and every item joins without a gap', async () => {
    await notice.getByRole('button', { name: 'Samakan format' }).click()
    await expect(notice.getByRole('progressbar', { name: 'Menyamakan format video' })).toBeVisible()
    await expect(rows(page).first()).toContainText('Menyamakan format: ')
    await atEachSize(page, () => wellMade(page))
    await expect(notice).toHaveCount(0, { timeout: 60_000 })
    await expect(rows(page).filter({ hasText: /[Ff]ormat/ })).toHaveCount(0)
  })
})
