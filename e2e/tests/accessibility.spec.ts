import AxeBuilder from '@axe-core/playwright'
import type { RegisterBody } from '@siarin/contracts/auth'
import { createAccount } from '../support/account.ts'
import { createFilledAccount } from '../support/filled-account.ts'
import { test as base, expect } from '../support/fixtures.ts'
import { openScreen, SCREENS, SIZES, type Size, THEMES } from '../support/screens.ts'

const BAD = ['serious', 'critical']

const test = base.extend<object, { sari: RegisterBody }>({
  sari: [
    async ({ siarin, rtmp, playwright }, use) => {
      const request = await playwright.request.newContext({ baseURL: siarin.url })
      const { user } = await createFilledAccount({ request, account: createAccount(request), rtmp })
      await use(user)
      await request.dispose()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

for (const theme of THEMES) {
  for (const size of Object.keys(SIZES) as Size[]) {
    test(`every screen is free of serious faults for those who cannot see or point (${size}, ${theme})`, async ({
      browser,
      siarin,
      account,
      sari,
    }) => {
      test.setTimeout(180_000)
      const found: string[] = []
      const rows: string[] = []
      for (const who of ['guest', 'member'] as const) {
        const context = await browser.newContext({
          baseURL: siarin.url,
          viewport: SIZES[size],
          colorScheme: theme,
          locale: 'id-ID',
        })
        const page = await context.newPage()
        const broken: string[] = []
        // A policy that forbids something of ours says so in the console.
        page.on('console', (message) => message.type() === 'error' && broken.push(message.text()))
        page.on('pageerror', (error) => broken.push(error.message))
        if (who === 'member') await account.login(page, sari)
        for (const screen of SCREENS.filter((one) => one.who === who)) {
          await openScreen(page, screen)
          const { violations } = await new AxeBuilder({ page }).analyze()
          const bad = violations.filter(({ impact }) => BAD.includes(impact ?? ''))
          rows.push(`  ${screen.name.padEnd(28)} ${bad.length === 0 ? 'ok' : bad.map(({ id }) => id).join(', ')}`)
          found.push(
            ...bad.map(
              ({ id, nodes }) => `${screen.name}: ${id}: ${nodes.map(({ target }) => target.join(' ')).join(' | ')}`,
            ),
            ...broken.splice(0).map((text) => `${screen.name}: console: ${text}`),
          )
        }
        await context.close()
      }
      process.stdout.write(`axe, ${size}, ${theme}\n${rows.join('\n')}\n`)
      expect(found).toEqual([])
    })
  }
}
