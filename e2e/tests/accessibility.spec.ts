import type { Page } from '@playwright/test'
import { isWholeRun } from '@siarin/testkit/whole-run'
import { allFaults, faults, faultsOfTheme } from '../support/axe.ts'
import { createFilledAccount, stopAll } from '../support/filled-account.ts'
import { expect, test } from '../support/fixtures.ts'
import { fillOnlineSources } from '../support/online.ts'
import { openScreen, SCREENS, type Screen, SIZES, THEMES } from '../support/screens.ts'

const [LIGHT, DARK] = THEMES

/** On a desktop in the light all is judged; in the dark, what has colours; on a phone, the same window made narrow, what looks otherwise. */
async function faultsAtEachSize(page: Page): Promise<Record<string, string[]>> {
  await page.setViewportSize(SIZES.desktop)
  await page.emulateMedia({ colorScheme: LIGHT })
  const desktopLight = await allFaults(page)
  await page.emulateMedia({ colorScheme: DARK })
  const desktopDark = await faultsOfTheme(page)
  await page.setViewportSize(SIZES.mobile)
  const mobileDark = await faultsOfTheme(page)
  await page.emulateMedia({ colorScheme: LIGHT })
  const mobileLight = await faults(page)
  return {
    'desktop light': desktopLight,
    'desktop dark': desktopDark,
    'mobile dark': mobileDark,
    'mobile light': mobileLight,
  }
}

/** Both sizes and both themes, though not each with each, and of texts that look alike one: for every change. */
async function faultsInShort(page: Page): Promise<Record<string, string[]>> {
  await page.emulateMedia({ colorScheme: LIGHT })
  const desktopLight = await faults(page)
  await page.setViewportSize(SIZES.mobile)
  await page.emulateMedia({ colorScheme: DARK })
  return { 'desktop light': desktopLight, 'mobile dark': await faults(page) }
}

/** What is wrong with the screens as they stand. */
async function faultsOf(page: Page, screens: readonly Screen[]): Promise<string[]> {
  const found: string[] = []
  const broken: string[] = []
  page.on('pageerror', (error) => broken.push(error.message))
  // What the Content-Security-Policy forbids is said in the console.
  page.on('console', (message) => message.text().includes('Content Security Policy') && broken.push(message.text()))

  const rows: string[] = []
  for (const screen of screens) {
    const begun = performance.now()
    await page.setViewportSize(SIZES.desktop)
    await openScreen(page, screen)
    const bad = Object.entries(await (isWholeRun ? faultsAtEachSize(page) : faultsInShort(page)))
    for (const [where, faults] of bad) found.push(...faults.map((fault) => `${screen.name}, ${where}: ${fault}`))
    found.push(...broken.splice(0).map((text) => `${screen.name}: ${text}`))
    const words = bad.map(([where, { length }]) => `${where} ${length === 0 ? 'ok' : `${length} bad`}`)
    rows.push(`  ${screen.name.padEnd(28)} ${words.join('   ')}   ${((performance.now() - begun) / 1000).toFixed(1)} s`)
  }
  process.stdout.write(`axe: serious and critical\n${rows.join('\n')}\n`)
  return found
}

/** Nothing is wrong with it on a desktop in the light. */
const FAULTY_ELSEWHERE = `<!doctype html><html lang="id"><title>Uji</title><style>
  body { background: #fff; color: #000 }
  .narrow { display: none }
  @media (max-width: 500px) { .narrow { display: block } .pale, .narrow { color: #ccc } .long { width: 300px; overflow-x: auto } }
  @media (prefers-color-scheme: dark) { .dim { color: #ccc } }
</style><main><h1>Uji</h1><p class="pale">Pucat</p><p class="narrow">Sempit</p><p class="dim">Redup</p>
<div class="long">${'Panjang'.repeat(20)}</div></main></html>`

test('a fault that is one only on a phone, or only in the dark, is found', async ({ page }) => {
  await page.setContent(FAULTY_ELSEWHERE)
  expect(await faultsAtEachSize(page)).toEqual({
    'desktop light': [],
    'desktop dark': ['color-contrast: .dim'],
    'mobile dark': ['color-contrast: .pale | .narrow | .dim'],
    'mobile light': ['color-contrast: .pale | .narrow', 'scrollable-region-focusable: div'],
  })
})

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
