import { truncate, writeFile } from 'node:fs/promises'
import type { Locator } from '@playwright/test'
import { PLAN_TEXTS, VIDEO_TEXTS } from '@siarin/contracts/texts'
import { faults } from '../support/axe.ts'
import { notice, STOPPED } from '../support/blocking-notice.ts'
import { goLive, newName, streams, tab } from '../support/broadcasts.ts'
import { DEVICES } from '../support/devices.ts'
import { hoursAgo, test, WHATSAPP_NUMBER } from '../support/enforced-plans.ts'
import { expect } from '../support/fixtures.ts'
import { chooser, message, openLive, openLiveWith } from '../support/live-screen.ts'
import { fact } from '../support/profile-screen.ts'

const VIDEO = 'kebun.mp4'
const GIB = 1024 ** 3
const REASON = 'Pembayaran bulan November ditolak bank'

/** What the chat that a link opens begins with. */
async function chatText(link: Locator): Promise<string> {
  const address = new URL((await link.getAttribute('href')) ?? '')
  return address.searchParams.get('text') ?? ''
}

for (const { device, use } of DEVICES) {
  test.describe(device, () => {
    test.use(use)

    test('[LIVE-20] who has paid or was suspended reads that in the notice, with the specified sentence, and writes what fits @long', async ({
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

    test('the profile shows the state of a plan that has run out, and the plan page offers to renew it first', async ({
      page,
      account,
      setPlanRow,
    }) => {
      const user = await account.register()
      await account.login(page, user)
      setPlanRow(user, { plan: 'starter', plan_until: hoursAgo(1) })
      await page.goto('/profile')
      await expect(fact(page, 'Paket')).toHaveText('Starter Masa tenggang')
      await expect(fact(page, 'Tenggang sampai')).toHaveText(/WIB$/)
      setPlanRow(user, { plan_until: hoursAgo(24 * 4) })
      await expect(fact(page, 'Paket')).toHaveText('Starter Berakhir')
      await expect(fact(page, 'Berakhir')).toHaveText(/WIB$/)
      await expect(fact(page, 'Berlaku sampai')).toHaveCount(0)

      await page.goto('/profile/plan')
      const renew = page.getByRole('link', { name: 'Perpanjang Starter' })
      await expect(renew).toBeVisible()
      expect(await chatText(renew)).toContain('ingin memperpanjang paket Starter')
      expect(await chatText(page.getByRole('link', { name: 'Pilih Business' }))).toContain('ingin berlangganan')
      if (device === 'mobile') {
        const cards = page.getByRole('list', { name: 'Perbandingan paket' }).getByRole('heading', { level: 3 })
        await expect(cards).toContainText(['Starter', 'Creator Pro', 'Business', 'Free Trial'])
      }
    })
  })
}

test('[PLAN-02] a file larger than the whole room is refused in the same words by the page and by the server, with plan and way up', async ({
  page,
  account,
}, testInfo) => {
  await openLive(page, account)
  const huge = testInfo.outputPath('raksasa.mp4')
  await writeFile(huge, '')
  await truncate(huge, 6 * GIB)
  await chooser(page).setInputFiles(huge)
  const words = `${VIDEO_TEXTS.overRoom('5,00 GB', '6,00 GB')} ${PLAN_TEXTS.storage('Free Trial', '5 GB', 'Starter')}`
  await expect(message(page)).toContainText(words)
  await expect(message(page).getByRole('link', { name: 'Lihat paket' })).toBeVisible()

  const { user } = await account.session(await account.register())
  const refused = await page.request.post('/fitur/video/tus', {
    headers: { 'X-API-Key': user.apiKey, 'Tus-Resumable': '1.0.0', 'Upload-Length': String(6 * GIB) },
  })
  expect(await refused.json()).toMatchObject({ code: 'storage_full', message: words })
})

test('a broadcast that the administrator ended says so in the history, with the reason and not as a failure @long', async ({
  page,
  account,
  clip,
  rtmp,
  operator,
}) => {
  const user = await account.register()
  await openLiveWith(page, account, [await clip(VIDEO, { seconds: 3 })], user)
  const name = newName()
  await goLive(page, { video: VIDEO, target: `${rtmp.url}/${name}`, title: 'Kebun pagi' })
  await expect(streams(page)).toContainText('Tayang')
  await operator('user', 'suspend', user.email)
  await expect(notice(page, 'Akun Anda dihentikan')).toBeVisible()
  await rtmp.waitForNoPublisher(name, { timeoutMs: 60_000 })
  await operator('user', 'resume', user.email)
  await expect(notice(page, 'Akun Anda dihentikan')).toHaveCount(0)

  await tab(page, 'Live').click()
  const ended = page
    .getByRole('list', { name: 'Riwayat siaran' })
    .getByRole('listitem')
    .filter({ hasText: 'Kebun pagi' })
  await expect(ended.getByText('Dihentikan', { exact: true })).toBeVisible()
  await expect(ended).toContainText('Akun ini dihentikan oleh administrator')
  await ended.getByRole('button', { expanded: false }).click()
  await expect(ended.getByText(/^Dihentikan: Akun ini/)).toBeVisible()
  await expect(ended).not.toContainText('Gagal')
})

test('[AUTH-02] who has lost the password finds whom to ask', async ({ page }) => {
  await page.goto('/login')
  const ask = page.getByRole('link', { name: 'Hubungi kami lewat WhatsApp.' })
  await expect(ask).toHaveAttribute('href', new RegExp(`^https://wa\\.me/${WHATSAPP_NUMBER}\\?text=`))
  expect(await chatText(ask)).toContain('lupa password')
  expect(await faults(page)).toEqual([])
})
