import type { Locator, Page } from '@playwright/test'
import { holdCalls } from '../support/calls.ts'
import { holdClock, untilHeld } from '../support/clock.ts'
import { DEVICES } from '../support/devices.ts'
import { expect, test } from '../support/fixtures.ts'
import { expectNoSidewaysScroll, oddUsername } from '../support/layout.ts'
import { stored } from '../support/page-facts.ts'
import { devices, fact } from '../support/profile-screen.ts'

const key = (page: Page): Locator => page.getByLabel('API Key', { exact: true })
const copyButton = (page: Page): Locator => page.getByRole('button', { name: /^(Copy|Copied!)$/ })
const copied = (page: Page): Locator => page.getByText('Copied!', { exact: true })
const regenerate = (page: Page): Locator => page.getByRole('button', { name: /^Regenerat(e API Key|ing\.\.\.)$/ })
const confirm = (page: Page): Promise<void> =>
  page.getByRole('alertdialog').getByRole('button', { name: 'Ganti kunci' }).click()

const id = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('id-ID', { timeZone: 'Asia/Jakarta', ...options })
const day = (iso: string): string => id({ day: 'numeric', month: 'short', year: 'numeric' }).format(new Date(iso))

for (const { device, use } of DEVICES) {
  test.describe(device, () => {
    test.use(use)

    test('[PROF-01] the avatar has the first letter; the facts are those of the server', async ({ page, account }) => {
      const user = await account.register()
      const { token } = await account.login(page, user)
      await page.goto('/profile')
      await expect(page.getByTestId('avatar')).toHaveText(user.username.slice(0, 1).toUpperCase())
      const answer = await account.profile(token)
      const { data } = await answer.json()
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
    })

    test('[PROF-01] credits are written the Indonesian way, and names of any kind stay in their place', async ({
      page,
      account,
    }) => {
      await account.login(page, await account.register({ username: oddUsername() }))
      await page.route('**/auth/profile', async (route) => {
        const response = await route.fetch()
        const answer = await response.json()
        await route.fulfill({ response, json: { ...answer, data: { ...answer.data, credit: 1_234_567 } } })
      })
      await page.goto('/profile')
      await expect(fact(page, 'Credits')).toHaveText('Rp 1.234.567')
      await expect(page.getByTestId('avatar')).toHaveText('🌸')
      await expectNoSidewaysScroll(page)
    })

    test('[PROF-02] the key is masked and read-only; a copy says so for 2 s', async ({ page, account, context }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      const { user } = await account.login(page, await account.register())
      await page.goto('/profile')
      await expect(key(page)).toHaveValue(user.apiKey)
      await expect(key(page)).toHaveAttribute('readonly')
      await expect(key(page)).toHaveAttribute('type', 'password')
      await page.getByRole('button', { name: 'Tampilkan API key' }).click()
      await expect(key(page)).toHaveAttribute('type', 'text')
      await page.getByRole('button', { name: 'Sembunyikan API key' }).click()
      await expect(key(page)).toHaveAttribute('type', 'password')

      await holdClock(page)
      await copyButton(page).click()
      await expect(copied(page)).toBeVisible()
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(user.apiKey)
      await page.clock.runFor(1900)
      await expect(copied(page)).toBeVisible()
      await page.clock.runFor(200)
      await expect(copied(page)).toHaveCount(0)
    })

    test("[PROF-02] [PROF-03] a new key is shown and kept, its toast stays 1.5 s, and so does 'Copied!'", async ({
      page,
      account,
      context,
      request,
    }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      const { user } = await account.login(page, await account.register())
      await page.goto('/profile')
      await expect(key(page)).toHaveValue(user.apiKey)

      const answer = await holdCalls(page, '**/auth/profile/apikey')
      await regenerate(page).click()
      const question = page.getByRole('alertdialog')
      await expect(question).toContainText('Kunci lama langsung tidak berlaku')
      await question.getByRole('button', { name: 'Batal' }).click()
      await expect(question).toHaveCount(0)
      await expect(regenerate(page)).toHaveText('Regenerate API Key')
      await expect(key(page)).toHaveValue(user.apiKey)

      await holdClock(page)
      await regenerate(page).click()
      await confirm(page)
      await untilHeld(page, () => expect(regenerate(page)).toHaveText('Regenerating...', { timeout: 1000 }))
      await expect(regenerate(page)).toBeDisabled()
      const answered = page.waitForResponse('**/auth/profile/apikey')
      answer()
      const { apiKey, message } = await (await answered).json()

      const toast = page.getByText('API Key Updated', { exact: true })
      await untilHeld(page, () => expect(toast).toBeVisible({ timeout: 1000 }))
      await expect(page.getByText(message, { exact: true })).toBeVisible()
      await page.clock.runFor(1300)
      await expect(toast).toBeVisible()
      // A moment more to fade.
      await page.clock.runFor(700)
      await expect(toast).toHaveCount(0)

      await expect(regenerate(page)).toHaveText('Regenerate API Key')
      await expect(key(page)).toHaveValue(apiKey)
      expect(apiKey).not.toBe(user.apiKey)
      expect(JSON.parse((await stored(page, 'user')) ?? '')).toMatchObject({ apiKey })
      const list = (used: string) => request.get('/fitur/video', { headers: { 'X-API-Key': used } })
      expect((await list(user.apiKey)).status()).toBe(401)
      expect((await list(apiKey)).status()).toBe(200)

      await copyButton(page).click()
      await expect(copied(page)).toBeVisible()
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(apiKey)
      await page.clock.runFor(1400)
      await expect(copied(page)).toBeVisible()
      await page.clock.runFor(200)
      await expect(copied(page)).toHaveCount(0)
    })

    test("[PROF-03] a key that could not be changed is told with the server's message, or the default", async ({
      page,
      account,
    }) => {
      const { user } = await account.login(page, await account.register())
      await page.goto('/profile')
      const dialog = page.getByRole('alertdialog')
      for (const [fulfill, text] of [
        [{ status: 503, json: { success: false, message: 'Server sedang diperbarui.' } }, 'Server sedang diperbarui.'],
        [{ status: 500, json: {} }, 'Unable to update API key. Please try again.'],
      ] as const) {
        await page.route('**/auth/profile/apikey', (route) => route.fulfill(fulfill))
        await regenerate(page).click()
        await confirm(page)
        await expect(dialog.getByRole('heading', { name: 'Failed to Update API Key' })).toBeVisible()
        await expect(dialog).toContainText(text)
        await dialog.getByRole('button', { name: 'OK' }).click()
        await page.unroute('**/auth/profile/apikey')
      }
      await expect(key(page)).toHaveValue(user.apiKey)
    })

    test("[PROF-04] a profile that cannot be had says why, and 'Try Again' asks once more", async ({
      page,
      account,
    }) => {
      await account.login(page, await account.register())
      for (const [fulfill, text] of [
        [{ status: 200, json: { success: true } }, 'No profile data returned from server.'],
        [{ status: 502, body: 'Bad Gateway' }, 'Failed to load profile data. Please try again.'],
        [{ status: 500, json: { success: false, message: 'Server sedang sibuk.' } }, 'Server sedang sibuk.'],
      ] as const) {
        await page.route('**/auth/profile', (route) => route.fulfill(fulfill))
        await page.goto('/profile')
        await expect(page.getByRole('alert').getByText(text, { exact: true })).toBeVisible()
        await page.unroute('**/auth/profile')
        await page.getByRole('button', { name: 'Try Again' }).click()
        await expect(page.getByTestId('avatar')).toBeVisible()
      }
    })

    test('[PROF-05] Logout ends the session', async ({ page, account }) => {
      const { token } = await account.login(page, await account.register())
      await page.goto('/profile')
      await page.getByRole('main').getByRole('button', { name: 'Logout' }).click()
      await expect(page).toHaveURL('/login')
      expect((await account.profile(token)).status()).toBe(401)
    })

    test('the devices where one is logged in are listed, and another one is shown the door', async ({
      page,
      account,
    }) => {
      const user = await account.register()
      const other = await account.session(user)
      await account.login(page, user)
      await page.goto('/profile')
      await expect(devices(page)).toHaveCount(2)
      await expect(devices(page).getByText('Perangkat ini', { exact: true })).toHaveCount(1)
      await devices(page)
        .getByRole('button', { name: /^Keluarkan/ })
        .click()
      const dialog = page.getByRole('alertdialog')
      await expect(dialog).toContainText('Perangkat itu harus login lagi.')
      await dialog.getByRole('button', { name: 'Keluarkan' }).click()
      await expect(devices(page)).toHaveCount(1)
      expect((await account.profile(other.token)).status()).toBe(401)
    })
  })
}
