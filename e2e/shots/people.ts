import type { RegisterBody } from '@siarin/contracts/auth'
import { startHlsSource } from '@siarin/testkit/hls-source'
import { createAccount } from '../support/account.ts'
import { createFilledAccount } from '../support/filled-account.ts'
import { test as base } from '../support/fixtures.ts'
import { fillOnlineSources } from '../support/online.ts'

/** Pictures are shown to people: a name made of digits would be odd. */
const SARI = { username: 'Sari Wulandari', email: 'sari.wulandari@gmail.com' }

/** Somebody new, and somebody who has used everything. */
export const test = base.extend<object, { people: Record<'empty' | 'filled', RegisterBody> }>({
  people: [
    async ({ siarin, rtmp, bigo, playwright }, use) => {
      const request = await playwright.request.newContext({ baseURL: siarin.url })
      const account = createAccount(request)
      const { user, apiKey } = await createFilledAccount({ request, account, rtmp, named: SARI })
      const hls = await startHlsSource()
      await fillOnlineSources({ apiKey }, { request, bigo, hls })
      await use({ filled: user, empty: await account.register() })
      await hls.dispose()
      await request.dispose()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})
