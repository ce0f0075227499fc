import type { Page } from '@playwright/test'
import { PLANS } from '@siarin/contracts/plans'
import { STATUS } from '../../packages/server/src/http/error-answers.ts'
import { expect, test } from '../support/fixtures.ts'
import { expectNoSidewaysScroll } from '../support/layout.ts'

const ARTICLES = [
  { slug: 'siaran-pertama', title: 'Siaran pertama Anda', category: 'Mulai' },
  { slug: 'menyiapkan-video', title: 'Menyiapkan video untuk diputar berminggu-minggu', category: 'Video' },
  { slug: 'kunci-dan-platform', title: 'Stream key dan platform', category: 'Platform' },
  { slug: 'api', title: 'Mengatur siaran lewat API', category: 'API' },
]

/** Of paragraphs of three lines and more: the last line is seldom full, so only a long one tells. */
const CHARACTERS_PER_LINE = `[...document.querySelectorAll('.prose p')]
  .map((paragraph) => [
    paragraph.textContent.length,
    Math.round(paragraph.getBoundingClientRect().height / parseFloat(getComputedStyle(paragraph).lineHeight)),
  ])
  .filter(([, lines]) => lines >= 3)
  .map(([characters, lines]) => characters / lines)`

const cards = (page: Page) => page.getByRole('main').getByRole('article')
const contents = (page: Page) => page.getByRole('navigation', { name: 'Di halaman ini' })

test('[DOCS-01] four cards show title, excerpt, category, date and views to a guest and to a member', async ({
  page,
  account,
}) => {
  for (const visitor of ['guest', 'member']) {
    if (visitor === 'member') await account.login(page, await account.register())
    await page.goto('/documentation')
    await expect(cards(page)).toHaveCount(4)
    for (const [index, { title, category, slug }] of ARTICLES.entries()) {
      const card = cards(page).nth(index)
      await expect(card.getByRole('heading', { level: 2, name: title })).toBeVisible()
      await expect(card.getByRole('link', { name: title })).toHaveAttribute('href', `/documentation/${slug}`)
      await expect(card.getByText(category, { exact: true })).toBeVisible()
      await expect(card.getByText(/^\S+( \S+){7,}\.$/)).toBeVisible()
      await expect(card.getByText(/^\d{1,2} \p{L}{3} \d{4}$/u)).toBeVisible()
      await expect(card.getByTestId('views')).toHaveText(/^\d+ kali dibaca$/)
    }
  }
})

test('[DOCS-01] the views of a card are those that were counted', async ({ page }) => {
  const views = async (): Promise<number> => {
    await page.goto('/documentation')
    const shown = cards(page).nth(1).getByTestId('views')
    await expect(shown).toHaveText(/^\d+ kali dibaca$/)
    return Number.parseInt((await shown.textContent()) ?? '', 10)
  }
  const before = await views()
  const counted = page.waitForResponse((answer) => answer.url().endsWith('/articles/menyiapkan-video/views'))
  await cards(page).nth(1).getByRole('link').click()
  expect((await counted).status()).toBe(200)
  // Other tests of this worker may read it too.
  expect(await views()).toBeGreaterThan(before)
})

test('[DOCS-01] each article is a page of its own, with contents that lead to its parts', async ({ page }) => {
  for (const { slug, title } of ARTICLES) {
    await page.goto(`/documentation/${slug}`)
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await expect(page).toHaveTitle(`Siarin - ${title}`)

    const headings = page.getByRole('main').getByRole('heading', { level: 2 })
    const links = contents(page).getByRole('link')
    expect(await links.count()).toBeGreaterThanOrEqual(6)
    expect(await links.allTextContents()).toEqual(await headings.allTextContents())

    const last = links.nth(-2)
    await last.click()
    const target = (await last.getAttribute('href')) ?? ''
    expect(new URL(page.url()).hash).toBe(target)
    await expect(page.locator(target)).toBeInViewport()
    // The header must not cover it.
    const [heading, header] = await Promise.all([
      page.locator(target).boundingBox(),
      page.getByRole('banner').boundingBox(),
    ])
    expect(heading?.y).toBeGreaterThanOrEqual((header?.y ?? 0) + (header?.height ?? 0))
  }
})

test('[DOCS-01] a heading is a link to itself, and such a link opens the article there', async ({ page }) => {
  await page.goto('/documentation/kunci-dan-platform')
  await page.getByRole('heading', { name: 'Facebook' }).getByRole('link').click()
  expect(new URL(page.url()).hash).toBe('#facebook')

  await page.goto('/documentation')
  await page.goto('/documentation/kunci-dan-platform#kerahasiaan')
  await expect(page.getByRole('heading', { name: 'Bagaimana key Anda dijaga' })).toBeInViewport()
})

test('[DOCS-01] text is at most 68 characters wide, and no article is wider than a phone', async ({ page }) => {
  for (const { slug } of ARTICLES) {
    await page.setViewportSize({ width: 1366, height: 768 })
    await page.goto(`/documentation/${slug}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const perLine = await page.evaluate<number[]>(CHARACTERS_PER_LINE)
    expect(perLine.length, slug).toBeGreaterThan(0)
    expect(Math.max(...perLine), slug).toBeLessThanOrEqual(68)

    await page.setViewportSize({ width: 390, height: 844 })
    await expectNoSidewaysScroll(page)
  }
})

test('[DOCS-01] code is copied with one press', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/documentation/api')
  const block = page.getByRole('figure').filter({ hasText: 'Mulai siaran' }).first()
  await block.getByRole('button', { name: 'Salin' }).click()
  await expect(block.getByText('Tersalin')).toBeVisible()
  const copied = await page.evaluate<string>('navigator.clipboard.readText()')
  expect(copied).toBe(await block.locator('pre').textContent())
  expect(copied).toContain('/fitur/steam/start')
})

test('[DOCS-01] the API article has every call of the server and none besides, with the fields that it takes', async ({
  page,
  request,
  baseURL,
}) => {
  const { paths } = await (await request.get('/openapi.json')).json()
  const described: Record<string, string[]> = {}
  for (const [path, methods] of Object.entries<Record<string, OpenApiCall>>(paths)) {
    for (const [method, call] of Object.entries(methods)) {
      const body = call.requestBody?.content['application/json']?.schema.properties ?? {}
      described[`${method.toUpperCase()} ${path}`] = Object.keys(body).sort()
    }
  }

  await page.goto('/documentation/api')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const written: Record<string, string[]> = {}
  for (const block of await page.locator('[data-call]').all()) {
    const fields = await block.locator('[data-field]').all()
    const names = await Promise.all(fields.map((field) => field.getAttribute('data-field')))
    written[(await block.getAttribute('data-call')) ?? ''] = names.map(String).sort()
    await expect(block.locator('pre').first()).toContainText(`${baseURL}/`)
    await expect(block.getByRole('button', { name: 'Salin Terminal' })).toBeVisible()
  }
  expect(written).toEqual(described)
})

test('[DOCS-01] the API article has every error code with its status', async ({ page }) => {
  await page.goto('/documentation/api')
  const rows = page.getByRole('region', { name: 'Kode galat' }).locator('tbody tr')
  await expect(rows.first()).toBeVisible()
  const written: Record<string, number> = {}
  for (const row of await rows.all()) {
    const [code = '', status] = await row.locator('th, td').allTextContents()
    written[code] = Number(status)
  }
  expect(written).toEqual(STATUS)
})

test('[DOCS-02] Captcha Text is a page with only that heading', async ({ page }) => {
  await page.goto('/documentation/captcha/text')
  await expect(page.getByRole('main').getByRole('heading', { name: 'Captcha Text' })).toBeVisible()
  await expect(page.getByRole('main')).toHaveText('Captcha Text')
  await expect(page.getByRole('main').locator('img, video, input, button, a')).toHaveCount(0)
})

type OpenApiCall = { requestBody?: { content: Record<string, { schema: { properties?: object } }> } }

test('[DOCS-01] the API article states the calls per minute of each plan', async ({ page }) => {
  await page.goto('/documentation/api')
  const table = page.getByRole('region', { name: 'Permintaan API per menit' })
  for (const { name, limits } of PLANS) {
    const calls = new Intl.NumberFormat('id-ID').format(limits.apiRequestsPerMinute)
    await expect(table.getByRole('row', { name: `${name} ${calls}` })).toBeVisible()
  }
})
