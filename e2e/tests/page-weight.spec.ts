import { expect, test } from '../support/fixtures.ts'

test.use({ firstVisit: true })

/** What the landing page may load at first, compressed with gzip. */
const MAX_JAVASCRIPT_BYTES = 130_000
const MAX_LAYOUT_SHIFT = 0.01

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`

/** Adds up how far things jumped, from the first paint on; what a person's own press moves does not count. */
const WATCH_LAYOUT_SHIFTS = `
  window.layoutShift = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.layoutShift += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
`

test('the landing page loads at most 130 kB of JavaScript', async ({ page, baseURL }) => {
  const scripts = new Set<string>()
  const elsewhere: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.add(request.url())
    if (!request.url().startsWith(`${baseURL}/`) && !request.url().startsWith('data:')) elsewhere.push(request.url())
  })
  await page.goto('/', { waitUntil: 'networkidle' })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  // The code comes after the text: it is all here once the theme is marked.
  await expect(page.getByRole('radio', { name: 'Sistem' })).toBeChecked()

  const sizes = await Promise.all(
    [...scripts].map(async (url) => {
      const answer = await fetch(url, { headers: { 'Accept-Encoding': 'gzip' } })
      expect(answer.headers.get('cache-control'), url).toContain('immutable')
      return {
        name: new URL(url).pathname.replace('/assets/', ''),
        bytes: Number(answer.headers.get('content-length')),
      }
    }),
  )
  const sum = sizes.reduce((total, { bytes }) => total + bytes, 0)
  const lines = sizes
    .sort((a, b) => b.bytes - a.bytes)
    .map(({ name, bytes }) => `  ${kilobytes(bytes).padStart(9)}  ${name}`)
  process.stdout.write(
    `Landing page, JavaScript with gzip: ${kilobytes(sum)} of ${kilobytes(MAX_JAVASCRIPT_BYTES)}\n${lines.join('\n')}\n`,
  )
  expect(sizes.length).toBeGreaterThan(0)
  expect(sum).toBeLessThanOrEqual(MAX_JAVASCRIPT_BYTES)
  expect(elsewhere).toEqual([])
})

for (const [size, viewport] of Object.entries({
  desktop: { width: 1366, height: 768 },
  mobile: { width: 390, height: 844 },
})) {
  test(`nothing on the landing page jumps while it loads (${size})`, async ({ page }) => {
    await page.setViewportSize(viewport)
    await page.addInitScript(WATCH_LAYOUT_SHIFTS)
    // A line on which the typeface comes well after the text.
    await page.route(/\.woff2$/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 400))
      await route.continue()
    })
    await page.goto('/', { waitUntil: 'networkidle' })
    await page.evaluate('document.fonts.ready')
    // Down to the end and up again: what comes into view must not push anything.
    for (const to of ['document.body.scrollHeight', '0']) {
      await page.evaluate(`window.scrollTo({ top: ${to}, behavior: 'instant' })`)
      await page.waitForTimeout(300)
    }
    const shift = await page.evaluate<number>('window.layoutShift')
    process.stdout.write(`Landing page, layout shift on ${size}: ${shift.toFixed(4)}\n`)
    expect(shift).toBeLessThan(MAX_LAYOUT_SHIFT)
  })
}
