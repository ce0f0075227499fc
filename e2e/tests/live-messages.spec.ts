import { PLAN_TEXTS } from '@siarin/contracts/texts'
import { openGo } from '../support/broadcasts.ts'
import { untilHeld } from '../support/clock.ts'
import { DEVICES } from '../support/devices.ts'
import { expect, test } from '../support/fixtures.ts'
import { chooser, message, openLive, openLiveWith } from '../support/live-screen.ts'
import { expectSaid, noteSaid } from '../support/said.ts'

const VIDEO = 'sungai.mp4'

for (const { device, use } of DEVICES) {
  test.describe(device, () => {
    test.use(use)

    test('[LIVE-19] [PLAN-01] a refusal of the plan leads to the plans, stays for 8 s, can be closed and leaves the key in sight', async ({
      page,
      account,
      clip,
    }) => {
      await openLiveWith(page, account, [await clip(VIDEO, { seconds: 3 })])
      const refusal = { success: false, code: 'plan_limit', message: PLAN_TEXTS.streams('Free Trial', 1, 'Starter') }
      await page.route('**/fitur/steam/start', (route) => route.fulfill({ status: 403, json: refusal }))
      await openGo(page, VIDEO)
      const key = page.getByLabel('RTMP/stream key')
      await key.fill('abcd-efgh-ijkl-mnop')
      // The message goes by this clock, however long the looking takes.
      await page.clock.install()
      await page.clock.pauseAt(Date.now() + 3600_000)

      const link = message(page).getByRole('link', { name: 'Lihat paket' })
      const refused = async () => {
        await page.getByRole('button', { name: 'Go Live' }).click()
        await untilHeld(page, () => expect(link).toHaveCount(1, { timeout: 1000 }))
      }

      await refused()
      await expect(message(page)).toContainText(`Error: ${refusal.message}`)
      await expect(message(page)).toHaveRole('alert')
      await expect(link).toHaveAttribute('href', '/profile/plan')
      await expect(message(page)).toBeInViewport({ ratio: 1 })
      // Where something else lies over it, the press would not reach it.
      await key.click({ trial: true })
      await page.clock.runFor(7000)
      await expect(link).toBeVisible()
      await page.clock.runFor(1000)
      await expect(link).toHaveCount(0)

      await refused()
      await message(page).getByRole('button', { name: 'Tutup pesan' }).click()
      await expect(link).toHaveCount(0)
    })
  })
}

test('[LIVE-21] an upload that fails says so', async ({ page, account }) => {
  await noteSaid(page)
  await openLive(page, account)
  await page.route('**/fitur/video/tus', (route) => route.fulfill({ status: 400, body: '' }))
  await chooser(page).setInputFiles({ name: VIDEO, mimeType: 'video/mp4', buffer: Buffer.from('x') })
  await expectSaid(page, 'Gagal upload.', 'alert')
})
