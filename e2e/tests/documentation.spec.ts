import type { Page } from '@playwright/test'
import { PLANS } from '@siarin/contracts/plans'
import { STATUS } from '../../packages/server/src/http/error-answers.ts'
import { holdClock } from '../support/clock.ts'
import { expect, test } from '../support/fixtures.ts'
import { expectNoSidewaysScroll } from '../support/layout.ts'
import { codeIsHere } from '../support/page-facts.ts'

const ARTICLES = [
  { slug: 'siaran-pertama', title: 'Siaran pertama Anda', category: 'Mulai' },
  { slug: 'menyiapkan-video', title: 'Menyiapkan video untuk diputar berminggu-minggu', category: 'Video' },
  { slug: 'kunci-dan-platform', title: 'Stream key dan platform', category: 'Platform' },
  { slug: 'api', title: 'Mengatur siaran lewat API', category: 'API' },
  { slug: 'webhook', title: 'Webhook: program Anda diberi tahu', category: 'API' },
]

/** Only paragraphs of three lines and more count: the last line is seldom full, so only a long one tells. */
const CHARACTERS_PER_LINE = `[...document.querySelectorAll('.prose p')]
  .map((paragraph) => [
    paragraph.textContent.length,
    Math.round(paragraph.getBoundingClientRect().height / parseFloat(getComputedStyle(paragraph).lineHeight)),
  ])
  .filter(([, lines]) => lines >= 3)
  .map(([characters, lines]) => characters / lines)`

/** In one go: there are dozens, each with its fields. */
const WRITTEN_CALLS = `[...document.querySelectorAll('[data-call]')].map((block) => ({
  call: block.dataset.call,
  fields: [...block.querySelectorAll('[data-field]')].map((field) => field.dataset.field),
  example: block.querySelector('pre').textContent,
}))`

type WrittenCall = { call: string; fields: string[]; example: string }

const cards = (page: Page) => page.getByRole('main').getByRole('article')
const contents = (page: Page) => page.getByRole('navigation', { name: 'Di halaman ini' })

test('[DOCS-01] five cards show title, excerpt, category, date and views, as they were counted, to a guest and to a member', async ({
  page,
  account,
}) => {
  const views = cards(page).nth(1).getByTestId('views')
  const viewsNow = async (): Promise<number> => Number.parseInt((await views.textContent()) ?? '', 10)
  const open = async (visitor: string): Promise<void> => {
    await test.step(visitor, async () => {
      await page.goto('/documentation')
      await expect(cards(page)).toHaveCount(5)
      for (const [index, { title, category, slug }] of ARTICLES.entries()) {
        const card = cards(page).nth(index)
        await expect(card.getByRole('heading', { level: 2, name: title })).toBeVisible()
        await expect(card.getByRole('link', { name: title })).toHaveAttribute('href', `/documentation/${slug}`)
        await expect(card.getByText(category, { exact: true })).toBeVisible()
        await expect(card.getByText(/^\S+( \S+){7,}\.$/)).toBeVisible()
        await expect(card.getByText(/^\d{1,2} \p{L}{3} \d{4}$/u)).toBeVisible()
        await expect(card.getByTestId('views')).toHaveText(/^\d+ kali dibaca$/)
      }
    })
  }
  await open('a guest')
  const before = await viewsNow()
  const counted = page.waitForResponse((answer) => answer.url().endsWith('/articles/menyiapkan-video/views'))
  await cards(page).nth(1).getByRole('link').click()
  expect((await counted).status()).toBe(200)

  await account.login(page, await account.register())
  await open('a member')
  // Other tests of this worker may read it too.
  expect(await viewsNow()).toBeGreaterThan(before)
})

test('[DOCS-01] each article is a page of its own, at most 68 characters and never more than a phone wide, with contents that lead to its parts @long', async ({
  page,
}) => {
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

    const perLine = await page.evaluate<number[]>(CHARACTERS_PER_LINE)
    expect(perLine.length, slug).toBeGreaterThan(0)
    expect(Math.max(...perLine), slug).toBeLessThanOrEqual(68)
    await page.setViewportSize({ width: 390, height: 844 })
    await expectNoSidewaysScroll(page)
    await page.setViewportSize({ width: 1366, height: 768 })
  }
})

test('[DOCS-01] a heading is a link to itself, and such a link opens the article there', async ({ page }) => {
  await page.goto('/documentation/kunci-dan-platform')
  await codeIsHere(page)
  await page.getByRole('heading', { name: 'Facebook' }).getByRole('link').click()
  await expect(page).toHaveURL(/#facebook$/)

  await page.goto('/documentation')
  await page.goto('/documentation/kunci-dan-platform#kerahasiaan')
  await expect(page.getByRole('heading', { name: 'Bagaimana key Anda dijaga' })).toBeInViewport()
})

test('[DOCS-01] the API article has every call of the server and none besides with the fields that it takes, every error code, and the calls per minute of each plan; its code is copied with one press', async ({
  page,
  request,
  baseURL,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/documentation/api')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()

  await test.step('the calls', async () => {
    const { paths } = await (await request.get('/openapi.json')).json()
    const described: Record<string, string[]> = {}
    for (const [path, methods] of Object.entries<Record<string, OpenApiCall>>(paths)) {
      for (const [method, call] of Object.entries(methods)) {
        const body = call.requestBody?.content['application/json']?.schema.properties ?? {}
        described[`${method.toUpperCase()} ${path}`] = Object.keys(body).sort()
      }
    }
    const calls = await page.evaluate<WrittenCall[]>(WRITTEN_CALLS)
    expect(Object.fromEntries(calls.map(({ call, fields }) => [call, fields.sort()]))).toEqual(described)
    for (const { call, example } of calls) expect(example, call).toContain(`${baseURL}/`)
    const copyable = page.locator('[data-call]').filter({ has: page.getByRole('button', { name: 'Salin Terminal' }) })
    await expect(copyable).toHaveCount(calls.length)
  })

  await test.step('the error codes', async () => {
    const rows = page.getByRole('region', { name: 'Kode galat' }).locator('tbody tr')
    const written = await rows.evaluateAll((all) =>
      all.map((row) => [...row.querySelectorAll('th, td')].map(({ textContent }) => textContent)),
    )
    expect(Object.fromEntries(written.map(([code, status]) => [code, Number(status)]))).toEqual(STATUS)
  })

  await test.step('the calls per minute', async () => {
    const table = page.getByRole('region', { name: 'Permintaan API per menit' })
    for (const { name, limits } of PLANS) {
      const calls = new Intl.NumberFormat('id-ID').format(limits.apiRequestsPerMinute)
      await expect(table.getByRole('row', { name: `${name} ${calls}` })).toBeVisible()
    }
  })

  await test.step('a copy', async () => {
    // 'Tersalin' goes by this clock, however long the looking takes.
    await holdClock(page)
    const block = page.getByRole('figure').filter({ hasText: 'Mulai siaran' }).first()
    await block.getByRole('button', { name: 'Salin' }).click()
    await expect(block.getByText('Tersalin')).toBeVisible()
    const copied = await page.evaluate<string>('navigator.clipboard.readText()')
    expect(copied).toBe(await block.locator('pre').textContent())
    expect(copied).toContain('/fitur/steam/start')
  })
})

type OpenApiCall = { requestBody?: { content: Record<string, { schema: { properties?: object } }> } }
