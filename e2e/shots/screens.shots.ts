import { join } from 'node:path'
import { expect } from '../support/fixtures.ts'
import { openScreen, SCREENS, SIZES, type Size, THEMES } from '../support/screens.ts'
import { alwaysOurTypeface } from '../support/typeface.ts'
import { test } from './people.ts'

const FOLDER = join(import.meta.dirname, '..', '..', 'shots')

/** The whole page, with the bottom bar of a phone at its end: fixed, it would lie across the middle. */
const FULL_PAGE = {
  fullPage: true,
  animations: 'disabled',
  style: 'nav.fixed { position: static !important }',
} as const

test.beforeEach(async ({ page }) => {
  await alwaysOurTypeface(page)
})

for (const size of Object.keys(SIZES) as Size[]) {
  for (const theme of THEMES) {
    test.describe(`${size} ${theme}`, () => {
      test.use({ viewport: SIZES[size], colorScheme: theme, hasTouch: size === 'mobile' })

      test('a guest', async ({ page }) => {
        for (const screen of SCREENS.filter(({ who }) => who === 'guest')) {
          await openScreen(page, screen)
          await page.screenshot({ ...FULL_PAGE, path: join(FOLDER, `${screen.name}.${size}.${theme}.png`) })
        }
      })

      for (const state of ['empty', 'filled'] as const) {
        test(`a member, ${state}`, async ({ page, account, people }) => {
          await account.login(page, people[state])
          for (const screen of SCREENS.filter(({ who }) => who === 'member')) {
            await openScreen(page, screen)
            if (screen.name.startsWith('live-') && state === 'filled')
              await expect(page.getByText(/tayang/i).first()).toBeVisible()
            await page.screenshot({ ...FULL_PAGE, path: join(FOLDER, `${screen.name}.${size}.${theme}.${state}.png`) })
          }
        })
      }
    })
  }
}
