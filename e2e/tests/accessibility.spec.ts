import type { Page } from '@playwright/test'
import { COLOUR_RULES, faults } from '../support/axe.ts'
import { createFilledAccount, stopAll } from '../support/filled-account.ts'
import { expect, test } from '../support/fixtures.ts'
import { fillOnlineSources } from '../support/online.ts'
import { openScreen, SCREENS, type Screen, SIZES, THEMES } from '../support/screens.ts'

/** What is wrong with the screens as they stand, at each size and in both themes. */
async function faultsOf(page: Page, screens: readonly Screen[]): Promise<string[]> {
  const found: string[] = []
  const broken: string[] = []
  page.on('pageerror', (error) => broken.push(error.message))
  // What the Content-Security-Policy forbids is said in the console.
  page.on('console', (message) => message.text().includes('Content Security Policy') && broken.push(message.text()))

  const rows: string[] = []
  for (const screen of screens) {
    await page.setViewportSize(SIZES.desktop)
    await openScreen(page, screen)
    const words: string[] = []
    // The second size is that of a window made narrow: opening each screen anew would cost as much as judging it.
    for (const [size, viewport] of Object.entries(SIZES)) {
      await page.setViewportSize(viewport)
      for (const colorScheme of THEMES) {
        await page.emulateMedia({ colorScheme })
        const bad = await faults(page, colorScheme === THEMES[0] ? null : COLOUR_RULES)
        found.push(...bad.map((fault) => `${screen.name}, ${size}, ${colorScheme}: ${fault}`))
        words.push(`${size} ${colorScheme} ${bad.length === 0 ? 'ok' : `${bad.length} bad`}`)
      }
    }
    found.push(...broken.splice(0).map((text) => `${screen.name}: ${text}`))
    rows.push(`  ${screen.name.padEnd(28)} ${words.join('   ')}`)
  }
  process.stdout.write(`axe: serious and critical\n${rows.join('\n')}\n`)
  return found
}

const of = (who: Screen['who']): Screen[] => SCREENS.filter((screen) => screen.who === who)

test.describe('every screen is free of serious faults for those who cannot see or point, at both sizes, in both themes', () => {
  test('as a member meets it who has used everything', async ({ page, account, request, rtmp, bigo, hls }) => {
    test.setTimeout(600_000)
    const { user, apiKey } = await createFilledAccount({ request, account, rtmp })
    await fillOnlineSources({ apiKey }, { request, bigo, hls })
    await account.login(page, user)
    expect(await faultsOf(page, of('member'))).toEqual([])
    await stopAll(request, { apiKey })
  })

  test('as a guest meets it', async ({ page }) => {
    test.setTimeout(300_000)
    expect(await faultsOf(page, of('guest'))).toEqual([])
  })
})
