import type { Locator, Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'

const MAX_VIDEO_BYTES = 1_600_000

const cards = (page: Page): Locator =>
  page
    .getByRole('main')
    .locator('section')
    .filter({ has: page.locator('video') })

/** What the tests read of a <video>: they run in Node and know no DOM. */
interface PlayedVideo {
  currentTime: number
  duration: number
  videoWidth: number
  paused: boolean
}

const read = (card: Locator, field: keyof PlayedVideo) =>
  card.locator('video').evaluate((video, name) => (video as unknown as PlayedVideo)[name as 'currentTime'], field)

test('[DOCS-03] three cards, each with a title, a video of our own server that is fetched only when it is played, and Read more / Show less', async ({
  page,
  account,
  baseURL,
}) => {
  const asked: string[] = []
  page.on('request', (request) => request.url().endsWith('.mp4') && asked.push(request.url()))
  await account.login(page, await account.register())
  await page.goto('/fitur/tutorial', { waitUntil: 'load' })
  await expect(cards(page)).toHaveCount(3)
  for (const card of await cards(page).all()) {
    await expect(card.getByRole('heading', { level: 2 })).toHaveText(/\S{3,}/)
    await expect(card.locator('video')).toBeVisible()
    await expect(card.getByRole('button', { name: /^Putar video: / })).toBeVisible()
    await expect(card.getByRole('list')).toHaveCount(0)

    await card.getByRole('button', { name: 'Read more' }).click()
    await expect(card.getByRole('listitem').nth(4)).toBeVisible()
    await expect(card.getByRole('button', { name: 'Read more' })).toHaveCount(0)
    await card.getByRole('button', { name: 'Show less' }).click()
    await expect(card.getByRole('list')).toHaveCount(0)
    await expect(card.getByRole('button', { name: 'Read more' })).toBeVisible()
  }

  await test.step('nothing of a video has been fetched by now, and it comes in parts', async () => {
    await page.waitForLoadState('networkidle')
    expect(asked).toEqual([])
    for (const card of await cards(page).all()) {
      const source = new URL((await card.locator('source').getAttribute('src')) ?? '', baseURL).href
      expect(source).toMatch(new RegExp(`^${baseURL}/assets/`))
      const part = await fetch(source, { headers: { Range: 'bytes=0-99' } })
      expect(part.status).toBe(206)
      expect(part.headers.get('content-type')).toBe('video/mp4')
      expect(part.headers.get('cache-control')).toContain('immutable')
      expect(Number(part.headers.get('content-range')?.split('/')[1])).toBeLessThan(MAX_VIDEO_BYTES)
      await part.arrayBuffer()
    }
  })
})

test('[DOCS-03] a press on the picture plays the video, and a step leads to its place in it @long', async ({
  page,
  account,
}) => {
  await account.login(page, await account.register())
  await page.goto('/fitur/tutorial')
  await test.step('the picture', async () => {
    const card = cards(page).first()
    await card.getByRole('button', { name: /^Putar video: / }).click()
    await expect.poll(() => read(card, 'currentTime')).toBeGreaterThan(0)
    await expect.poll(() => read(card, 'paused')).toBe(false)
    await expect(card.getByRole('button', { name: /^Putar video: / })).toHaveCount(0)
    await expect(card.locator('video')).toHaveAttribute('controls')
  })

  for (const card of await cards(page).all()) {
    await card.getByRole('button', { name: 'Read more' }).click()
    const step = card.getByRole('listitem').nth(2).getByRole('button')
    const [minutes = 0, seconds = 0] = ((await step.textContent()) ?? '').slice(0, 4).split(':').map(Number)
    await step.click()
    // A place that was chosen counts before anything has come: only a picture tells that it plays.
    await expect.poll(() => read(card, 'videoWidth')).toBe(1280)
    await expect.poll(() => read(card, 'currentTime')).toBeGreaterThan(minutes * 60 + seconds)
    await expect.poll(() => read(card, 'duration')).toBeGreaterThan(20)
    await expect.poll(() => read(card, 'paused')).toBe(false)
  }
})
