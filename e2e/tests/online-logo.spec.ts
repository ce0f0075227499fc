import { ONLINE_TEXTS } from '@siarin/contracts/texts'
import { faults } from '../support/axe.ts'
import { newName, stop, streams, tab, word } from '../support/broadcasts.ts'
import { expect, test } from '../support/fixtures.ts'
import { atEachSize, expectNoSidewaysScroll } from '../support/layout.ts'
import { message, openLiveWith } from '../support/live-screen.ts'
import { addByApi } from '../support/online.ts'

const LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 200"><rect width="400" height="200"/></svg>'
const PATIENT = { timeout: 120_000 }

test('[BRAND-01] an online source goes on air with the logo where an encoder is free, and says how it went @long', async ({
  page,
  account,
  rtmp,
  hls,
}) => {
  const user = await openLiveWith(page, account, [])
  const headers = { 'x-api-key': user.apiKey, 'content-type': 'image/svg+xml' }
  expect((await page.request.put('/fitur/branding/logo', { headers, data: Buffer.from(LOGO) })).ok()).toBe(true)
  await addByApi(page, user, 'online', { name: 'Kamera taman', url: hls.url })
  await tab(page, 'Bigo').click()
  await page.getByRole('button', { name: /^Kamera taman/ }).click()
  const name = newName()
  await tab(page, 'Go').click()
  await page.getByLabel('Platform').selectOption({ label: 'Lainnya' })
  await page.getByLabel('RTMP/stream key').fill(`${rtmp.url}/${name}`)
  await page.getByLabel('Logo di siaran').selectOption({ label: 'Kanan bawah' })
  await expect(page.getByText(/siaran tetap jalan tanpa logo/)).toBeVisible()
  await atEachSize(page, async () => {
    expect(await faults(page)).toEqual([])
    await expectNoSidewaysScroll(page)
  })
  const started = page.waitForRequest('**/fitur/steam/start')
  await page.getByRole('button', { name: 'Go Live' }).click()
  expect((await started).postDataJSON()).toMatchObject({ source: hls.url, logo: { corner: 'br' } })
  await expect(message(page)).toHaveText('Siaran langsung dimulai!')
  await tab(page, 'Live').click()
  const row = streams(page).first()
  await rtmp.waitForPublisher(name, { growing: true, timeoutMs: 120_000 })
  await expect(word(row, 'Tayang')).toBeVisible(PATIENT)
  // Other tests may have the encoders of this machine.
  await expect(row.getByText(ONLINE_TEXTS.logoEncoded).or(row.getByText(ONLINE_TEXTS.logoLeftOut))).toBeVisible()
  await stop(page, row)
  await rtmp.waitForNoPublisher(name, { timeoutMs: 120_000 })
})
