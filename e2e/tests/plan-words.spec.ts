import type { Locator } from '@playwright/test'
import { faults } from '../support/axe.ts'
import { notice, STOPPED } from '../support/blocking-notice.ts'
import { newName } from '../support/broadcasts.ts'
import { DEVICES } from '../support/devices.ts'
import { hoursAgo, test } from '../support/enforced-plans.ts'
import { expect } from '../support/fixtures.ts'

const REASON = 'Pembayaran bulan November ditolak bank'

/** What the chat that a link opens begins with. */
async function chatText(link: Locator): Promise<string> {
  const address = new URL((await link.getAttribute('href')) ?? '')
  return address.searchParams.get('text') ?? ''
}

for (const { device, use } of DEVICES) {
  test.describe(device, () => {
    test.use(use)

    test('[LIVE-20] who has paid or was suspended reads that in the notice, with the specified sentence, and writes what fits', async ({
      page,
      account,
      operator,
      setPlanRow,
    }) => {
      const user = await account.register({ username: `Budi ${newName()}` })
      await account.login(page, user)
      setPlanRow(user, { plan: 'starter', plan_until: hoursAgo(24 * 4) })
      await page.goto('/fitur/live')
      const chatOf = (shown: Locator): Promise<string> => chatText(shown.getByRole('link', { name: 'Hubungi admin' }))

      const ended = notice(page, 'Paket Starter sudah berakhir')
      await expect(ended).toContainText(STOPPED)
      expect(await chatOf(ended)).toContain(`"${user.username}". Paket saya Starter.`)
      expect(await chatOf(ended)).toContain('memperpanjang')
      expect(await faults(page)).toEqual([])

      await operator('user', 'suspend', user.email, '--reason', REASON)
      const suspended = notice(page, 'Akun Anda dihentikan')
      await expect(suspended).toContainText(STOPPED)
      await expect(suspended).toContainText(`Alasan: ${REASON}`)
      expect(await chatOf(suspended)).toContain('Akun saya dihentikan.')
      expect(await chatOf(suspended)).not.toContain('upgrade')
      expect(await faults(page)).toEqual([])

      await test.step('[PLAN-05] the reason stands wherever the suspension is told', async () => {
        for (const path of ['/dashboard', '/fitur', '/profile/plan']) {
          await page.goto(path)
          await expect(page.getByRole('main').getByText(`Alasan: ${REASON}`)).toBeVisible()
          expect(await faults(page)).toEqual([])
        }
      })
    })
  })
}
