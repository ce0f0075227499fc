import type { Locator, Page } from '@playwright/test'
import { SystemStatusAnswer } from '@siarin/contracts/system'
import { newName } from '../support/broadcasts.ts'
import { holdCalls } from '../support/calls.ts'
import { untilHeld } from '../support/clock.ts'
import { DEVICES } from '../support/devices.ts'
import { expect, test } from '../support/fixtures.ts'
import { expectNoSidewaysScroll, oddUsername } from '../support/layout.ts'
import { consoleErrors } from '../support/page-facts.ts'
import { uploadByApi, videosReady } from '../support/videos-by-api.ts'

const STATUS = '**/fitur/system/status'

/** Notes the page's own time of each poll. */
const NOTE_POLLS = `
  globalThis.polls = []
  const open = XMLHttpRequest.prototype.open
  XMLHttpRequest.prototype.open = function (...given) {
    if (String(given[1]).includes('/fitur/system/status')) polls.push(Date.now())
    return open.apply(this, given)
  }`

const tile = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true })
const steps = (page: Page): Locator => page.getByRole('main').getByRole('listitem')
const cards = (page: Page): Locator => page.getByRole('list', { name: 'Sedang tayang' }).getByRole('listitem')

const number = new Intl.NumberFormat('id-ID', { maximumFractionDigits: 1 })
const percent = (value: number): string => `${number.format(value)}%`
const gigabytes = (bytes: number): string => `${number.format(bytes / 1024 ** 3)} GB`

for (const { device, use } of DEVICES) {
  test.describe(device, () => {
    test.use(use)

    test("[DASH-01] greets, and shows CPU and memory as the server has them, 'Loading...' until then", async ({
      page,
      account,
    }) => {
      const user = await account.register()
      await account.login(page, user)
      const answer = await holdCalls(page, STATUS)
      await page.goto('/dashboard')
      await expect(page.getByRole('heading', { level: 1, name: `Welcome back, ${user.username}!` })).toBeVisible()
      for (const name of ['CPU usage', 'Memory', 'Disk']) {
        await expect(tile(page, name).getByText('Loading...', { exact: true })).toBeVisible()
      }

      const answered = page.waitForResponse(STATUS)
      answer()
      const { cpu, memory, disk } = SystemStatusAnswer.parse(await (await answered).json())
      await expect(tile(page, 'CPU usage').getByText(percent(cpu.usage), { exact: true })).toBeVisible()
      await expect(tile(page, 'Memory').getByText(percent(memory.usage), { exact: true })).toBeVisible()
      const used = `${gigabytes(memory.used)} / ${gigabytes(memory.total)}`
      await expect(tile(page, 'Memory').getByText(used, { exact: true })).toBeVisible()
      await expect(tile(page, 'Disk').getByText(percent(disk.usage), { exact: true })).toBeVisible()
      await expect(tile(page, 'Penyimpanan Anda').getByText('0 B / 20 GB', { exact: true })).toBeVisible()
      await expect(page.getByText('Loading...')).toHaveCount(0)
    })

    test("[DASH-01] greets 'User' where no name is known, and a name of any kind whole", async ({ page, account }) => {
      const user = await account.register({ username: oddUsername() })
      const { user: known } = await account.login(page, user)
      await page.goto('/dashboard')
      await expect(page.getByRole('heading', { name: `Welcome back, ${user.username}!` })).toBeVisible()
      await expectNoSidewaysScroll(page)
      await page.evaluate((stored) => localStorage.setItem('user', stored), JSON.stringify({ ...known, username: '' }))
      await page.reload()
      await expect(page.getByRole('heading', { name: 'Welcome back, User!' })).toBeVisible()
    })

    test('[DASH-02] is polled every 5 s, keeps its value on a failure, and stops when the screen is left', async ({
      page,
      account,
    }) => {
      await account.login(page, await account.register())
      await page.addInitScript(NOTE_POLLS)
      const polls = (): Promise<number[]> => page.evaluate('polls')
      const logged = consoleErrors(page)
      await page.clock.install()
      await page.goto('/dashboard')
      const cpu = tile(page, 'CPU usage').getByText(/^\d+(,\d)?%$/)
      await expect(cpu).toBeVisible()
      // The jump itself makes one poll due.
      const jumped = page.waitForResponse(STATUS)
      await page.clock.pauseAt(Date.now() + 60_000)
      await jumped

      await test.step('every 5 s', async () => {
        const before = await polls()
        for (let turn = 0; turn < 4; turn++) {
          const answered = page.waitForResponse(STATUS)
          await page.clock.runFor(5000)
          await answered
        }
        const times = (await polls()).slice(before.length)
        expect(times.slice(1).map((at, index) => at - (times[index] ?? 0))).toEqual([5000, 5000, 5000])
      })

      await test.step('a failure is only logged', async () => {
        await page.route(STATUS, (route) => route.fulfill({ status: 500, json: { success: false, message: 'Boom' } }))
        const failed = page.waitForResponse((response) => response.status() === 500)
        await page.clock.runFor(5000)
        await failed
        await expect.poll(() => logged.join('\n')).toContain('The system status could not be loaded')
        await expect(cpu).toBeVisible()
        await expect(page.getByRole('alert')).toHaveCount(0)
        await expect(page.getByText('Boom')).toHaveCount(0)
        await page.unroute(STATUS)
        const answered = page.waitForResponse(STATUS)
        await page.clock.runFor(5000)
        expect((await answered).status()).toBe(200)
      })

      await test.step('left', async () => {
        await page.getByRole('link', { name: 'Upload video' }).click()
        await untilHeld(page, () =>
          expect(page.getByText('Anda belum mengupload video.')).toBeVisible({ timeout: 1000 }),
        )
        const before = await polls()
        for (let turn = 0; turn < 3; turn++) await page.clock.runFor(5000)
        expect(await polls()).toEqual(before)
      })
    })

    test('what is nearly used up is marked, and never in the red of what is on air', async ({ page, account }) => {
      await account.login(page, await account.register())
      await page.route(STATUS, async (route) => {
        const response = await route.fetch()
        const status = await response.json()
        await route.fulfill({
          response,
          json: { ...status, cpu: { usage: 85 }, memory: { ...status.memory, usage: 84.9 } },
        })
      })
      await page.goto('/dashboard')
      await expect(tile(page, 'CPU usage').getByText('85%', { exact: true })).toHaveClass(/text-warn-ink/)
      await expect(tile(page, 'CPU usage').getByLabel('Tinggi')).toBeVisible()
      await expect(tile(page, 'CPU usage').getByTestId('sparkline')).toHaveClass(/text-warn-ink/)
      await expect(tile(page, 'Memory').getByText('84,9%', { exact: true })).not.toHaveClass(/text-warn-ink/)
      await expect(tile(page, 'Memory').getByTestId('sparkline')).toHaveClass(/text-healthy/)
    })

    test('[DASH-02] until the first answer a failure leaves Loading...', async ({ page, account }) => {
      await account.login(page, await account.register())
      await page.route(STATUS, (route) => route.abort())
      const asked = page.waitForRequest(STATUS)
      await page.goto('/dashboard')
      await asked
      await expect(tile(page, 'CPU usage').getByText('Loading...', { exact: true })).toBeVisible()
      await expect(tile(page, 'Penyimpanan Anda').getByText('0 B / 20 GB')).toBeVisible()
      await expect(tile(page, 'Memory').getByText('Loading...', { exact: true })).toBeVisible()
    })

    test('[DASH-02] [AUTH-10] a session that was ended elsewhere is noticed by the next poll', async ({
      page,
      account,
      request,
    }) => {
      const { token } = await account.login(page, await account.register())
      await page.clock.install()
      await page.goto('/dashboard')
      await expect(tile(page, 'CPU usage').getByText(/^\d+(,\d)?%$/)).toBeVisible()
      await request.post('/auth/logout', { headers: { Authorization: `Bearer ${token}` } })
      await page.clock.runFor(5000)
      await expect(page.getByText('Session Ended', { exact: true })).toBeVisible()
      await expect(page).toHaveURL('/login')
    })

    test('somebody new sees three steps, each ticked as it is done, then what is on air', async ({
      page,
      account,
      request,
      clip,
      rtmp,
    }) => {
      const { user } = await account.login(page, await account.register())
      const headers = { 'X-API-Key': user.apiKey }
      const ticks = (): Promise<number> => page.getByRole('img', { name: 'Selesai' }).count()
      await page.goto('/dashboard')
      await expect(page.getByRole('heading', { name: 'Tiga langkah ke siaran pertama' })).toBeVisible()
      await expect(steps(page)).toHaveCount(3)
      expect(await ticks()).toBe(0)
      await expect(page.getByRole('link', { name: 'Upload video' })).toHaveAttribute('href', '/fitur/live')

      await uploadByApi(request, user, await clip('senja.mp4', { seconds: 3 }))
      await videosReady(request, user)
      await page.reload()
      await expect.poll(ticks).toBe(2)
      await expect(steps(page).nth(2)).toHaveAttribute('aria-current', 'step')

      const title = 'Lofi hujan 24 jam untuk belajar dan tidur'
      const target = { platform: 'lain', rtmpStream: `${rtmp.url}/${newName()}`, title }
      const started = await request.post('/fitur/steam/start', { headers, data: { source: 'senja.mp4', ...target } })
      const { streamId } = await started.json()
      await expect(cards(page)).toHaveCount(1)
      await expect(cards(page).getByText('Tayang', { exact: true })).toBeVisible()
      await expect(cards(page).getByText(title)).toBeVisible()
      await expect(cards(page).getByTestId('clock')).toHaveText(/^0:0\d:\d\d$/)
      await expect(cards(page).getByRole('link')).toHaveAttribute('href', '/fitur/live')
      await expect(page.getByText('1 siaran tayang.', { exact: true })).toBeVisible()
      await expectNoSidewaysScroll(page)

      await request.post('/fitur/steam/stop', { headers, data: { streamId } })
      await expect(page.getByText('Tidak ada siaran yang tayang saat ini.', { exact: true })).toBeVisible()
      await expect(page.getByRole('link', { name: 'Mulai siaran' })).toHaveAttribute('href', '/fitur/live')
    })

    test('a list of broadcasts that cannot be had says so and can be asked for again', async ({ page, account }) => {
      await account.login(page, await account.register())
      await page.route('**/fitur/steam/active?*', (route) => route.abort())
      await page.goto('/dashboard')
      await expect(page.getByRole('alert').getByText('Gagal koneksi.', { exact: true })).toBeVisible()
      await page.unroute('**/fitur/steam/active?*')
      await page.getByRole('button', { name: 'Coba lagi' }).click()
      await expect(steps(page)).toHaveCount(3)
    })
  })
}
