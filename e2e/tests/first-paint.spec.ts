import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { codeIsHere, consoleErrors } from '../support/page-facts.ts'

test.use({ firstVisit: true })

const OPEN_PAGES: readonly { path: string; heading: string; text: string }[] = [
  { path: '/', heading: 'Satu video, siaran yang tidak pernah tidur', text: 'Rp 49.000' },
  { path: '/login', heading: 'Login', text: 'Masuk untuk mengatur siaran Anda.' },
  { path: '/register', heading: 'Register', text: 'Buat akun Siarin. Gratis' },
  { path: '/documentation', heading: 'Documentation', text: 'Mengatur siaran lewat API' },
  { path: '/documentation/siaran-pertama', heading: 'Siaran pertama Anda', text: 'Baca berikutnya' },
  { path: '/documentation/menyiapkan-video', heading: 'Menyiapkan video untuk diputar berminggu-minggu', text: 'MP4' },
  { path: '/documentation/kunci-dan-platform', heading: 'Stream key dan platform', text: 'YouTube' },
  { path: '/documentation/api', heading: 'Mengatur siaran lewat API', text: 'Semua yang bisa dilakukan layar Live' },
  { path: '/documentation/webhook', heading: 'Webhook: program Anda diberi tahu', text: 'webhook-signature' },
  { path: '/tidak-ada', heading: 'Page Not Found', text: 'mungkin sudah dihapus' },
]

/** Holds the page's own code back, so that what is seen is what the server sent. */
async function holdCode(page: Page): Promise<() => void> {
  let release = (): void => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/assets/index-*.js', async (route) => {
    await held
    await route.continue()
  })
  return release
}

test.describe('[META-09] without JavaScript', () => {
  test.use({ javaScriptEnabled: false })
  test('the open pages show their text', async ({ page, siarin }) => {
    for (const { path, heading, text } of OPEN_PAGES) {
      await test.step(path, async () => {
        await page.goto(path)
        await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
        await expect(page.getByRole('main').getByText(text).first()).toBeVisible()
      })
    }
    // The address of this server stands in the examples.
    await page.goto('/documentation/api')
    await expect(page.locator('pre').first()).toContainText(`${siarin.url}/fitur/video/upload`)
  })
})

test('[META-09] React takes the open pages over as they are, without a word @long', async ({ page }) => {
  const complaints = consoleErrors(page)
  for (const { path, heading } of OPEN_PAGES) {
    await test.step(path, async () => {
      const release = await holdCode(page)
      await page.goto(path, { waitUntil: 'commit' })
      const title = page.getByRole('heading', { level: 1, name: heading })
      await expect(title).toBeVisible()
      // The very element that the server sent is still there afterwards: it was taken over, not made anew.
      await title.evaluate((element) => element.setAttribute('data-sent', ''))
      release()
      await codeIsHere(page)
      await expect(title).toHaveAttribute('data-sent', '')
    })
  }
  // The browser's own line about the status of the last one.
  expect(complaints.filter((line) => !line.includes('404'))).toEqual([])
})

test('[META-09] Home has a title of its own, before and after its code', async ({ page, reader }) => {
  const html = await (await page.request.get('/dashboard', { headers: { accept: '*/*' } })).text()
  expect(html).toContain('<title>Siarin - Dashboard</title>')
  await reader.enter(page)
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: /^Welcome back/ })).toBeVisible()
  await expect(page).toHaveTitle('Siarin - Dashboard')
})

test('what is typed before the code is here stays, and can be sent', async ({ page }) => {
  const release = await holdCode(page)
  await page.goto('/login', { waitUntil: 'commit' })
  await page.getByLabel('Email').fill('rina@gmail.com')
  await page.getByLabel('Password', { exact: true }).fill('rahasia-rina')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Login' })).toBeDisabled()
  expect(new URL(page.url()).search).toBe('')
  release()
  await expect(page.getByRole('button', { name: 'Login' })).toBeEnabled()
  await expect(page.getByLabel('Email')).toHaveValue('rina@gmail.com')
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('rahasia-rina')
})

test('what is pressed before the code is here is done once it is', async ({ page }) => {
  await page.goto('/documentation')
  const release = await holdCode(page)
  await page.goto('/tidak-ada', { waitUntil: 'commit' })
  await page.getByRole('button', { name: 'Go Back' }).click()
  await expect(page).toHaveURL('/tidak-ada')
  release()
  await expect(page).toHaveURL('/documentation')
})

test('a member never sees what is for guests', async ({ page, reader }) => {
  await reader.enter(page)
  const release = await holdCode(page)
  await page.goto('/documentation', { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { level: 1, name: 'Documentation' })).toBeVisible()
  await expect(page.locator('nav[data-guests]')).toBeAttached()
  await expect(page.getByRole('link', { name: 'Login' })).toBeHidden()
  await page.goto('/login', { waitUntil: 'commit' })
  await expect(page.locator('#root')).toBeAttached()
  await expect(page.getByRole('heading', { name: 'Login' })).toBeHidden()
  release()
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('heading', { name: /^Welcome back/ })).toBeVisible()
})

test('the theme that was chosen is marked once the code is here, and none before', async ({ page }) => {
  await page.addInitScript("localStorage.setItem('theme', 'dark')")
  const release = await holdCode(page)
  await page.goto('/', { waitUntil: 'commit' })
  const dark = page.getByRole('radio', { name: 'Gelap' })
  await expect(page.locator('html')).toHaveClass('dark')
  await expect(dark).not.toBeChecked()
  await expect(page.getByRole('radio', { name: 'Sistem' })).not.toBeChecked()
  await expect(page.locator('header .lucide-sun')).toBeVisible()
  await expect(page.locator('header .lucide-moon')).toBeHidden()
  release()
  await expect(dark).toBeChecked()
})
