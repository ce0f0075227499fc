import type { Page } from '@playwright/test'
import { BIGO_TEXTS, TIKTOK_TEXTS } from '@siarin/contracts/texts'
import { expect, test } from '../support/fixtures.ts'
import { newId } from '../support/online.ts'
import { expectSaid, noteSaid } from '../support/said.ts'

const credential = (page: Page) => page.getByLabel(/^(Id Bigo|Token TikTok)$/)

/** Whether it was added shows in the form: it is empty then. */
async function add(page: Page, platform: 'Bigo' | 'TikTok', id: string): Promise<void> {
  await page.getByLabel('Platform').selectOption({ label: platform })
  await credential(page).fill(id)
  await page.getByLabel('Account Name').fill('Rina')
  await page.getByRole('button', { name: 'Add Account' }).click()
}

test('[ACC-03] what the platform says of an account is told in words; only one that it does not know is refused @long', async ({
  page,
  account,
  bigo,
  streamlabs,
}) => {
  await account.login(page, await account.register())
  await noteSaid(page)
  await page.goto('/fitur/account')

  const [known, unknown, unasked, token, barred, invalid, silent] = Array.from({ length: 7 }, newId) as string[]
  bigo.set(unknown ?? '', { is: 'unknown-list' })
  bigo.set(unasked ?? '', { is: 'error-500' })
  streamlabs.set(barred ?? '', { canBeLive: false })
  streamlabs.set(invalid ?? '', { info: { status: 401, json: { error: 'access_token_invalid' } } })
  streamlabs.set(silent ?? '', { info: { status: 503, html: true } })

  const cases = [
    ['Bigo', known, 'added', 'Akun berhasil ditambahkan.'],
    ['Bigo', unasked, 'added', BIGO_TEXTS.addedUnchecked],
    ['Bigo', unknown, 'refused', BIGO_TEXTS.unknown],
    ['TikTok', token, 'added', 'Akun berhasil ditambahkan.'],
    ['TikTok', silent, 'added', TIKTOK_TEXTS.addedUnchecked],
    ['TikTok', barred, 'added', TIKTOK_TEXTS.addedNotAllowed],
    ['TikTok', invalid, 'refused', TIKTOK_TEXTS.tokenInvalid],
  ] as const
  for (const [platform, id = '', outcome, text] of cases) {
    await test.step(`${platform}: ${text}`, async () => {
      await add(page, platform, id)
      await expectSaid(page, text, outcome === 'added' ? 'status' : 'alert')
      await expect(credential(page)).toHaveValue(outcome === 'added' ? '' : id)
    })
  }
})
