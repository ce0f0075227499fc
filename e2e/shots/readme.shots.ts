import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { streams, tab } from '../support/broadcasts.ts'
import { expect } from '../support/fixtures.ts'
import { currentTime, message, pickButton, player } from '../support/live-screen.ts'
import { SIZES, type Size, type THEMES } from '../support/screens.ts'
import { alwaysOurTypeface } from '../support/typeface.ts'
import { test } from './people.ts'

/** What the README shows is copied from here to docs/screens by hand, when it has changed. */
const FOLDER = join(import.meta.dirname, '..', '..', 'shots', 'readme')

/** Enough of a bitrate's line to be seen as one. */
const DRAWN_POINTS = 12

const drawn = (page: Page): Promise<void> =>
  expect
    .poll(
      async () => {
        const points = await page.getByTestId('sparkline').locator('polyline').first().getAttribute('points')
        return points?.split(' ').length ?? 0
      },
      { timeout: 90_000 },
    )
    .toBeGreaterThanOrEqual(DRAWN_POINTS)

const playing = (page: Page): Promise<void> => expect.poll(() => currentTime(player(page))).toBeGreaterThan(1)

const watchFirst = async (page: Page): Promise<void> => {
  await page.goto('/fitur/live')
  await tab(page, 'Live').click()
  await drawn(page)
  await streams(page).first().getByRole('button', { pressed: false }).first().click()
  await playing(page)
}

const fillGo = async (page: Page): Promise<void> => {
  await page.goto('/fitur/live')
  await pickButton(page, 'Senja di Kuta.mp4').click()
  await playing(page)
  await tab(page, 'Go').click()
  await page.getByLabel('Judul live').fill('Senja tanpa henti')
  await page.getByLabel('RTMP/stream key').fill('abcd-efgh-ijkl-mnop-qrst')
  await page.getByLabel('RTMP/stream key').blur()
  // The whole form, as far down as the button that sticks.
  await page.evaluate('window.scrollTo(0, 150)')
}

const seeDashboard = async (page: Page): Promise<void> => {
  await page.goto('/dashboard')
  await drawn(page)
}

const PICTURES: readonly {
  name: string
  size: Size
  theme: (typeof THEMES)[number]
  guest?: true
  show: (page: Page) => Promise<unknown>
}[] = [
  { name: 'landing', size: 'desktop', theme: 'light', guest: true, show: (page) => page.goto('/') },
  { name: 'live', size: 'desktop', theme: 'dark', show: watchFirst },
  {
    name: 'article',
    size: 'desktop',
    theme: 'light',
    guest: true,
    show: (page) => page.goto('/documentation/siaran-pertama'),
  },
  { name: 'go', size: 'mobile', theme: 'light', show: fillGo },
  { name: 'dashboard', size: 'mobile', theme: 'dark', show: seeDashboard },
  { name: 'landing', size: 'mobile', theme: 'dark', guest: true, show: (page) => page.goto('/') },
]

for (const { name, size, theme, guest, show } of PICTURES) {
  test.describe(`${name}, ${size}, ${theme}`, () => {
    test.use({ viewport: SIZES[size], colorScheme: theme, hasTouch: size === 'mobile' })

    test('as a visitor meets it', async ({ page, account, people }) => {
      await alwaysOurTypeface(page)
      if (!guest) await account.login(page, people.filled)
      await show(page)
      await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
      // Nothing passing is in the picture: no message, and on the landing page all three platforms on air.
      if (!guest) await expect(message(page).filter({ hasText: /./ })).toHaveCount(0)
      if (name === 'landing') await expect(page.getByTestId('broadcast').getByText('Antre')).toHaveCount(0)
      await page.evaluate('document.fonts.ready')
      await page.screenshot({ path: join(FOLDER, `${name}.${size}.${theme}.png`), animations: 'disabled' })
    })
  })
}
