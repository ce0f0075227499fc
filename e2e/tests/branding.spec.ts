import type { Locator, Page } from '@playwright/test'
import { faults } from '../support/axe.ts'
import { newName, openGo, PATIENT, stop, streams, tab } from '../support/broadcasts.ts'
import { DEVICES } from '../support/devices.ts'
import { test as enforcedTest } from '../support/enforced-plans.ts'
import { expect, test } from '../support/fixtures.ts'
import { atEachSize, expectNoSidewaysScroll } from '../support/layout.ts'
import { message, openLiveWith, pickButton } from '../support/live-screen.ts'

const VIDEO = 'kebun.mp4'
/** Twice as wide as it is high. */
const LOGO = {
  name: 'logo.svg',
  mimeType: 'image/svg+xml',
  buffer: Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 200"><rect width="400" height="200" rx="60" fill="#0f766e"/></svg>',
  ),
}
const UPRIGHT = 'Tegak 9:16 untuk TikTok & Instagram'

const dialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Buat versi dengan brand' })
const picture = (page: Page): Locator => page.getByTestId('brand-picture')
const versions = (page: Page): Locator => page.getByRole('list', { name: `Versi lain ${VIDEO}` }).getByRole('listitem')

const drawnWidth = (image: Locator): Promise<number> =>
  image.evaluate((element) => (element as unknown as { naturalWidth: number }).naturalWidth)

async function openDialog(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Buat versi dengan brand' }).click()
  await expect(picture(page)).toBeVisible()
}

/** Where something lies in the preview, in per cent of the preview. */
async function placeIn(page: Page, testId: string): Promise<{ left: number; top: number; width: number }> {
  const [whole, part] = [await picture(page).boundingBox(), await page.getByTestId(testId).boundingBox()]
  if (!whole || !part) throw new Error(`no ${testId} in the preview`)
  const share = (length: number, of: number): number => Math.round((length / of) * 100)
  return {
    left: share(part.x - whole.x, whole.width),
    top: share(part.y - whole.y, whole.height),
    width: share(part.width, whole.width),
  }
}

async function wellMade(page: Page): Promise<void> {
  expect(await faults(page)).toEqual([])
  await expectNoSidewaysScroll(page)
}

/** Moves a slider as a keyboard does. */
async function press(slider: Locator, key: string, times: number): Promise<void> {
  await slider.focus()
  for (let time = 0; time < times; time++) await slider.press(key)
}

for (const { device, use } of DEVICES) {
  test.describe(device, () => {
    test.use(use)

    test('[BRAND-01] [BRAND-02] [BRAND-03] a logo and a line of text are set, placed on a video in a live preview, made into versions, and the chosen one goes on air', async ({
      page,
      account,
      clip,
      rtmp,
    }) => {
      test.slow()
      await openLiveWith(page, account, [await clip(VIDEO, { seconds: 3 })])
      await page.goto('/fitur')
      await page.getByRole('main').getByRole('link', { name: 'Branding' }).click()
      await expect(page.getByRole('heading', { level: 1, name: 'Branding' })).toBeVisible()

      await test.step('the kit', async () => {
        await page.getByLabel('File logo').setInputFiles({ ...LOGO, name: 'logo.jpg', mimeType: 'image/jpeg' })
        await expect(page.getByText('Logo harus file PNG atau SVG.')).toBeVisible()
        await wellMade(page)
        await page.getByLabel('File logo').setInputFiles(LOGO)
        const light = page.getByRole('img', { name: 'Logo Anda di latar terang' })
        await expect(light).toBeVisible()
        await expect(page.getByRole('img', { name: 'Logo Anda di latar gelap' })).toBeVisible()
        await expect.poll(() => drawnWidth(light)).toBeGreaterThan(0)
        await expect(page.getByText('Logo harus file PNG atau SVG.')).toHaveCount(0)
        await page.getByLabel('Teks brand').fill('Kopi Senja · buka 24 jam')
        await page.getByLabel('Warna pita', { exact: true }).fill('#0f766e')
        await page.getByRole('button', { name: 'Simpan' }).click()
        await expect(page.getByText('Brand disimpan.')).toBeVisible()
        await page.reload()
        await expect(page.getByLabel('Teks brand')).toHaveValue('Kopi Senja · buka 24 jam')
        await expect(light).toBeVisible()
        await wellMade(page)
      })

      await page.getByRole('link', { name: 'Buka video' }).click()
      await pickButton(page, VIDEO).click()

      await test.step('the logo in its own shape, placed by keys', async () => {
        await openDialog(page)
        await expect.poll(() => drawnWidth(page.getByTestId('brand-logo'))).toBeGreaterThan(0)
        expect(await placeIn(page, 'brand-logo')).toEqual({ left: 82, top: 6, width: 15 })
        await dialog(page).getByRole('radio', { name: 'Kiri bawah' }).check({ force: true })
        await press(dialog(page).getByLabel('Lebar logo'), 'ArrowRight', 5)
        await press(dialog(page).getByLabel('Jarak dari tepi'), 'ArrowLeft', 3)
        expect(await placeIn(page, 'brand-logo')).toEqual({ left: 0, top: 82, width: 20 })
        await dialog(page).getByRole('radio', { name: 'Kanan atas' }).check({ force: true })
        await wellMade(page)
        await dialog(page).getByRole('button', { name: 'Buat versi' }).click()
        await expect(dialog(page)).toHaveCount(0)
        await expect(versions(page)).toHaveText(/^Versi logo kanan atas · 320×180 · [\d.,]+ [KM]B$/, {
          timeout: 60_000,
        })
      })

      await test.step('upright, with the line of text', async () => {
        await openDialog(page)
        await dialog(page).getByRole('radio', { name: UPRIGHT }).check({ force: true })
        await dialog(page).getByRole('radio', { name: 'Potong' }).check({ force: true })
        await expect(dialog(page).getByLabel('Bagian yang terlihat')).toBeVisible()
        await dialog(page).getByRole('radio', { name: 'Latar buram' }).check({ force: true })
        await dialog(page).getByRole('checkbox', { name: 'Pita teks di bawah' }).check()
        await expect(page.getByTestId('brand-line')).toHaveText('Kopi Senja · buka 24 jam')
        const { width = 0, height = 1 } = (await picture(page).boundingBox()) ?? {}
        expect(width / height).toBeCloseTo(9 / 16, 1)
        await wellMade(page)
        await dialog(page).getByRole('button', { name: 'Buat versi' }).click()
        await expect(versions(page).filter({ hasText: '9:16' })).toHaveText(
          /^Versi logo kanan atas · teks · 9:16 latar buram · 180×320 · [\d.,]+ [KM]B$/,
          { timeout: 60_000 },
        )
        await wellMade(page)
      })

      await test.step('the chosen version goes on air', async () => {
        await tab(page, 'Go').click()
        const choice = page.getByRole('group', { name: 'Versi' })
        await expect(choice.getByRole('radio')).toHaveCount(3)
        await expect(choice.getByRole('radio', { name: /^Asli/ })).toBeChecked()
        await choice.getByRole('radio', { name: /9:16/ }).check()
        await wellMade(page)
        // What goes on air does not depend on the screen.
        if (device === 'mobile') return
        const name = newName()
        await page.getByLabel('Platform').selectOption({ label: 'Lainnya' })
        await page.getByLabel('RTMP/stream key').fill(`${rtmp.url}/${name}`)
        await page.getByRole('button', { name: 'Go Live' }).click()
        await expect(message(page)).toHaveText('Siaran langsung dimulai!')
        const published = await rtmp.waitForPublisher(name, { growing: true, ...PATIENT })
        expect([published.width, published.height]).toEqual([180, 320])
        await tab(page, 'Live').click()
        await stop(page, streams(page).first())
      })
    })
  })
}

enforcedTest(
  '[BRAND-03] [BRAND-04] a trial has no logo and no text of its own, and is told so; a video stands upright all the same @long',
  async ({ page, account, clip }) => {
    await openLiveWith(page, account, [await clip(VIDEO, { seconds: 3 })])
    await page.goto('/fitur/branding')
    const note = 'Paket Free Trial belum punya logo sendiri di video. Upgrade ke Starter untuk memakainya.'
    await expect(page.getByText(note)).toBeVisible()
    await expect(page.getByText('Paket Free Trial belum punya teks brand di video.')).toBeVisible()
    await expect(page.getByLabel('File logo')).toHaveCount(0)
    await expect(page.getByLabel('Teks brand')).toBeDisabled()
    await atEachSize(page, () => wellMade(page))

    await page.getByRole('link', { name: 'Buka video' }).click()
    await openGo(page, VIDEO)
    await expect(page.getByRole('group', { name: 'Versi' })).toHaveCount(0)
    await tab(page, 'Lokal').click()
    await pickButton(page, VIDEO).click()
    await openDialog(page)
    await expect(dialog(page).getByText(note)).toBeVisible()
    await expect(dialog(page).getByRole('checkbox', { name: 'Logo' })).toBeDisabled()
    await expect(dialog(page).getByRole('button', { name: 'Buat versi' })).toBeDisabled()
    await atEachSize(page, () => wellMade(page))
    await dialog(page).getByRole('radio', { name: UPRIGHT }).check({ force: true })
    await dialog(page).getByRole('button', { name: 'Buat versi' }).click()
    await expect(versions(page)).toHaveText(/^Versi 9:16 latar buram · 180×320 · [\d.,]+ [KM]B$/, {
      timeout: 60_000,
    })
  },
)
