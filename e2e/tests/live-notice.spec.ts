import { notice, STOPPED } from '../support/blocking-notice.ts'
import { featureCalls } from '../support/calls.ts'
import { expect, test } from '../support/fixtures.ts'
import { openLive } from '../support/live-screen.ts'
import { changeStoredUser } from '../support/page-facts.ts'

const EMPTY = 'Anda belum mengupload video.'

test('[LIVE-20] a user whose server is not the expected one gets the notice; nothing is loaded and nothing can be done', async ({
  page,
  account,
}) => {
  await account.login(page, await account.register())
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

test('[LIVE-20] the user of a plain trial is not blocked', async ({ page, account }) => {
  await openLive(page, account)
  await expect(notice(page)).toHaveCount(0)
})

test('[LIVE-20] a call that is refused because access was stopped brings the notice, with the server’s words', async ({
  page,
  account,
}) => {
  await account.login(page, await account.register())
  const refusal = { success: false, code: 'access_stopped', message: 'Masa coba Anda sudah berakhir.' }
  await page.route(/\/fitur\/(video|steam)\b/, (route) => route.fulfill({ status: 403, json: refusal }))
  await page.goto('/fitur/live')
  await expect(notice(page)).toContainText('Masa coba Anda sudah berakhir.')

  const calls = featureCalls(page)
  await page.clock.install()
  await page.clock.runFor(60_000)
  expect(calls).toEqual([])

  await test.step('closed, the list says why it is empty', async () => {
    await notice(page).getByRole('button', { name: 'Tutup' }).click()
    await expect(notice(page)).toHaveCount(0)
    await expect(page.getByRole('main').getByText('Masa coba Anda sudah berakhir.').last()).toBeVisible()
    await expect(page.getByRole('button', { name: 'Coba lagi' })).toBeVisible()
  })
})

test('[LIVE-20] an action that is refused brings it back', async ({ page, account }) => {
  await openLive(page, account)
  await page.route('**/fitur/video/import', (route) =>
    route.fulfill({ status: 403, json: { success: false, code: 'access_stopped', message: '' } }),
  )
  for (let time = 1; time <= 2; time++) {
    await page.getByRole('button', { name: 'Ambil dari alamat' }).click()
    await page.getByLabel('Alamat video').fill('https://contoh.example/a.mp4')
    await page.getByRole('button', { name: 'Ambil video' }).click()
    await expect(notice(page)).toContainText(STOPPED)
    await page.keyboard.press('Escape')
    await expect(notice(page)).toHaveCount(0)
    await expect(page.getByText(EMPTY)).toBeVisible()
  }
})
