import type { Locator, Page } from '@playwright/test'
import type { StorageUse, Video } from '@siarin/contracts/videos'
import { isWholeRun } from '@siarin/testkit/whole-run'
import { tab } from '../support/broadcasts.ts'
import { expect, test } from '../support/fixtures.ts'
import { expectNoSidewaysScroll } from '../support/layout.ts'
import { message, openLive, row, rows } from '../support/live-screen.ts'
import type { Member } from '../support/member.ts'

const video = (number: number): Video => ({
  filename: `video ${number}.mp4`,
  size: 1024 * number,
  duration: number,
  createdAt: new Date(Date.UTC(2026, 0, 1, 0, number)).toISOString(),
  status: 'ready',
  step: null,
  progress: null,
  secondsLeft: null,
  queue: null,
  reason: null,
  warning: null,
  width: 1920,
  height: 1080,
  fps: 30,
  bitrate: 2500,
  videoCodec: 'h264',
  audioCodec: 'aac',
  hasThumbnail: false,
  canImprove: false,
  reducedFrom: null,
  tooLarge: false,
})

/** The Live screen of somebody who has these videos. */
async function openWith(page: Page, reader: Member, data: readonly Video[]): Promise<void> {
  const storage: StorageUse = { used: 0, limit: 1024 ** 3 }
  await page.route('**/fitur/video', (route) => route.fulfill({ json: { success: true, message: '', data, storage } }))
  await reader.enter(page)
  await page.goto('/fitur/live')
  await expect(rows(page)).toHaveCount(data.length)
}

test('[LIVE-19] a list of 200 videos scrolls inside 400 px and the page stays where it is', async ({
  page,
  reader,
}) => {
  const long = { ...video(201), filename: `${'panjang sekali '.repeat(12)}🎉 שלום.mp4` }
  await openWith(page, reader, [...Array.from({ length: 199 }, (_, index) => video(index + 1)), long])
  const list = page.getByRole('list', { name: 'Video lokal' })
  expect((await list.boundingBox())?.height).toBeLessThanOrEqual(400)
  await expect(page.getByRole('tab', { name: 'Lokal', exact: true })).toHaveText('Lokal200')
  const hint = page.getByTestId('more-below')
  await expect(hint).toHaveAttribute('data-shown', 'true')
  await expectNoSidewaysScroll(page)

  await row(page, 'video 1.mp4').last().scrollIntoViewIfNeeded()
  await expect(row(page, 'video 1.mp4').last()).toBeInViewport()
  await list.evaluate((element) => element.scrollTo(0, element.scrollHeight))
  await expect(hint).toHaveAttribute('data-shown', 'false')
  await expect(page.getByRole('tab', { name: 'Lokal' })).toBeInViewport()
  await expect(rows(page).first()).toContainText('panjang sekali')
})

for (const width of isWholeRun ? [1366, 390, 320] : [320]) {
  test(`a name of any length and script breaks nothing at ${width} px`, async ({ page, reader }) => {
    await page.setViewportSize({ width, height: 844 })
    const names = [`${'a'.repeat(176)}.mp4`, `${'🎬'.repeat(40)}.mp4`, 'فيديو طويل جدا من البحر.mp4']
    await openWith(
      page,
      reader,
      names.map((filename, index) => ({ ...video(index + 1), filename })),
    )
    await expectNoSidewaysScroll(page)
    await rows(page).first().getByRole('button', { pressed: false }).first().click()
    await tab(page, 'Go').click()
    await expect(page.getByTestId('chosen-source')).toBeVisible()
    await expectNoSidewaysScroll(page)
  })
}

test('on a phone the tabs stay below the top bar, and Go Live above the bottom bar', async ({ page, reader }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openWith(
    page,
    reader,
    Array.from({ length: 30 }, (_, index) => video(index + 1)),
  )
  const bottomOf = async (place: Locator): Promise<number> => {
    const box = await place.boundingBox()
    return (box?.y ?? 0) + (box?.height ?? 0)
  }
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  const tabs = page.getByRole('tablist')
  expect((await tabs.boundingBox())?.y).toBeGreaterThanOrEqual((await bottomOf(page.getByRole('banner'))) - 1)
  await expect(tab(page, 'Go')).toBeInViewport({ ratio: 1 })

  await tab(page, 'Go').click()
  await page.evaluate(() => window.scrollTo(0, 0))
  const button = page.getByRole('button', { name: 'Go Live' })
  await expect(button).toBeInViewport({ ratio: 1 })
  const bar = page.getByRole('navigation').last()
  expect(await bottomOf(button)).toBeLessThanOrEqual((await bar.boundingBox())?.y ?? 0)
})

test('[LIVE-19] on a phone a message hides neither the tally nor what is to be pressed', async ({ page, reader }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await openLive(page, reader)
  const said = message(page).locator('p')
  await tab(page, 'Live').click()
  await expect(said).toBeVisible()
  const [box, bar] = [await said.boundingBox(), await page.getByRole('navigation').last().boundingBox()]
  const header = await page.getByRole('banner').boundingBox()
  expect(box?.y).toBeGreaterThan((header?.y ?? 0) + (header?.height ?? 0))
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0)

  await tab(page, 'Go').click()
  await page.getByLabel('Platform').selectOption({ label: 'TikTok' })
  await expect(said).toHaveText('Anda belum memasukan akun tiktok.')
  const [above, button] = [await said.boundingBox(), await page.getByRole('button', { name: 'Go Live' }).boundingBox()]
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(button?.y ?? 0)
})
