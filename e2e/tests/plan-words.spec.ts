import type { Locator } from '@playwright/test'
import { faults } from '../support/axe.ts'
import { notice, STOPPED } from '../support/blocking-notice.ts'
import { newName } from '../support/broadcasts.ts'
import { DEVICES } from '../support/devices.ts'
import { hoursAgo, test } from '../support/enforced-plans.ts'
import { expect } from '../support/fixtures.ts'

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

      await operator('user', 'suspend', user.email)
      const suspended = notice(page, 'Akun Anda dihentikan')
      await expect(suspended).toContainText(STOPPED)
      expect(await chatOf(suspended)).toContain('Akun saya dihentikan.')
      expect(await chatOf(suspended)).not.toContain('upgrade')
      expect(await faults(page)).toEqual([])
    })
  })
}
