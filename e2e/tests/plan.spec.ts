import type { Locator, Page } from '@playwright/test'
import { faults } from '../support/axe.ts'
import { notice, STOPPED } from '../support/blocking-notice.ts'
import { goLive, newName, openGo, tab } from '../support/broadcasts.ts'
import { featureCalls } from '../support/calls.ts'
import { DEVICES } from '../support/devices.ts'
import { HOUR_MS, hoursAgo, quietState, strip, test, WHATSAPP_NUMBER } from '../support/enforced-plans.ts'
import { expect } from '../support/fixtures.ts'
import { expectNoSidewaysScroll } from '../support/layout.ts'
import { message, openLiveWith, row, rows } from '../support/live-screen.ts'
import { fact } from '../support/profile-screen.ts'

const VIDEO = 'kebun.mp4'
/** How often the page asks. */
const STANDING_POLL_MS = 5_000
const TRIAL_OVER = 'Masa coba sudah berakhir'

const firstSteps = (page: Page): Locator => page.getByRole('heading', { name: 'Tiga langkah ke siaran pertama' })

/** Time enough passes on the page for it to ask how things stand, and it is answered. */
async function standingAsked(page: Page): Promise<void> {
  const answered = page.waitForResponse('**/auth/plan')
  await page.clock.fastForward(STANDING_POLL_MS)
  await answered
}

// It goes on by itself, and by leaps.
test.beforeEach(({ page }) => page.clock.install())

for (const { device, use } of DEVICES) {
  test.describe(device, () => {
    test.use(use)

    test('[PLAN-03] the last quarter of a trial counts down on Dashboard and Live; before it nothing does', async ({
      page,
      account,
      setPlanRow,
    }) => {
      const user = await account.register()
      await account.login(page, user)
      await page.goto('/dashboard')
      await expect(firstSteps(page)).toBeVisible()
      await expect(strip(page)).toHaveCount(0)

      setPlanRow(user, { created_at: hoursAgo(19.5) })
      await standingAsked(page)
      await expect(strip(page)).toContainText(
        /^Masa coba berakhir dalam 4 jam 2\d menit\. Siaran yang tayang ikut berhenti\./,
      )
      await expectNoSidewaysScroll(page)
      expect(await faults(page)).toEqual([])
      await page.goto('/fitur/live')
      await expect(strip(page)).toContainText('Masa coba berakhir dalam 4 jam')
      expect(await faults(page)).toEqual([])
      await strip(page).getByRole('link', { name: 'Lihat paket' }).click()
      await expect(page).toHaveURL('/profile/plan')
      await expect(page).toHaveTitle(/- Paket$/)
    })

    test('[LIVE-20] [PLAN-03] a trial that ends while Live is open: the notice comes by itself, nothing is asked or done behind it, and nothing is deleted', async ({
      page,
      account,
      clip,
      setPlanRow,
    }) => {
      const user = await account.register()
      await openLiveWith(page, account, [await clip(VIDEO, { seconds: 3 })], user)
      await expect(rows(page)).toHaveCount(1)

      setPlanRow(user, { created_at: hoursAgo(25) })
      await standingAsked(page)
      await expect(notice(page)).toContainText(STOPPED)
      const calls = featureCalls(page)
      await expect(notice(page)).toContainText(/Video Anda disimpan sampai \d.+, lalu dihapus\./)
      await expect(notice(page).getByRole('link', { name: 'Hubungi admin' })).toHaveAttribute(
        'href',
        new RegExp(`^https://wa\\.me/${WHATSAPP_NUMBER}\\?text=.+premium`),
      )
      await expect(notice(page).getByRole('link', { name: 'Lihat paket' })).toHaveAttribute('href', '/profile/plan')
      await expect(rows(page)).toHaveCount(0)
      await expect(tab(page, 'Live')).toHaveCount(0)
      expect(await faults(page)).toEqual([])
      for (let time = 0; time < 2; time++) await standingAsked(page)
      expect(calls).toEqual([])

      await test.step('closed, the screen stays quiet and says why; the others do too', async () => {
        await notice(page).getByRole('button', { name: 'Tutup' }).click()
        await expect(notice(page)).toHaveCount(0)
        await expect(quietState(page, TRIAL_OVER)).toBeVisible()
        for (let time = 0; time < 2; time++) await standingAsked(page)
        expect(calls).toEqual([])
        for (const path of ['/dashboard', '/fitur', '/fitur/account']) {
          await page.goto(path)
          await expect(quietState(page, TRIAL_OVER)).toBeVisible()
          await expect(page.getByText('Loading...')).toHaveCount(0)
          await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0)
          await expectNoSidewaysScroll(page)
          expect(await faults(page)).toEqual([])
        }
      })

      await test.step('with a plan everything is back, and nobody logs in again', async () => {
        await page.goto('/fitur/live')
        await expect(notice(page)).toBeVisible()
        setPlanRow(user, { plan: 'starter', plan_until: Date.now() + 30 * 24 * HOUR_MS })
        await standingAsked(page)
        await expect(page.getByText('Akses dibuka lagi')).toBeVisible()
        await expect(notice(page)).toHaveCount(0)
        await expect(rows(page)).toHaveCount(1)
      })
    })

    test('the plan page compares the four plans, and each opens a chat that names it and who asks', async ({
      page,
      account,
    }) => {
      const user = await account.register()
      await account.login(page, user)
      await page.goto('/profile')
      await page.getByRole('main').getByRole('link', { name: 'Lihat paket' }).click()
      await expect(page.getByRole('heading', { level: 1, name: 'Paket' })).toBeVisible()
      const own = page.getByRole('region', { name: 'Paket Anda' })
      await expect(own).toContainText(/Free Trial.*Aktif.*Berlaku sampai \d/s)
      await expect(own).toContainText('0 dari 1')
      await expect(own).toContainText('0 B dari 5 GB')

      const all = page.getByRole('region', { name: 'Bandingkan paket' })
      for (const [name, label, price] of [
        ['Free Trial', 'Tanya Free Trial', 'Rp 0'],
        ['Starter', 'Pilih Starter', 'Rp 49.000'],
        ['Creator Pro', 'Pilih Creator Pro', 'Rp 99.000'],
        ['Business', 'Pilih Business', 'Rp 169.000'],
      ] as const) {
        await expect(all).toContainText(price)
        const address = new URL((await all.getByRole('link', { name: label }).getAttribute('href')) ?? '')
        expect(address.origin + address.pathname).toBe(`https://wa.me/${WHATSAPP_NUMBER}`)
        expect(address.searchParams.get('text')).toContain(`paket ${name}`)
        expect(address.searchParams.get('text')).toContain(user.username)
      }
      await expect(all.getByText('1080p 60fps').filter({ visible: true })).toHaveCount(1)
      await expect(all.getByText('Paket Anda').filter({ visible: true })).toHaveCount(1)
      await expectNoSidewaysScroll(page)
    })
  })
}

test('[PLAN-05] [FITUR-02] what the operator changes shows within seconds, without logging in again @long', async ({
  page,
  account,
  operator,
  setPlanRow,
}) => {
  const user = await account.register()
  await account.login(page, user)
  await page.goto('/profile')
  await expect(fact(page, 'Paket')).toHaveText('Free Trial')

  await operator('user', 'set-plan', user.email, 'creator-pro')
  await standingAsked(page)
  await expect(page.getByText('Paket Anda sekarang Creator Pro')).toBeVisible()
  await operator('user', 'add-credit', user.email, '12500')
  await standingAsked(page)
  await expect(fact(page, 'Paket')).toHaveText('Creator Pro')
  await expect(fact(page, 'Credits')).toHaveText('Rp 12.500')
  await expect(fact(page, 'Berlaku sampai')).toHaveText(/^\d{1,2} \p{L}{3} \d{4} \d\d\.\d\d WIB$/u)

  await page.goto('/dashboard')
  await expect(firstSteps(page)).toBeVisible()
  await operator('user', 'suspend', user.email)
  await standingAsked(page)
  await expect(quietState(page, 'Akun Anda dihentikan')).toBeVisible()
  await operator('user', 'resume', user.email)
  await standingAsked(page)
  await expect(firstSteps(page)).toBeVisible()

  setPlanRow(user, { plan_until: hoursAgo(1) })
  await standingAsked(page)
  await expect(strip(page)).toContainText('Paket Creator Pro sudah habis; semuanya tetap berjalan sampai')

  await page.goto('/fitur')
  const activity = page.getByRole('list', { name: 'Riwayat / Aktivitas' })
  for (const entry of ['Paket diubah', 'Kredit diubah', 'Akun dihentikan', 'Akun diaktifkan lagi']) {
    await expect(activity).toContainText(entry)
  }
})

test('[PLAN-01] one broadcast more than the plan allows is refused on the Go tab, with the plan, its limit and the way up', async ({
  page,
  account,
  clip,
  rtmp,
}) => {
  await openLiveWith(page, account, [await clip(VIDEO, { seconds: 3 })])
  await goLive(page, { video: VIDEO, target: `${rtmp.url}/${newName()}` })
  await openGo(page, VIDEO)
  await page.getByLabel('RTMP/stream key').fill(`${rtmp.url}/${newName()}`)
  await page.getByRole('button', { name: 'Go Live' }).click()
  await expect(message(page)).toContainText(
    'Error: Paket Free Trial mengizinkan 1 siaran bersamaan. Upgrade ke Starter untuk menambah, atau hentikan siaran lain dulu.',
  )
  await message(page).getByRole('link', { name: 'Lihat paket' }).click()
  await expect(page.getByRole('region', { name: 'Paket Anda' })).toContainText('1 dari 1')
})

test('[PLAN-02] a video that another plan shows larger or refuses says so, and is prepared again on demand @long', async ({
  page,
  account,
  clip,
  setPlanRow,
}) => {
  const user = await account.register()
  const large = await clip('tebing.mp4', { picture: 'color', seconds: 1, width: 1920, height: 1080 })
  await openLiveWith(page, account, [large], user)
  await expect(row(page, 'tebing.mp4')).toContainText('720p')
  await expect(row(page, 'tebing.mp4')).toContainText('Dikecilkan dari 1080p sesuai paket Free Trial.')
  const wayUp = row(page, 'tebing.mp4').getByRole('link', { name: 'Lihat paket' })
  await expect(wayUp).toHaveAttribute('href', '/profile/plan')
  const again = row(page, 'tebing.mp4').getByRole('button', { name: 'Siapkan ulang' })
  await expect(again).toHaveCount(0)

  setPlanRow(user, { plan: 'starter', plan_until: Date.now() + 30 * 24 * HOUR_MS })
  await standingAsked(page)
  await expect(row(page, 'tebing.mp4')).toContainText('Paket Anda sekarang mengizinkan gambar yang lebih tajam.')
  await again.click()
  // The figures of the prepared video; 'Dikecilkan dari 1080p' stands there before.
  await expect(row(page, 'tebing.mp4')).toContainText(/1080p · 25 fps/, { timeout: 200_000 })
  await expect(again).toHaveCount(0)
  await expect(wayUp).toHaveCount(0)

  setPlanRow(user, { plan: 'free-trial' })
  await standingAsked(page)
  await expect(row(page, 'tebing.mp4')).toContainText(
    'Lebih besar dari batas paket Anda. Siapkan ulang supaya bisa disiarkan.',
  )
  await expect(again).toBeVisible()
})
