import type { Locator, Page } from '@playwright/test'
import { DEVICES } from '../support/devices.ts'
import { expect, test } from '../support/fixtures.ts'
import { expectNoSidewaysScroll, oddUsername } from '../support/layout.ts'
import { expectLoggedOut } from '../support/logged-out.ts'
import { stored } from '../support/page-facts.ts'
import { devices, fact } from '../support/profile-screen.ts'

const key = (page: Page): Locator => page.getByLabel('API Key', { exact: true })
const copyButton = (page: Page): Locator => page.getByRole('button', { name: /^(Copy|Copied!)$/ })
const regenerate = (page: Page): Locator => page.getByRole('button', { name: 'Regenerate API Key' })
const clipboard = (page: Page): Promise<string> => page.evaluate('navigator.clipboard.readText()')

const id = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('id-ID', { timeZone: 'Asia/Jakarta', ...options })
const day = (iso: string): string => id({ day: 'numeric', month: 'short', year: 'numeric' }).format(new Date(iso))

for (const { device, use } of DEVICES) {
  test.describe(device, () => {
    test.use(use)

    test('[PROF-01] [PROF-02] [PROF-03] [PROF-05] [AUTH-09] the facts are those of the server, the key is copied and changed, another device is shown the door, and Logout ends the session', async ({
      page,
      account,
      context,
      request,
    }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      const user = await account.register({ username: oddUsername() })
      const other = await account.session(user)
      const { token, user: known } = await account.login(page, user)
      await page.goto('/profile')

      await test.step('the facts', async () => {
        await expect(page.getByTestId('avatar')).toHaveText('🌸')
        const { data } = await (await account.profile(token)).json()
        for (const heading of ['Account Information', 'Account Status']) {
          await expect(page.getByRole('heading', { name: heading })).toBeVisible()
        }
        await expect(fact(page, 'Username')).toHaveText(user.username)
        await expect(fact(page, 'Email')).toHaveText(user.email)
        await expect(fact(page, 'Member since')).toHaveText(day(data.createdAt))
        await expect(fact(page, 'Paket')).toHaveText('Free Trial')
        await expect(fact(page, 'Credits')).toHaveText('Rp 0')
        await expect(fact(page, 'Last login')).toHaveText(/^\d{1,2} \p{L}{3} \d{4} \d\d\.\d\d WIB$/u)
        await expect(fact(page, 'Last login')).toContainText(day(data.activeSession.lastLogin))
        await expectNoSidewaysScroll(page)
      })

      await test.step('the key is masked and read-only, and can be copied', async () => {
        await expect(key(page)).toHaveValue(known.apiKey)
        await expect(key(page)).toHaveAttribute('readonly')
        await expect(key(page)).toHaveAttribute('type', 'password')
        await page.getByRole('button', { name: 'Tampilkan API key' }).click()
        await expect(key(page)).toHaveRole('textbox')
        await expect(key(page)).toHaveValue(known.apiKey)
        const hides = key(page).evaluate(
          (box) => box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight,
        )
        expect(await hides, 'a part of the shown key is cut off').toBe(false)
        await expectNoSidewaysScroll(page)
        await page.getByRole('button', { name: 'Sembunyikan API key' }).click()
        await expect(key(page)).toHaveAttribute('type', 'password')
        await copyButton(page).click()
        await expect.poll(() => clipboard(page)).toBe(known.apiKey)
      })

      await test.step('a new key is shown, kept and works', async () => {
        await regenerate(page).click()
        const question = page.getByRole('alertdialog')
        await expect(question).toContainText('Kunci lama langsung tidak berlaku')
        const answered = page.waitForResponse('**/auth/profile/apikey')
        await question.getByRole('button', { name: 'Ganti kunci' }).click()
        const { apiKey } = await (await answered).json()
        await expect(key(page)).toHaveValue(apiKey)
        expect(apiKey).not.toBe(known.apiKey)
        expect(JSON.parse((await stored(page, 'user')) ?? '')).toMatchObject({ apiKey })
        const list = (used: string) => request.get('/fitur/video', { headers: { 'X-API-Key': used } })
        expect((await list(known.apiKey)).status()).toBe(401)
        expect((await list(apiKey)).status()).toBe(200)
        await copyButton(page).click()
        await expect.poll(() => clipboard(page)).toBe(apiKey)
      })

      await test.step('another device is shown the door', async () => {
        await expect(devices(page)).toHaveCount(2)
        await expect(devices(page).getByText('Perangkat ini', { exact: true })).toHaveCount(1)
        await devices(page)
          .getByRole('button', { name: /^Keluarkan/ })
          .click()
        const question = page.getByRole('alertdialog')
        await expect(question).toContainText('Perangkat itu harus login lagi.')
        await question.getByRole('button', { name: 'Keluarkan' }).click()
        await expect(devices(page)).toHaveCount(1)
        expect((await account.profile(other.token)).status()).toBe(401)
        expect((await account.profile(token)).status()).toBe(200)
      })

      await test.step('Logout', async () => {
        await page.getByRole('main').getByRole('button', { name: 'Logout' }).click()
        await expectLoggedOut(page)
        expect((await account.profile(token)).status()).toBe(401)
      })
    })
  })
}
