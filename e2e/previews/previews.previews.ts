import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { alwaysOurTypeface } from '../support/typeface.ts'
import { cardHtml, iconHtml } from './preview-card.ts'

const PUBLIC = join(import.meta.dirname, '..', '..', 'packages', 'web', 'public')
const BRAND_BEFORE = 'Siarin - '
/** Some chats fetch no larger picture; ours are flat and small. */
const MAX_BYTES = 60_000

const content = (html: string, property: string): string => {
  const found = new RegExp(`<meta property="${property}" content="([^"]*)"`).exec(html)?.[1]
  if (found === undefined) throw new Error(`The page has no ${property}.`)
  return found.replaceAll('&amp;', '&')
}

/** Shows HTML of ours as if the server had sent it, so that styles and typeface are the page's own. */
async function show(page: Page, html: string): Promise<void> {
  await page.route('**/drawn-here', (route) => route.fulfill({ contentType: 'text/html', body: html }))
  await page.goto('/drawn-here')
  await page.evaluate('document.fonts.ready')
}

test('a picture for each page that search engines know', async ({ page, request }) => {
  await alwaysOurTypeface(page)
  await mkdir(join(PUBLIC, 'previews'), { recursive: true })
  await page.setViewportSize({ width: 1200, height: 630 })
  const sitemap = await (await request.get('/sitemap.xml')).text()
  const addresses = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = '']) => address)
  expect(addresses.length).toBeGreaterThan(5)
  for (const address of addresses) {
    const html = await (await request.get(address)).text()
    const styles = /<link rel="stylesheet"[^>]* href="([^"]+)"/.exec(html)?.[1] ?? ''
    const title = content(html, 'og:title').replace(BRAND_BEFORE, '')
    await show(page, cardHtml({ title, description: content(html, 'og:description') }, styles))
    const path = join(PUBLIC, new URL(content(html, 'og:image')).pathname)
    await page.screenshot({ path })
    expect((await stat(path)).size, path).toBeLessThan(MAX_BYTES)
    await page.unroute('**/drawn-here')
  }
})

test('the icons of the home screen', async ({ page }) => {
  await mkdir(join(PUBLIC, 'icons'), { recursive: true })
  for (const [name, size, shape] of [
    ['icon-192', 192, 'round'],
    ['icon-512', 512, 'round'],
    ['maskable-192', 192, 'whole'],
    ['maskable-512', 512, 'whole'],
    ['apple-touch', 180, 'whole'],
  ] as const) {
    await page.setViewportSize({ width: size, height: size })
    await page.setContent(iconHtml(size, shape))
    await page.screenshot({ path: join(PUBLIC, 'icons', `${name}.png`), omitBackground: true })
  }
})
