import { tab } from '../support/broadcasts.ts'
import { expect, test } from '../support/fixtures.ts'
import { currentTime, message, openLiveAs, pickButton, player } from '../support/live-screen.ts'
import { OWNED_VIDEO } from '../support/member.ts'

test('[LIVE-01] [LIVE-18] the player shows the chosen source and plays it by itself, its name below', async ({
  page,
  owner,
}) => {
  await openLiveAs(page, owner)
  await expect(page.getByText('Pilih video untuk melihatnya di sini.')).toBeVisible()
  await expect(page.getByTestId('current-video')).toHaveText('Belum ada video dipilih')

  await pickButton(page, OWNED_VIDEO).click()
  await expect(page.getByTestId('current-video')).toHaveText(OWNED_VIDEO)
  await expect(player(page)).toHaveAttribute('src', /\/fitur\/video\/kebun\.mp4\?/)
  await expect.poll(() => currentTime(player(page))).toBeGreaterThan(0)
  const [picture, name] = [await player(page).boundingBox(), await page.getByTestId('current-video').boundingBox()]
  expect(name?.y).toBeGreaterThan((picture?.y ?? 0) + (picture?.height ?? 0))
  expect((picture?.width ?? 0) / (picture?.height ?? 1)).toBeCloseTo(16 / 9, 1)
})

test('[LIVE-01] a browser without videos shows the fallback text @long', async ({ page, owner }) => {
  await page.addInitScript(() => {
    const { createElement } = Document.prototype
    Document.prototype.createElement = function (this: Document, name: string, options?: ElementCreationOptions) {
      return createElement.call(this, name === 'video' ? 'unknown-video' : name, options)
    }
  })
  await openLiveAs(page, owner)
  await pickButton(page, OWNED_VIDEO).click()
  await expect(page.getByText('Browser Anda tidak mendukung tag video.')).toBeVisible()
  await expect(message(page)).toHaveText('Player tidak tersedia.')
})

test('[LIVE-18] where the browser blocks autoplay, the person is asked to press play @long', async ({
  page,
  owner,
}) => {
  await page.addInitScript(() => {
    HTMLMediaElement.prototype.play = () =>
      Promise.reject(new DOMException('play() failed because the user did not interact', 'NotAllowedError'))
  })
  await openLiveAs(page, owner)
  await pickButton(page, OWNED_VIDEO).click()
  await expect(message(page)).toHaveText('Klik play untuk memulai video.')
  await expect(message(page)).toHaveRole('status')
  await expect(player(page)).toHaveAttribute('src', /kebun\.mp4/)
})

test('[LIVE-18] a source that cannot be played is said to be so, and the next one plays', async ({ page, owner }) => {
  await openLiveAs(page, owner)
  await page.route(`**/fitur/video/${OWNED_VIDEO}?*`, (route) => route.fulfill({ status: 500, body: '' }))
  await pickButton(page, OWNED_VIDEO).click()
  await expect(message(page)).toHaveText('Gagal memuat streaming. Coba lagi.')
  await expect(message(page)).toHaveRole('alert')

  await page.unroute(`**/fitur/video/${OWNED_VIDEO}?*`)
  await page.getByRole('button', { pressed: true }).click()
  await expect.poll(() => currentTime(player(page))).toBeGreaterThan(0)
})

test('[LIVE-15] any tab but Go stops the player and clears the chosen video @long', async ({ page, owner }) => {
  await openLiveAs(page, owner)
  for (const next of ['Bigo', 'Live', 'Lokal']) {
    await tab(page, 'Lokal').click()
    await pickButton(page, OWNED_VIDEO).click()
    await expect.poll(() => currentTime(player(page))).toBeGreaterThan(0)
    await tab(page, 'Go').click()
    await expect(page.getByTestId('chosen-source')).toHaveText(OWNED_VIDEO)
    await expect(player(page)).toHaveAttribute('src')
    await tab(page, next).click()
    await expect(player(page)).not.toHaveAttribute('src')
    await expect(page.getByTestId('current-video')).toHaveText('Belum ada video dipilih')
    await tab(page, 'Go').click()
    await expect(page.getByText('Silakan pilih video terlebih dahulu dari tab Lokal atau Bigo')).toBeVisible()
  }
})
