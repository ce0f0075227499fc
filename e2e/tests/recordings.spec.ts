import { stat } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { RECORDING_TEXTS } from '@siarin/contracts/recording-texts'
import { faults } from '../support/axe.ts'
import { newName, openGo, PATIENT, stop, streams, tab, word } from '../support/broadcasts.ts'
import { DEVICES } from '../support/devices.ts'
import { expect, test } from '../support/fixtures.ts'
import { expectNoSidewaysScroll } from '../support/layout.ts'
import { openLiveWith, type PlayingVideo, ready, row } from '../support/live-screen.ts'

const VIDEO = 'kebun pagi.mp4'
const TITLE = 'Kebun di pagi hari'
/** Enough for both handles and a part between them. */
const LEAST_SECONDS = 12

const recordings = (page: Page): Locator => page.getByRole('list', { name: 'Rekaman Anda' }).getByRole('listitem')
const slider = (page: Page, name: string): Locator => page.getByRole('slider', { name })
const secondsOf = async (place: Locator): Promise<number> => Number(await place.getAttribute('aria-valuenow'))
const player = (page: Page): Locator => page.getByLabel('Rekaman', { exact: true })
const timeOf = (page: Page): Promise<number> =>
  player(page).evaluate((video) => (video as unknown as PlayingVideo).currentTime)

/** Puts a recorded broadcast on air. */
async function goLiveRecorded(page: Page, target: string): Promise<void> {
  await openGo(page, VIDEO)
  await page.getByLabel('Judul live').fill(TITLE)
  await page.getByLabel('Platform').selectOption({ label: 'Lainnya' })
  await page.getByLabel('RTMP/stream key').fill(target)
  await expect(page.getByText(/^Disimpan .+\. Rekaman video dan playlist tidak memakan ruang\.$/)).toBeVisible()
  await page.getByLabel('Rekam siaran').check()
  await expectNoSidewaysScroll(page)
  await page.getByRole('button', { name: 'Go Live' }).click()
  await expect(page.getByText('Siaran langsung dimulai!')).toBeVisible()
}

/** Drags a handle to a share of the time line. */
async function dragHandle(page: Page, name: string, share: number): Promise<void> {
  await page.getByTestId('time-line').scrollIntoViewIfNeeded()
  const [line, handle] = [await page.getByTestId('time-line').boundingBox(), await slider(page, name).boundingBox()]
  if (!line || !handle) throw new Error('the time line is not shown')
  // The grip stands at the edge that is nearer to the chosen part.
  const grip = name === 'Awal bagian' ? handle.x + handle.width - 6 : handle.x + 6
  const y = line.y + line.height / 2
  await page.mouse.move(grip, y)
  await page.mouse.down()
  await page.mouse.move(line.x + line.width * share, y, { steps: 5 })
  await page.mouse.up()
}

for (const { device, use } of DEVICES) {
  test.describe(device, () => {
    test.use(use)

    test('[REC-01] [REC-03] a broadcast is recorded, played, cut, downloaded, used as a video and deleted', async ({
      page,
      account,
      clip,
      rtmp,
    }) => {
      const name = newName()
      await openLiveWith(page, account, [await clip(VIDEO, { seconds: 8 })])

      await test.step('record', async () => {
        await goLiveRecorded(page, `${rtmp.url}/${name}`)
        await rtmp.waitForPublisher(name, { growing: true, ...PATIENT })
        await page.goto('/fitur')
        await page.getByRole('main').getByRole('link', { name: 'Rekaman' }).click()
        await expect(recordings(page)).toContainText('Sedang direkam')
        await recordings(page).getByRole('link').click()
        await expect(page.getByRole('heading', { level: 1 })).toContainText(TITLE)
        await expect(page.getByRole('button', { name: 'Hapus' })).toBeDisabled()
        await expect
          .poll(
            async () =>
              Number(
                (await slider(page, 'Akhir bagian')
                  .getAttribute('aria-valuenow')
                  .catch(() => 0)) ?? 0,
              ),
            {
              timeout: PATIENT.timeoutMs,
            },
          )
          .toBeGreaterThan(LEAST_SECONDS)
      })

      await test.step('stop: it is whole, and says until when it is kept', async () => {
        await page.goto('/fitur/live?tab=live')
        await expect(word(streams(page).first(), 'Tayang')).toBeVisible({ timeout: PATIENT.timeoutMs })
        await stop(page, streams(page).first())
        await expect(page.getByText('Live stream berhasil dihentikan!')).toBeVisible()
        await page.goto('/fitur/rekaman')
        await expect(recordings(page)).toHaveCount(1)
        await expect(async () => {
          await page.reload()
          await expect(recordings(page)).toContainText('Disimpan sampai', { timeout: 5000 })
        }).toPass({ timeout: PATIENT.timeoutMs })
        await expect(recordings(page)).toContainText('tidak memakan ruang')
        await expect(recordings(page)).toContainText('tidak terputus')
        await expect(recordings(page)).not.toContainText('Sedang direkam')
        await expectNoSidewaysScroll(page)
        expect(await faults(page)).toEqual([])
      })

      await test.step('the video that it needs stays', async () => {
        // The library has a phone's tests of its own.
        if (device === 'mobile') return
        await page.goto('/fitur/live')
        await row(page, VIDEO)
          .getByRole('button', { name: `Hapus ${VIDEO}` })
          .click()
        await page.getByRole('alertdialog').getByRole('button', { name: 'Hapus' }).click()
        await expect(page.getByText(RECORDING_TEXTS.keepsVideo)).toBeVisible()
        await page.getByRole('alertdialog').getByRole('button', { name: 'OK' }).click()
        await expect(row(page, VIDEO)).toBeVisible()
      })

      await test.step('play, and go elsewhere on the time line', async () => {
        await page.goto('/fitur/rekaman')
        await recordings(page).getByRole('link').click()
        await player(page).evaluate((video) => {
          const element = video as unknown as PlayingVideo & { play(): Promise<void> }
          element.muted = true
          return element.play()
        })
        await expect.poll(() => timeOf(page)).toBeGreaterThan(0.5)
        const total = Number(await slider(page, 'Posisi putar').getAttribute('aria-valuemax'))
        const line = page.getByTestId('time-line')
        const box = await line.boundingBox()
        await line.click({ position: { x: (box?.width ?? 0) * 0.5, y: 10 } })
        await expect.poll(() => timeOf(page)).toBeGreaterThan(total * 0.4)
        await player(page).evaluate((video) => (video as unknown as PlayingVideo).pause())
        await slider(page, 'Posisi putar').focus()
        await page.keyboard.press('Home')
        await expect.poll(() => timeOf(page)).toBeLessThan(0.5)
        await page.keyboard.press('ArrowRight')
        await expect(slider(page, 'Posisi putar')).toHaveAttribute('aria-valuenow', '5')
        await expectNoSidewaysScroll(page)
        expect(await faults(page)).toEqual([])
      })

      await test.step('choose a part, by dragging and by keys', async () => {
        await expect(page.getByTestId('chosen-part')).toContainText('Seluruh rekaman')
        const total = await secondsOf(slider(page, 'Akhir bagian'))
        await dragHandle(page, 'Akhir bagian', 0.6)
        await expect.poll(() => secondsOf(slider(page, 'Akhir bagian'))).toBeLessThan(total * 0.75)
        await slider(page, 'Awal bagian').focus()
        await page.keyboard.press('ArrowRight')
        await page.keyboard.press('ArrowRight')
        await expect(slider(page, 'Awal bagian')).toHaveAttribute('aria-valuenow', '2')
        await expect(page.getByTestId('chosen-part')).toHaveText(/^\d\d\.\d\d\.\d\d – \d\d\.\d\d\.\d\d · /)
      })

      await test.step('download it, whole and in part', async () => {
        const sizeOf = async (label: string): Promise<number> => {
          const saved = page.waitForEvent('download')
          await page.getByRole('link', { name: label, exact: true }).click()
          const file = await saved
          expect(await file.failure()).toBeNull()
          expect(file.suggestedFilename()).toMatch(/\.mp4$/)
          return (await stat(await file.path())).size
        }
        const part = await sizeOf('Unduh bagian ini')
        const chosen = await page.getByTestId('chosen-part').textContent()
        await page.getByRole('button', { name: 'Pilih semua' }).click()
        const whole = await sizeOf('Unduh')
        expect(part, `of ${chosen}`).toBeGreaterThan(1000)
        expect(whole).toBeGreaterThan(part)
      })

      await test.step('use a part as a video', async () => {
        await dragHandle(page, 'Akhir bagian', 0.5)
        await page.getByRole('button', { name: 'Pakai sebagai video' }).click()
        await page.getByLabel('Nama video').fill('Kebun pilihan')
        expect(await faults(page)).toEqual([])
        await page.getByRole('button', { name: 'Buat video' }).click()
        await expect(page.getByText('sedang disiapkan')).toBeVisible()
        await page.getByRole('link', { name: 'Lihat di perpustakaan' }).click()
        await expect(tab(page, 'Lokal')).toHaveAttribute('aria-selected', 'true')
        await ready(page, 'Kebun pilihan')
      })

      await test.step('delete it: the list says how to record', async () => {
        await page.goto('/fitur/rekaman')
        await recordings(page).getByRole('link').click()
        await page.getByRole('button', { name: 'Hapus' }).click()
        await page.getByRole('alertdialog').getByRole('button', { name: 'Hapus' }).click()
        await expect(page.getByText('Belum ada rekaman.')).toBeVisible()
      })
    })
  })
}
