import type { Locator, Page } from '@playwright/test'
import { faults } from '../support/axe.ts'
import { newName, openGo } from '../support/broadcasts.ts'
import { DEVICES } from '../support/devices.ts'
import { expect, test } from '../support/fixtures.ts'
import { expectNoSidewaysScroll } from '../support/layout.ts'
import { message, openLiveWith } from '../support/live-screen.ts'

const VIDEO = 'kebun.mp4'
const DAY_MS = 86_400_000
/** Jakarta has no change of the clock. */
const OFFSET_MS = 7 * 3_600_000

const wall = (atMs: number): string => new Date(atMs + OFFSET_MS).toISOString()
const dateIn = (days: number): string => wall(Date.now() + days * DAY_MS).slice(0, 10)
const list = (page: Page): Locator => page.getByRole('list', { name: 'Semua jadwal' }).getByRole('listitem')
/** What is seen and pressed is the label: the input itself is out of sight. */
async function choose(page: Page, name: string): Promise<void> {
  const radio = page.getByRole('radio', { name, exact: true })
  await page.locator('label').filter({ has: radio }).click()
  await expect(radio).toBeChecked()
}

for (const { device, use } of DEVICES) {
  test.describe(device, () => {
    test.use(use)

    test('[SCHED-01] [SCHED-04] a schedule goes to the targets that are ticked, names them, and says which was deleted', async ({
      page,
      account,
      clip,
      rtmp,
    }) => {
      const user = await openLiveWith(page, account, [await clip(VIDEO, { seconds: 3 })])
      const headers = { 'X-API-Key': user.apiKey }
      const ids: string[] = []
      for (const name of ['Kanal utama', 'Cadangan', 'Kanal sekolah']) {
        const data = { name, platform: 'lain', key: `${rtmp.url}/${newName()}` }
        const answer = await page.request.post('/fitur/target', { headers, data })
        ids.push((await answer.json()).data.id)
      }
      await page.reload()
      await openGo(page, VIDEO)

      await test.step('an account of TikTok is in the way only where it is asked for a target', async () => {
        await page.getByLabel('Judul live').fill('Ke dua tempat')
        await page.getByLabel('Platform').selectOption({ label: 'TikTok' })
        await choose(page, 'Jadwalkan')
        await expect(page.getByRole('note').filter({ hasText: 'TikTok' })).toBeVisible()
        for (const name of ['Kanal utama', 'Cadangan']) await page.getByRole('checkbox', { name }).check()
        await expect(page.getByRole('note').filter({ hasText: 'TikTok' })).toHaveCount(0)
        await choose(page, 'Setiap hari')
        await page.getByLabel('Mulai').fill(wall(Date.now() + 2 * 3_600_000).slice(11, 16))
        await page.getByLabel('Berakhir').selectOption({ label: 'Tanpa akhir' })
        await page.getByRole('button', { name: 'Simpan jadwal' }).click()
        await expect(message(page)).toContainText('Jadwal disimpan.')
      })

      const row = list(page).filter({ hasText: 'Ke dua tempat' })
      await test.step('the list and the week name them', async () => {
        await page.goto('/fitur/jadwal')
        await expect(row).toContainText(/Kanal utama.*Cadangan/)
        await expect(page.getByRole('list', { name: /^Siaran / }).first()).toContainText(/Kanal utama.*Cadangan/)
        await expectNoSidewaysScroll(page)
        await choose(page, 'Mingguan')
        if (device === 'mobile') {
          const tomorrow = Number(dateIn(1).slice(8))
          await page.getByRole('button', { name: new RegExp(`^\\p{L}{3}\\s*${tomorrow}\\s.* siaran$`, 'u') }).click()
        }
        await page
          .getByRole('region', { name: 'Kisi minggu' })
          .getByRole('button', { name: /^Ke dua tempat/ })
          .last()
          .click()
        await expect(page.getByTestId('chosen-occurrence')).toContainText(/Kanal utama.*Cadangan/)
        await expectNoSidewaysScroll(page)
        expect(await faults(page)).toEqual([])
        await choose(page, 'Daftar')
      })

      await test.step('one that was deleted is struck out, and another is ticked in its place', async () => {
        await page.request.delete(`/fitur/target/${ids[1]}`, { headers })
        await page.reload()
        await expect(row).toContainText('Cadangan(dihapus)')
        await page.getByRole('button', { name: 'Ubah Ke dua tempat' }).click()
        const dialog = page.getByRole('dialog')
        await expect(dialog.getByRole('checkbox', { name: 'Kanal utama' })).toBeChecked()
        await expect(dialog.getByText('Cadangan sudah dihapus')).toBeVisible()
        await dialog.getByRole('checkbox', { name: 'Kanal sekolah' }).check()
        await expectNoSidewaysScroll(page)
        expect(await faults(page)).toEqual([])
        const sent = page.waitForRequest((request) => request.method() === 'PATCH')
        await dialog.getByRole('button', { name: 'Simpan' }).click()
        expect((await sent).postDataJSON().broadcast.targets).toEqual([
          { targetId: ids[0], rtmpStream: '' },
          { targetId: ids[2], rtmpStream: '' },
        ])
        await expect(row).toContainText(/Kanal utama.*Kanal sekolah/)
        await expect(row).not.toContainText('Cadangan')
      })
    })
  })
}
