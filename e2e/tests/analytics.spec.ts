import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { faults } from '../support/axe.ts'
import { ffmpegsTo, newName, PATIENT } from '../support/broadcasts.ts'
import { DEVICES } from '../support/devices.ts'
import { HOUR_MS, test } from '../support/enforced-plans.ts'
import { expect } from '../support/fixtures.ts'
import { atEachSize, expectNoSidewaysScroll } from '../support/layout.ts'
import { simulateAnalytics } from '../support/simulated-analytics.ts'
import { uploadByApi, videosReady } from '../support/videos-by-api.ts'

const TITLE = 'Senja di pantai'
const liveCards = (page: Page): Locator =>
  page.getByRole('list', { name: 'Siaran yang berjalan' }).getByRole('listitem')
const charts = (place: Page | Locator): Locator => place.getByTestId('chart')
const pointsIn = async (chart: Locator): Promise<number> => Number(await chart.getAttribute('data-points'))
const note = (page: Page, text: RegExp): Locator => page.getByRole('note').filter({ hasText: text })

/** Nothing sticks out, and nobody is shut out. */
async function expectFine(page: Page): Promise<void> {
  await expectNoSidewaysScroll(page)
  expect(await faults(page)).toEqual([])
}

for (const { device, use } of DEVICES) {
  test.describe(device, () => {
    test.use(use)

    test('[STAT-04] somebody new has words about what there will be, and about what the plan has not @long', async ({
      page,
      account,
    }) => {
      await account.login(page, await account.register())
      await page.goto('/fitur/analytics')
      await expect(page.getByRole('heading', { name: 'Belum ada siaran pada rentang ini' })).toBeVisible()
      await expectFine(page)
      await page.getByText('30 hari', { exact: true }).click()
      await expect(note(page, /analitik 7 hari terakhir.*Starter/)).toBeVisible()
      await page.getByRole('button', { name: 'Unduh CSV' }).click()
      await expect(page.getByText(/belum punya unduhan CSV\. Upgrade ke Starter/)).toBeVisible()
      await expectFine(page)
      await page.goto('/fitur/analytics/laporan')
      await expect(note(page, /belum punya laporan bulanan\. Upgrade ke Business/)).toBeVisible()
      await expectFine(page)
    })

    test('[STAT-02] [STAT-03] a busy account: bars by platform, marks told on tap, days of one’s own, a report on paper', async ({
      page,
      account,
      setPlanRow,
    }) => {
      const person = await account.register()
      setPlanRow(person, { plan: 'business', plan_until: Date.now() + 24 * HOUR_MS })
      await account.login(page, person)
      await simulateAnalytics(page)
      await page.goto('/fitur')
      await page.getByRole('main').getByRole('link', { name: 'Analitik' }).click()
      await expect(page.getByRole('list', { name: 'Jam tayang per platform' }).getByRole('listitem')).toHaveCount(4)
      await expect(page.getByTestId('bars').locator('canvas')).toBeVisible()
      await expectFine(page)
      await page.getByText('Setahun', { exact: true }).click()
      await expect(page.getByRole('heading', { name: 'Jam tayang per minggu' })).toBeVisible()
      await page.getByText('Pilih', { exact: true }).click()
      await page.getByLabel('Dari').fill('2026-01-09')
      await page.getByLabel('Sampai').fill('2026-01-02')
      await expect(page.getByText('Tanggal awal ada setelah tanggal akhir. Tukar keduanya.')).toBeVisible()

      await page.goto('/fitur/analytics/broadcast-1')
      await expect(charts(page).locator('canvas')).toHaveCount(2)
      await page.getByTestId('chart-mark').nth(1).click()
      await expect(page.getByRole('tooltip')).toBeVisible()
      await expectFine(page)

      await page.goto('/fitur/analytics/laporan?bulan=2026-10')
      await expect(page.getByText('Laporan siaran Oktober 2026')).toBeVisible()
      await expectFine(page)
      await page.emulateMedia({ media: 'print' })
      await expect(page.getByRole('banner')).toHaveCount(0)
      await expect(page.getByText('Laporan siaran Oktober 2026')).toBeVisible()
      await expect(page.getByRole('button', { name: 'Cetak' })).toBeHidden()
    })
  })
}

test('[STAT-01] [STAT-02] [STAT-03] [STAT-04] a real broadcast: figures, then moving charts with a larger plan, an incident with its reason, its story, CSV @long', async ({
  page,
  account,
  request,
  clip,
  rtmp,
  enforced,
  setPlanRow,
}) => {
  const person = await account.register()
  const { user } = await account.login(page, person)
  await page.goto('/fitur/analytics')

  const name = newName()
  await uploadByApi(request, user, await clip('senja.mp4', { seconds: 3 }))
  await videosReady(request, user)
  const started = await request.post('/fitur/steam/start', {
    headers: { 'X-API-Key': user.apiKey },
    data: { source: 'senja.mp4', platform: 'lain', rtmpStream: `${rtmp.url}/${name}`, title: TITLE },
  })
  expect(started.ok(), await started.text()).toBe(true)
  await rtmp.waitForPublisher(name, PATIENT)

  await test.step('a small plan has the figures of now, and words about the rest', async () => {
    await expect(liveCards(page)).toContainText(TITLE)
    await expect(liveCards(page)).toContainText(/\d [kM]bps/)
    await expect(note(page, /belum punya grafik langsung\. Upgrade ke Creator Pro/)).toBeVisible()
    await expect(charts(page)).toHaveCount(0)
  })

  await test.step('a larger one has charts that move by themselves', async () => {
    setPlanRow(person, { plan: 'creator-pro', plan_until: Date.now() + 24 * HOUR_MS })
    await page.goto('/fitur/analytics')
    const chart = charts(liveCards(page).filter({ hasText: TITLE }))
    await expect(chart.locator('canvas')).toBeVisible({ timeout: PATIENT.timeoutMs })
    await expect.poll(() => pointsIn(chart), { timeout: PATIENT.timeoutMs }).toBeGreaterThan(0)
    const before = await pointsIn(chart)
    await expect.poll(() => pointsIn(chart), { timeout: PATIENT.timeoutMs }).toBeGreaterThan(before)
    await expect(liveCards(page)).toContainText('Lancar', { timeout: PATIENT.timeoutMs })
  })

  await test.step('what interrupts it stands in its story, on the axis and below', async () => {
    await liveCards(page).getByRole('link', { name: TITLE }).click()
    await expect(page.getByRole('heading', { level: 1, name: TITLE })).toBeVisible()
    const [sender] = await ffmpegsTo(enforced, name)
    if (!sender) throw new Error('nothing carries the stream')
    process.kill(sender.pid, 'SIGKILL')
    const line = page.getByTestId('story-line').filter({ hasText: /^.*Terputus [\d,]+ detik: Proses siaran berhenti/ })
    await expect(line).toBeVisible({ timeout: PATIENT.timeoutMs })
    await page
      .getByRole('button', { name: /Terputus/ })
      .first()
      .click()
    await expect(page.getByRole('tooltip')).toContainText('Proses siaran berhenti mendadak')
    await page.keyboard.press('Escape')
    await atEachSize(page, () => expectFine(page))
  })

  await test.step('and among the incidents of these days, with a way back to it', async () => {
    await page.getByRole('link', { name: 'Semua analitik' }).click()
    await expect(page.getByTestId('incident')).toContainText('Proses siaran berhenti mendadak')
    await expect(page.getByRole('region', { name: 'Gangguan', exact: true })).toContainText('1')
    await expect(page.getByTestId('bars').locator('canvas')).toBeVisible()
    await page.getByRole('button', { name: 'Lihat sebagai tabel' }).click()
    await expect(page.getByRole('table', { name: 'Jam tayang per hari' })).toContainText('Lainnya')
    await atEachSize(page, () => expectFine(page))
  })

  await test.step('as a file', async () => {
    await page.getByRole('button', { name: 'Unduh CSV' }).click()
    const saved = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'Gangguan' }).click()
    const file = await saved
    expect(file.suggestedFilename()).toMatch(/\.csv$/)
    expect(await readFile(await file.path(), 'utf8')).toContain(TITLE)
  })

  const { streamId } = await started.json()
  await request.post('/fitur/steam/stop', { headers: { 'X-API-Key': user.apiKey }, data: { streamId } })
})
