import type { Locator, Page } from '@playwright/test'
import { faults } from '../support/axe.ts'
import { newName, openGo } from '../support/broadcasts.ts'
import { DEVICES } from '../support/devices.ts'
import { test as enforcedTest } from '../support/enforced-plans.ts'
import { expect, test } from '../support/fixtures.ts'
import { atEachSize, expectNoSidewaysScroll } from '../support/layout.ts'
import { message, openLiveWith } from '../support/live-screen.ts'

const VIDEO = 'kebun.mp4'
const DAY_MS = 86_400_000
/** Jakarta has no change of the clock. */
const OFFSET_MS = 7 * 3_600_000

const wall = (atMs: number): string => new Date(atMs + OFFSET_MS).toISOString()
const dateIn = (days: number): string => wall(Date.now() + days * DAY_MS).slice(0, 10)

const words = (page: Page): Locator => page.getByTestId('schedule-words')
const list = (page: Page): Locator => page.getByRole('list', { name: 'Semua jadwal' }).getByRole('listitem')
/** What is seen and pressed is the label: the input itself is out of sight. */
const press = (page: Page, role: 'radio' | 'checkbox', name: string): Promise<void> =>
  page
    .locator('label')
    .filter({ has: page.getByRole(role, { name, exact: true }) })
    .click()
async function choose(page: Page, name: string): Promise<void> {
  await press(page, 'radio', name)
  await expect(page.getByRole('radio', { name, exact: true })).toBeChecked()
}
const skipButton = (page: Page, label: string): Locator => page.getByRole('button', { name: new RegExp(`^${label}:`) })

async function fillTarget(page: Page, title: string, target: string): Promise<void> {
  await page.getByLabel('Judul live').fill(title)
  await page.getByLabel('Platform').selectOption({ label: 'Lainnya' })
  await page.getByLabel('RTMP/stream key').fill(target)
}

/** The form beside its sentence; `Simpan jadwal` stands where Go Live did. */
async function planWeekdays(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: 'Go Live' })).toBeVisible()
  await choose(page, 'Jadwalkan')
  await expect(page.getByRole('button', { name: 'Go Live' })).toHaveCount(0)
  await expect(words(page)).toContainText('Tayang sekali, ')
  await choose(page, 'Hari tertentu')
  for (const day of ['Senin', 'Selasa', 'Rabu', 'Kamis', 'Jumat']) {
    await press(page, 'checkbox', day)
  }
  await expect(words(page)).toHaveText('Pilih setidaknya satu hari.')
  for (const day of ['Selasa', 'Sabtu']) await press(page, 'checkbox', day)
  await page.getByLabel('Mulai').fill('08:30')
  await page.getByLabel('Selesai').fill('10:00')
  await page.getByRole('button', { name: 'Tambah waktu' }).click()
  await page.getByLabel('Mulai 2').fill('09:00')
  await expect(words(page)).toContainText('saling tumpang tindih')
  await page.getByLabel('Mulai 2').fill('19:00')
  await page.getByLabel('Berakhir 2').selectOption({ label: 'Setelah durasi' })
  await page.getByLabel('Lama (jam) 2').fill('1')
  await page.getByLabel('Lama (menit) 2').fill('30')
  await page.getByText('Pilihan lain', { exact: true }).click()
  await choose(page, 'WITA')
  await choose(page, 'Di akhir putaran')
  await expect(words(page)).toContainText(
    'Tayang setiap Selasa dan Sabtu pukul 08.30 sampai 10.00 WITA dan 19.00 WITA selama 1 jam 30 menit.',
  )
  await expect(words(page)).toContainText('putaran video yang sedang tayang diselesaikan dulu')
  await expect(words(page).getByRole('listitem')).toHaveCount(3)
  await expect(words(page).getByRole('listitem').first()).toHaveText(/^(Sel|Sab) \d+ \p{L}{3} \d{4} (08\.30|19\.00)$/u)
}

for (const { device, use } of DEVICES) {
  test.describe(device, () => {
    test.use(use)

    test('[SCHED-01] [SCHED-04] a schedule is made in the Go form, seen as a list and as a week, changed, skipped, paused and deleted', async ({
      page,
      account,
      clip,
      rtmp,
    }) => {
      await openLiveWith(page, account, [await clip(VIDEO, { seconds: 3 })])
      await openGo(page, VIDEO)

      await test.step('the form says in words what will happen, and the call sends it', async () => {
        await fillTarget(page, 'Dua kali seminggu', `${rtmp.url}/${newName()}`)
        await planWeekdays(page)
        await expectNoSidewaysScroll(page)
        expect(await faults(page)).toEqual([])
        const sent = page.waitForRequest(
          (request) => request.url().endsWith('/fitur/schedule') && request.method() === 'POST',
        )
        await page.getByRole('button', { name: 'Simpan jadwal' }).click()
        expect((await sent).postDataJSON()).toMatchObject({
          rule: {
            repeat: { kind: 'weekdays', days: [2, 6] },
            windows: [
              { start: '08:30', end: '10:00' },
              { start: '19:00', minutes: 90 },
            ],
            zone: 'Asia/Makassar',
          },
          endAtPass: true,
          broadcast: { source: VIDEO, platform: 'lain', title: 'Dua kali seminggu' },
        })
        await expect(message(page)).toContainText('Jadwal disimpan.')
      })

      await test.step('any zone is found by search', async () => {
        // What was saved is not saved once more by another press.
        await expect(page.getByRole('button', { name: 'Go Live' })).toBeDisabled()
        await openGo(page, VIDEO)
        await choose(page, 'Jadwalkan')
        await choose(page, 'Setiap hari')
        await page.getByLabel('Mulai').fill('08:30')
        await page.getByLabel('Selesai').fill('10:00')
        await page.getByRole('button', { name: 'Tambah waktu' }).click()
        await page.getByText('Pilihan lain', { exact: true }).click()
        await page.getByRole('button', { name: 'Hapus waktu 2' }).click()
        await choose(page, 'Lainnya')
        await page.getByLabel('Kota atau zona').fill('tokyo')
        await page.getByRole('option', { name: /Tokyo/ }).click()
        await expect(words(page)).toContainText('pukul 08.30 sampai 10.00 waktu Tokyo')
        await page.getByLabel('Hari terakhir (opsional)').fill(dateIn(-2))
        await expect(words(page)).toContainText('tidak punya waktu yang akan datang')
        await page.getByRole('button', { name: 'Simpan jadwal' }).click()
        await expect(message(page)).toContainText('tidak punya waktu yang akan datang')
      })

      await test.step('another one, each day without an end', async () => {
        await page.getByLabel('Hari terakhir (opsional)').fill('')
        await choose(page, 'WIB')
        await page.getByLabel('Berakhir').selectOption({ label: 'Tanpa akhir' })
        await page.getByLabel('Mulai').fill(wall(Date.now() - 3_600_000).slice(11, 16))
        await expect(words(page)).toContainText('sampai Anda menghentikannya')
        await page.getByLabel('Judul live').fill('Setiap hari')
        await page.getByRole('button', { name: 'Simpan jadwal' }).click()
        await expect(message(page)).toContainText('Jadwal disimpan.')
      })

      await test.step('Fitur leads to what is to come', async () => {
        await page.goto('/fitur')
        await page.getByRole('main').getByRole('link', { name: 'Jadwal' }).click()
        await expect(page.getByRole('heading', { level: 1, name: 'Jadwal siaran' })).toBeVisible()
        await expect(list(page)).toHaveCount(2)
        await expect(list(page).filter({ hasText: 'Dua kali seminggu' })).toContainText(
          'Setiap Selasa dan Sabtu pukul 08.30 sampai 10.00 WITA dan 19.00 WITA selama 1 jam 30 menit',
        )
        // By the clock of the reader, an hour before that of the schedule.
        await expect(page.getByText('07.30–09.00').first()).toBeVisible()
        await expect(page.getByText('(08.30–10.00 WITA)').first()).toBeVisible()
        await expectNoSidewaysScroll(page)
        expect(await faults(page)).toEqual([])
      })

      await test.step('one date is skipped, and not after all', async () => {
        const before = await skipButton(page, 'Lewati tanggal ini').count()
        await skipButton(page, 'Lewati tanggal ini').filter({ hasText: 'Lewati' }).last().click()
        await expect(skipButton(page, 'Jangan lewati').first()).toBeVisible()
        await expect(page.getByText('Dilewati', { exact: true }).first()).toBeVisible()
        await skipButton(page, 'Jangan lewati').first().click()
        await expect(skipButton(page, 'Jangan lewati')).toHaveCount(0)
        await expect(skipButton(page, 'Lewati tanggal ini')).toHaveCount(before)
      })

      await test.step('the week: now is a hairline, and a block tells more', async () => {
        await choose(page, 'Mingguan')
        await expect(page.getByTestId('now-line')).toHaveCount(1)
        if (device === 'mobile') {
          const tomorrow = Number(dateIn(1).slice(8))
          await page.getByRole('button', { name: new RegExp(`^\\p{L}{3}\\s*${tomorrow}\\s.* siaran$`, 'u') }).click()
          await expect(page.getByTestId('now-line')).toHaveCount(0)
        }
        const block = page
          .getByRole('region', { name: 'Kisi minggu' })
          .getByRole('button', { name: /^Setiap hari\s*mulai/ })
        await block.last().click()
        await expect(page.getByTestId('chosen-occurrence')).toContainText('Menunggu')
        await expect(
          page.getByTestId('chosen-occurrence').getByRole('button', { name: /^Lewati tanggal ini/ }),
        ).toBeVisible()
        await expectNoSidewaysScroll(page)
        expect(await faults(page)).toEqual([])
        await page.getByRole('button', { name: 'Minggu berikutnya' }).click()
        await expect(block.first()).toBeVisible()
        await choose(page, 'Daftar')
        await page.getByRole('button', { name: 'Minggu sebelumnya' }).click()
      })

      await test.step('it is changed', async () => {
        await page.getByRole('button', { name: 'Ubah Dua kali seminggu' }).click()
        const dialog = page.getByRole('dialog')
        await expect(dialog.getByLabel('Mulai 2')).toHaveValue('19:00')
        await dialog.getByLabel('Judul jadwal').fill('Malam minggu')
        await dialog.getByRole('button', { name: 'Hapus waktu 1' }).click()
        await press(page, 'checkbox', 'Selasa')
        expect(await faults(page)).toEqual([])
        await dialog.getByRole('button', { name: 'Simpan' }).click()
        await expect(dialog).toHaveCount(0)
        await expect(list(page).filter({ hasText: 'Malam minggu' })).toContainText(
          'Setiap Sabtu pukul 19.00 WITA selama 1 jam 30 menit',
        )
      })

      await test.step('it is paused, resumed and, after a question, deleted', async () => {
        const row = list(page).filter({ hasText: 'Malam minggu' })
        await page.getByRole('button', { name: 'Jeda Malam minggu' }).click()
        await expect(row.getByText('Dijeda', { exact: true })).toBeVisible()
        await page.getByRole('button', { name: 'Lanjutkan Malam minggu' }).click()
        await expect(row.getByText('Dijeda', { exact: true })).toHaveCount(0)
        await page.getByRole('button', { name: 'Hapus Malam minggu' }).click()
        await page.getByRole('alertdialog').getByRole('button', { name: 'Hapus' }).click()
        await expect(list(page)).toHaveCount(1)
      })
    })
  })
}

enforcedTest(
  '[SCHED-05] who may not schedule sees why and the way up, without an error @long',
  async ({ page, account, clip, rtmp, setPlanRow }) => {
    const user = await account.register()
    await openLiveWith(page, account, [await clip(VIDEO, { seconds: 3 })], user)
    const note = page.getByRole('note').filter({ hasText: 'Paket' })

    await enforcedTest.step('the trial has none', async () => {
      await openGo(page, VIDEO)
      await choose(page, 'Jadwalkan')
      await expect(note).toContainText('Paket Free Trial belum punya siaran terjadwal. Upgrade ke Creator Pro')
      await expect(note.getByRole('link', { name: 'Lihat paket' })).toHaveAttribute('href', '/profile/plan')
      await expect(page.getByRole('button', { name: 'Simpan jadwal' })).toBeDisabled()
      await expect(words(page)).toHaveCount(0)
      await atEachSize(page, async () => expect(await faults(page)).toEqual([]))
      await choose(page, 'Siarkan sekarang')
      await expect(page.getByRole('button', { name: 'Go Live' })).toBeEnabled()
      await page.goto('/fitur/jadwal')
      await expect(note).toContainText('Paket Free Trial belum punya siaran terjadwal.')
      await expect(page.getByRole('link', { name: 'Buat jadwal' })).toHaveCount(0)
    })

    await enforcedTest.step('Creator Pro has once and daily', async () => {
      setPlanRow(user, { plan: 'creator-pro', plan_until: Date.now() + 30 * DAY_MS })
      await page.goto('/fitur/live')
      await openGo(page, VIDEO)
      await fillTarget(page, 'Harian', `${rtmp.url}/${newName()}`)
      await choose(page, 'Jadwalkan')
      const save = page.getByRole('button', { name: 'Simpan jadwal' })
      await expect(save).toBeEnabled()
      await choose(page, 'Hari tertentu')
      await expect(note).toContainText('Upgrade ke Business untuk hari tertentu')
      await expect(save).toBeDisabled()
      await choose(page, 'Setiap hari')
      await expect(note).toHaveCount(0)
      await save.click()
      await expect(message(page)).toContainText('Jadwal disimpan.')
    })

    await enforcedTest.step('a plan that has shrunk keeps its schedules in sight', async () => {
      setPlanRow(user, { plan: 'starter' })
      await page.goto('/fitur/jadwal')
      await expect(note).toContainText('Paket Starter belum punya siaran terjadwal.')
      await expect(list(page)).toHaveCount(1)
    })
  },
)
