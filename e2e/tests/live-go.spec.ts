import { goLive, newName, openGo, stop, streams, tab } from '../support/broadcasts.ts'
import { holdCalls } from '../support/calls.ts'
import { expect, test } from '../support/fixtures.ts'
import { message, openLive, openLiveAs, openLiveWith, pickButton } from '../support/live-screen.ts'
import { OWNED_VIDEO } from '../support/member.ts'

const VIDEO = OWNED_VIDEO
const HINT = 'Silakan pilih video terlebih dahulu dari tab Lokal atau Bigo'

test('[LIVE-09] the form has the source, the title, four platforms, and a key or an account', async ({
  page,
  owner,
}) => {
  await openLiveAs(page, owner)
  await tab(page, 'Go').click()
  await expect(page.getByText(HINT)).toBeVisible()
  await openGo(page, VIDEO)
  await expect(page.getByTestId('chosen-source')).toHaveText(VIDEO)
  await expect(page.getByText(HINT)).toHaveCount(0)
  await expect(page.getByLabel('Judul live')).toBeVisible()

  const platform = page.getByLabel('Platform')
  await expect(platform.getByRole('option')).toHaveText(['Facebook', 'TikTok', 'YouTube', 'Lainnya'])
  for (const [label, value] of [
    ['Facebook', 'facebook'],
    ['YouTube', 'youtube'],
    ['Lainnya', 'lain'],
  ] as const) {
    await platform.selectOption({ label })
    await expect(platform).toHaveValue(value)
    await expect(page.getByLabel('RTMP/stream key')).toBeVisible()
    await expect(page.getByLabel('Akun TikTok')).toHaveCount(0)
  }
  await platform.selectOption({ label: 'TikTok' })
  await expect(page.getByLabel('Akun TikTok')).toBeVisible()
  await expect(page.getByLabel('RTMP/stream key')).toHaveCount(0)
})

test('[LIVE-10] [LIVE-12] Go Live needs a video, says Memproses... while it works, and sends what the call wants', async ({
  page,
  account,
  clip,
  rtmp,
}) => {
  await openLiveWith(page, account, [await clip(VIDEO, { seconds: 3 })])
  await tab(page, 'Go').click()
  const button = page.getByRole('button', { name: 'Go Live' })
  await expect(button).toBeDisabled()

  await openGo(page, VIDEO)
  await expect(button).toBeEnabled()
  const target = `${rtmp.url}/${newName()}`
  await page.getByLabel('Platform').selectOption({ label: 'Lainnya' })
  await page.getByLabel('RTMP/stream key').fill(`  ${target} `)

  const letGo = await holdCalls(page, '**/fitur/steam/start')
  const sent = page.waitForRequest('**/fitur/steam/start')
  await button.click()
  const working = page.getByRole('button', { name: 'Memproses...' })
  await expect(working).toBeDisabled()
  const { source, platform, rtmpStream, looping } = (await sent).postDataJSON()
  expect({ source, platform, rtmpStream, looping }).toEqual({
    source: VIDEO,
    platform: 'lain',
    rtmpStream: target,
    looping: true,
  })
  const reloaded = page.waitForRequest('**/fitur/steam/active')
  letGo()
  await expect(message(page)).toHaveText('Siaran langsung dimulai!')
  await reloaded
  await expect(button).toBeEnabled()
  await tab(page, 'Live').click()
  await stop(page, streams(page).first())
})

test('[LIVE-11] what is missing is said in the order of the specification, before anything is sent', async ({
  page,
  owner,
}) => {
  await openLiveAs(page, owner)
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
  await page.route('**/fitur/tiktok/accounts', (route) =>
    route.fulfill({
      json: { success: true, message: '', data: [{ platform: 'tiktok', account_id: 'a1', name: 'Tanpa token' }] },
    }),
  )
  await pickButton(page, VIDEO).click()
  await tab(page, 'Go').click()
  const go = page.getByRole('button', { name: 'Go Live' })

  await go.click()
  await expect(message(page)).toHaveText('RTMP/stream key diperlukan.')
  await expect(message(page)).toHaveRole('alert')
  await page.getByLabel('RTMP/stream key').fill('   ')
  await go.click()
  await expect(message(page)).toHaveText('RTMP/stream key diperlukan.')

  await page.getByLabel('Platform').selectOption({ label: 'TikTok' })
  await expect(message(page)).toHaveText('Ditemukan akun tiktok 1.')
  await go.click()
  await expect(message(page)).toHaveText('Pilih akun TikTok terlebih dahulu.')
  await page.getByLabel('Akun TikTok').selectOption({ label: 'Tanpa token' })
  await go.click()
  await expect(message(page)).toHaveText('Token tidak ditemukan pada akun ini.')
  expect(sent).toEqual([])
})

test('[LIVE-21] the server’s word about a start wins, then the default @long', async ({
  page,
  account,
  clip,
  rtmp,
}) => {
  await openLiveWith(page, account, [await clip(VIDEO, { seconds: 3 })])
  const target = `${rtmp.url}/${newName()}`
  await goLive(page, { video: VIDEO, target })

  await test.step('the server', async () => {
    await openGo(page, VIDEO)
    await page.getByLabel('RTMP/stream key').fill(target)
    await page.getByRole('button', { name: 'Go Live' }).click()
    await expect(message(page)).toHaveText(/^Error: Siaran ke tujuan ini sudah berjalan\./)
    await expect(page.getByLabel('RTMP/stream key')).toHaveValue(target)
    // It stays for a person who looked away while the message stood there.
    await expect(page.getByText(/^Siaran ke tujuan ini sudah berjalan\./)).toBeVisible()
  })
  await test.step('no word', async () => {
    await page.route('**/fitur/steam/start', (route) => route.fulfill({ status: 500, body: '' }))
    await page.getByRole('button', { name: 'Go Live' }).click()
    await expect(message(page)).toHaveText('Error: Gagal memulai live stream.')
  })
  await test.step('no answer', async () => {
    await page.route('**/fitur/steam/start', (route) => route.abort())
    await page.getByRole('button', { name: 'Go Live' }).click()
    await expect(message(page)).toHaveText('Error: Gagal koneksi.')
  })
  await tab(page, 'Live').click()
  await stop(page, streams(page).first())
})

test('without a stored user that can be read nothing is sent', async ({ page, reader }) => {
  await openLive(page, reader)
  await page.evaluate(() => localStorage.setItem('user', '{'))
  const sent: string[] = []
  page.on('request', (request) => request.url().includes('/fitur/') && sent.push(new URL(request.url()).pathname))
  await page.reload()
  await expect(message(page)).toHaveText('API Key diperlukan.')
  expect(sent.filter((path) => path !== '/fitur/live')).toEqual([])
})
