import type { Locator, Page } from '@playwright/test'
import { SystemStatusAnswer } from '@siarin/contracts/system'
import { newName } from '../support/broadcasts.ts'
import { DEVICES } from '../support/devices.ts'
import { expect, test } from '../support/fixtures.ts'
import { expectNoSidewaysScroll, oddUsername } from '../support/layout.ts'
import { uploadByApi, videosReady } from '../support/videos-by-api.ts'

const tile = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true })
const steps = (page: Page): Locator => page.getByRole('main').getByRole('listitem')
const cards = (page: Page): Locator => page.getByRole('list', { name: 'Sedang tayang' }).getByRole('listitem')

const number = new Intl.NumberFormat('id-ID', { maximumFractionDigits: 1 })
const percent = (value: number): string => `${number.format(value)}%`
const gigabytes = (bytes: number): string => `${number.format(bytes / 1024 ** 3)} GB`

for (const { device, use } of DEVICES) {
  test.describe(device, () => {
    test.use(use)

    test('[DASH-01] greets whoever it is, shows CPU and memory as the server has them, and to somebody new three steps, each ticked as it is done, then what is on air', async ({
      page,
      account,
      request,
      clip,
      rtmp,
    }) => {
      const named = await account.register({ username: oddUsername() })
      const { user } = await account.login(page, named)
      const headers = { 'X-API-Key': user.apiKey }
      const ticks = page.getByRole('img', { name: 'Selesai' })

      await test.step('the greeting and the figures', async () => {
        // The first answer stays: every later one is held back.
        let asked = 0
        await page.route('**/fitur/system/status', (route) => (asked++ === 0 ? route.continue() : undefined))
        const answered = page.waitForResponse('**/fitur/system/status')
        await page.goto('/dashboard')
        await expect(page.getByRole('heading', { level: 1, name: `Welcome back, ${named.username}!` })).toBeVisible()
        await expectNoSidewaysScroll(page)
        const { cpu, memory, disk } = SystemStatusAnswer.parse(await (await answered).json())
        await expect(tile(page, 'CPU usage').getByText(percent(cpu.usage), { exact: true })).toBeVisible()
        await expect(tile(page, 'Memory').getByText(percent(memory.usage), { exact: true })).toBeVisible()
        const used = `${gigabytes(memory.used)} / ${gigabytes(memory.total)}`
        await expect(tile(page, 'Memory').getByText(used, { exact: true })).toBeVisible()
        await expect(tile(page, 'Disk').getByText(percent(disk.usage), { exact: true })).toBeVisible()
        await expect(tile(page, 'Penyimpanan Anda').getByText('0 B / 20 GB', { exact: true })).toBeVisible()
        await expect(page.getByText('Loading...')).toHaveCount(0)
        await page.unroute('**/fitur/system/status')
      })

      await test.step('three steps, none of them done', async () => {
        await expect(page.getByRole('heading', { name: 'Tiga langkah ke siaran pertama' })).toBeVisible()
        await expect(steps(page)).toHaveCount(3)
        await expect(ticks).toHaveCount(0)
        await expect(page.getByRole('link', { name: 'Upload video' })).toHaveAttribute('href', '/fitur/live')
      })

      await test.step('a video is there', async () => {
        await uploadByApi(request, user, await clip('senja.mp4', { seconds: 3 }))
        await videosReady(request, user)
        await page.reload()
        await expect(ticks).toHaveCount(2)
        await expect(steps(page).nth(2)).toHaveAttribute('aria-current', 'step')
      })

      const title = 'Lofi hujan 24 jam untuk belajar dan tidur'
      const target = { platform: 'lain', rtmpStream: `${rtmp.url}/${newName()}`, title }
      const started = await request.post('/fitur/steam/start', { headers, data: { source: 'senja.mp4', ...target } })
      const { streamId } = await started.json()
      await test.step('on air', async () => {
        await expect(cards(page)).toHaveCount(1)
        await expect(cards(page).getByText('Tayang', { exact: true })).toBeVisible()
        await expect(cards(page).getByText(title)).toBeVisible()
        await expect(cards(page).getByTestId('clock')).toHaveText(/^0:0\d:\d\d$/)
        await expect(cards(page).getByRole('link')).toHaveAttribute('href', '/fitur/live?tab=live')
        await expect(page.getByText('1 siaran tayang.', { exact: true })).toBeVisible()
        await expectNoSidewaysScroll(page)
      })

      await test.step('and no more', async () => {
        await request.post('/fitur/steam/stop', { headers, data: { streamId } })
        await expect(page.getByText('Tidak ada siaran yang tayang saat ini.', { exact: true })).toBeVisible()
        await expect(page.getByRole('link', { name: 'Mulai siaran' })).toHaveAttribute('href', '/fitur/live')
      })
    })
  })
}
