import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'

const FALLBACK_TITLE = 'Siarin - Teknologi, Informasi, Pemrograman dan Bot'
const FALLBACK_DESCRIPTION = 'Seputar teknologi, informasi, pemrograman dan bot dalam bahasa Indonesia.'

type Route = { path: string; heading: string | RegExp; title: string }

const GUESTS_ONLY: Route[] = [
  {
    path: '/',
    heading: 'Satu video, siaran yang tidak pernah tidur',
    title: 'Siaran langsung nonstop dari video Anda',
  },
  { path: '/register', heading: 'Register', title: 'Register' },
  { path: '/login', heading: 'Login', title: 'Login' },
]

const MEMBERS_ONLY: Route[] = [
  { path: '/dashboard', heading: /^Welcome back, .+!$/, title: 'Dashboard' },
  { path: '/fitur', heading: 'Fitur', title: 'Dashboard' },
  { path: '/fitur/live', heading: 'Live', title: 'Live' },
  { path: '/fitur/siaran', heading: 'Ruang kontrol', title: 'Ruang kontrol' },
  { path: '/fitur/analytics', heading: 'Analitik', title: 'Analitik' },
  { path: '/fitur/analytics/laporan', heading: 'Laporan bulanan', title: 'Laporan bulanan' },
  { path: '/fitur/analytics/tidak-ada', heading: 'Riwayat siaran', title: 'Riwayat siaran' },
  { path: '/fitur/rekaman', heading: 'Rekaman', title: 'Rekaman' },
  { path: '/fitur/account', heading: 'Account', title: 'Account' },
  { path: '/fitur/target', heading: 'Tujuan siaran', title: 'Tujuan' },
  { path: '/fitur/jadwal', heading: 'Jadwal siaran', title: 'Jadwal' },
  { path: '/fitur/playlist', heading: 'Playlist', title: 'Playlist' },
  { path: '/fitur/branding', heading: 'Branding', title: 'Branding' },
  { path: '/fitur/notifikasi', heading: 'Notifikasi', title: 'Notifikasi' },
  { path: '/fitur/webhook', heading: 'Webhook', title: 'Webhook' },
  { path: '/fitur/tutorial', heading: 'Tutorial', title: 'Tutorial' },
  { path: '/profile', heading: 'Profile', title: 'Profile' },
]

const OPEN: Route[] = [
  { path: '/documentation', heading: 'Documentation', title: 'Documentation' },
  { path: '/documentation/captcha/text', heading: 'Captcha Text', title: 'Captcha Text' },
  { path: '/documentation/captcha/v3', heading: 'Recaptcha V3', title: 'Recaptcha V3' },
]

const pathOf = (page: Page): string => new URL(page.url()).pathname
const description = (page: Page) => page.locator('meta[name="description"]')

/** Opens a route by its address, as a bookmark does. */
async function expectScreen(page: Page, { path, heading, title }: Route, layout: 'main' | 'public'): Promise<void> {
  await test.step(path, async () => {
    await page.goto(path, { waitUntil: 'commit' })
    await expect(page.getByRole('main').getByRole('heading', { level: 1, name: heading })).toBeAttached()
    expect(pathOf(page)).toBe(path)
    await expect(page).toHaveTitle(`Siarin - ${title}`)
    await expect(description(page)).toHaveAttribute('content', /\S{3,}/)
    if (layout === 'main') {
      await expect(page.getByRole('banner').getByRole('link', { name: 'Siarin' })).toBeVisible()
    } else await expect(page.locator('header, nav')).toHaveCount(0)
  })
}

test('[META-01] [META-02] [META-03] [META-05] [META-08] a guest gets every guests-only and every open route at its path, with its title and its layout', async ({
  page,
}) => {
  for (const route of [...GUESTS_ONLY, ...OPEN]) {
    await expectScreen(page, route, ['/register', '/login'].includes(route.path) ? 'public' : 'main')
  }
  await test.step('a login-required route leads to Login', async () => {
    await page.goto('/profile')
    await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
    expect(pathOf(page)).toBe('/login')
  })

  await test.step('title and description change with the path', async () => {
    const ofLogin = (await description(page).getAttribute('content')) ?? ''
    await expect(page).toHaveTitle('Siarin - Login')
    await page.getByRole('link', { name: 'Register' }).click()
    await expect(page).toHaveTitle('Siarin - Register')
    await expect(description(page)).not.toHaveAttribute('content', ofLogin)
    await page.goBack()
    await expect(page).toHaveTitle('Siarin - Login')
    await expect(description(page)).toHaveAttribute('content', ofLogin)
  })

  await test.step('in Indonesian, with the English labels that the specification quotes', async () => {
    await page.getByRole('link', { name: 'Register' }).click()
    await expect(page.locator('html')).toHaveAttribute('lang', 'id')
    await expect(page.getByText('Sudah punya akun? Login')).toBeVisible()
    await expect(page.getByText('Password must be at least 6 characters')).toBeVisible()
  })
})

test('[META-01] [META-02] [META-03] [META-05] [META-08] a member gets every login-required and every open route at its path, with its title and its layout @long', async ({
  page,
  account,
}) => {
  await account.login(page, await account.register())
  for (const route of [...OPEN, ...MEMBERS_ONLY]) await expectScreen(page, route, 'main')

  await test.step('a guest-only route leads to Dashboard', async () => {
    await page.goto('/login')
    await expect(page.getByRole('heading', { name: /^Welcome back/ })).toBeVisible()
    expect(pathOf(page)).toBe('/dashboard')
  })

  await test.step('the title changes with the path', async () => {
    await expect(page).toHaveTitle('Siarin - Dashboard')
    await page.getByRole('button', { name: 'Profile' }).click()
    await page.getByRole('menuitem', { name: 'My Profile' }).click()
    await expect(page).toHaveTitle('Siarin - Profile')
  })

  await test.step('in Indonesian, with the English labels that the specification quotes', async () => {
    await page.goto('/fitur')
    for (const tile of ['Account', 'Tambah Followers', 'Tutorial', 'Live']) {
      await expect(page.getByRole('main').getByRole('link', { name: tile })).toBeVisible()
    }
    await page.getByRole('main').getByRole('link', { name: 'Live' }).click()
    await expect(page.getByText('Anda belum mengupload video.')).toBeVisible()
    await page.getByRole('tab', { name: 'Go', exact: true }).click()
    await expect(page.getByText('Silakan pilih video terlebih dahulu dari tab Lokal atau Bigo')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Go Live' })).toBeDisabled()
  })
})

test('[META-02] logging out in one tab sends the other to Login', async ({ page, context, account }) => {
  await account.login(page, await account.register())
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const other = await context.newPage()
  await other.goto('/profile')
  await other.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/login')
})

test('[META-04] [META-05] [META-06] any other path shows the not-found page with the fallback title, which leads home', async ({
  page,
}) => {
  for (const path of ['/tidak-ada', '/fitur/tidak-ada', '/documentation/captcha', '/login/x']) {
    await page.goto(path)
    await expect(page.getByRole('main').getByRole('heading', { name: 'Page Not Found' })).toBeVisible()
    await expect(
      page.getByText('Halaman yang Anda cari mungkin sudah dihapus, berganti nama, atau sedang tidak tersedia.'),
    ).toBeVisible()
    await expect(page).toHaveTitle(FALLBACK_TITLE)
    await expect(description(page)).toHaveAttribute('content', FALLBACK_DESCRIPTION)
    await expect(page.locator('header, nav')).toHaveCount(0)
  }
  await page.getByRole('link', { name: 'Back to Home' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('link', { name: /^Coba gratis/ })).toBeVisible()
})

test("[META-06] 'Go Back' returns to the previous page", async ({ page }) => {
  await page.goto('/documentation')
  await page.goto('/tidak-ada')
  await page.getByRole('button', { name: 'Go Back' }).click()
  await expect(page).toHaveURL('/documentation')
  await expect(page.getByRole('heading', { name: 'Documentation' })).toBeVisible()
})
