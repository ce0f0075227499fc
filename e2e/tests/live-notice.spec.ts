import { notice, STOPPED } from '../support/blocking-notice.ts'
import { featureCalls } from '../support/calls.ts'
import { expect, test } from '../support/fixtures.ts'
import { openLive } from '../support/live-screen.ts'
import { changeStoredUser } from '../support/page-facts.ts'

const EMPTY = 'Anda belum mengupload video.'

test('[LIVE-20] the user of a plain trial is not blocked; one whose server is not the expected one gets the notice: nothing is loaded and nothing can be done', async ({
  page,
  account,
}) => {
  await openLive(page, account)
  await expect(notice(page)).toHaveCount(0)
  // A page without the app: the one before may still have something to ask.
  await page.goto('/healthz')
  await changeStoredUser(page, { server: 'https://server-lain.example' })
  const calls = featureCalls(page)
  const foreign: string[] = []
  page.on('request', (request) => request.url().includes('server-lain') && foreign.push(request.url()))
  await page.goto('/fitur/live')
  await expect(notice(page)).toContainText(STOPPED)
  const chat = notice(page).getByRole('link', { name: 'Hubungi admin' })
  await expect(chat).toHaveAttribute('href', /^https:\/\/wa\.me\/\d*\?text=.+premium/)
  await expect(page.getByText(EMPTY)).toHaveCount(0)
  await expect(page.getByRole('tab', { name: 'Live', exact: true })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Klik atau seret video ke sini' })).toHaveCount(0)
  expect(calls).toEqual([])

  await test.step('closed, the screen learns its server anew and works', async () => {
    await notice(page).getByRole('button', { name: 'Tutup' }).click()
    await expect(notice(page)).toHaveCount(0)
    await expect(page.getByText(EMPTY)).toBeVisible()
    expect(foreign).toEqual([])
  })
})
