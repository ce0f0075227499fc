import type { RegisterBody } from '@siarin/contracts/auth'
import { createAccount } from '../support/account.ts'
import { createFilledAccount } from '../support/filled-account.ts'
import { test as base } from '../support/fixtures.ts'

/** Pictures are shown to people: a name made of digits would be odd. */
const SARI = { username: 'Sari Wulandari', email: 'sari.wulandari@gmail.com' }

/** Somebody new, and somebody who has used everything. */
export const test = base.extend<object, { people: Record<'empty' | 'filled', RegisterBody> }>({
  people: [
    async ({ siarin, rtmp, playwright }, use) => {
      const request = await playwright.request.newContext({ baseURL: siarin.url })
      const account = createAccount(request)
      const { user } = await createFilledAccount({ request, account, rtmp, named: SARI })
      await use({ filled: user, empty: await account.register() })
      await request.dispose()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})
