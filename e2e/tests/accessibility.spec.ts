import type { RegisterBody } from '@siarin/contracts/auth'
import { startHlsSource } from '@siarin/testkit/hls-source'
import { createAccount } from '../support/account.ts'
import { faults } from '../support/axe.ts'
import { createFilledAccount } from '../support/filled-account.ts'
import { test as base, expect } from '../support/fixtures.ts'
import { fillOnlineSources } from '../support/online.ts'
import { openScreen, SCREENS, SIZES, type Size, THEMES } from '../support/screens.ts'

const test = base.extend<object, { sari: RegisterBody }>({
  sari: [
    async ({ siarin, rtmp, bigo, playwright }, use) => {
      const request = await playwright.request.newContext({ baseURL: siarin.url })
      const hls = await startHlsSource()
      const { user, apiKey } = await createFilledAccount({ request, account: createAccount(request), rtmp })
      await fillOnlineSources({ apiKey }, { request, bigo, hls })
      await use(user)
      await hls.dispose()
      await request.dispose()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

// Pictures of eighty pages for a trace that nobody needs: each fault is named below.
test.use({ trace: 'off' })

for (const size of Object.keys(SIZES) as Size[]) {
  for (const who of ['guest', 'member'] as const) {
    test.describe(`${who}, ${size}`, () => {
      // Without motion no colour is caught half way between two themes.
      test.use({ viewport: SIZES[size], contextOptions: { reducedMotion: 'reduce' } })

      test('every screen is free of serious faults for those who cannot see or point, in both themes', async ({
        page,
        account,
        sari,
      }) => {
        test.setTimeout(300_000)
        const found: string[] = []
        const rows: string[] = []
        const broken: string[] = []
        page.on('pageerror', (error) => broken.push(error.message))
        // What the Content-Security-Policy forbids is said in the console.
        page.on(
          'console',
          (message) => message.text().includes('Content Security Policy') && broken.push(message.text()),
        )
        if (who === 'member') await account.login(page, sari)

        for (const screen of SCREENS.filter((one) => one.who === who)) {
          await openScreen(page, screen)
          const words: string[] = []
          for (const colorScheme of THEMES) {
            await page.emulateMedia({ colorScheme })
            const bad = await faults(page)
            found.push(...bad.map((fault) => `${screen.name}, ${colorScheme}: ${fault}`))
            words.push(`${colorScheme} ${bad.length === 0 ? 'ok' : `${bad.length} bad`}`)
          }
          found.push(...broken.splice(0).map((text) => `${screen.name}: ${text}`))
          rows.push(`  ${screen.name.padEnd(28)} ${words.join('   ')}`)
        }
        process.stdout.write(`axe, ${who}, ${size}: serious and critical\n${rows.join('\n')}\n`)
        expect(found).toEqual([])
      })
    })
  }
}
