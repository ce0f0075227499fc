import type { Page } from '@playwright/test'
import { startSiarin } from '@siarin/testkit/siarin-server'
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
  { path: '/fitur/account', heading: 'Account', title: 'Account' },
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

async function expectScreen(page: Page, { path, heading, title }: Route): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: heading })).toBeAttached()
  expect(pathOf(page)).toBe(path)
  await expect(page).toHaveTitle(`Siarin - ${title}`)
  await expect(description(page)).toHaveAttribute('content', /\S{3,}/)
}

test('[META-01] a guest gets every guests-only and every open route at its path', async ({ page }) => {
  for (const route of [...GUESTS_ONLY, ...OPEN]) {
    await page.goto(route.path)
    await expectScreen(page, route)
  }
})

test('[META-01] a member gets every login-required and every open route at its path', async ({ page, account }) => {
  await account.login(page, await account.register())
  for (const route of [...MEMBERS_ONLY, ...OPEN]) {
    await page.goto(route.path)
    await expectScreen(page, route)
  }
})

test('[META-02] a logged-in user who opens a guest-only route lands on Dashboard', async ({ page, account }) => {
  await account.login(page, await account.register())
  for (const { path } of GUESTS_ONLY) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: /^Welcome back/ })).toBeVisible()
    expect(pathOf(page)).toBe('/dashboard')
  }
})

test('[META-02] a logged-out user who opens a login-required route lands on Login', async ({ page }) => {
  for (const { path } of MEMBERS_ONLY) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
    expect(pathOf(page)).toBe('/login')
  }
})

test('[META-02] logging out in one tab sends the other to Login', async ({ page, context, account }) => {
  await account.login(page, await account.register())
  await page.goto('/dashboard')
  const other = await context.newPage()
  await other.goto('/profile')
  await other.getByRole('button', { name: 'Logout' }).click()
  await expect(page).toHaveURL('/login')
})

test('[META-03] title and description refresh on first display and on every path change', async ({ page, account }) => {
  await page.goto('/login')
  await expect(page).toHaveTitle('Siarin - Login')
  const ofLogin = await description(page).getAttribute('content')

  await page.getByRole('link', { name: 'Register' }).click()
  await expect(page).toHaveTitle('Siarin - Register')
  await expect(description(page)).not.toHaveAttribute('content', ofLogin ?? '')

  await page.goBack()
  await expect(page).toHaveTitle('Siarin - Login')
  await expect(description(page)).toHaveAttribute('content', ofLogin ?? '')

  await account.login(page, await account.register())
  await page.goto('/dashboard')
  await expect(page).toHaveTitle('Siarin - Dashboard')
  await page.getByRole('button', { name: 'Profile' }).click()
  await page.getByRole('menuitem', { name: 'My Profile' }).click()
  await expect(page).toHaveTitle('Siarin - Profile')
})

test('[META-04] a route without metadata gets the fallback title and description', async ({ page }) => {
  await page.goto('/login')
  await expect(page).toHaveTitle('Siarin - Login')
  await page.goto('/tidak/ada/di/sini')
  await expect(page).toHaveTitle(FALLBACK_TITLE)
  await expect(description(page)).toHaveAttribute('content', FALLBACK_DESCRIPTION)
})

test('[META-05] the main layout has a header, the public one only the page area', async ({ page, account }) => {
  const header = page.getByRole('banner')
  const area = page.getByRole('main')
  for (const path of ['/register', '/login', '/tidak-ada']) {
    await page.goto(path)
    await expect(area.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(header).toHaveCount(0)
    await expect(page.getByRole('navigation')).toHaveCount(0)
  }
  await page.goto('/documentation')
  await expect(header.getByRole('link', { name: 'Siarin' })).toBeVisible()

  await account.login(page, await account.register())
  for (const { path } of MEMBERS_ONLY) {
    await page.goto(path)
    await expect(header.getByRole('link', { name: 'Siarin' })).toBeVisible()
    await expect(area.getByRole('heading', { level: 1 })).toBeAttached()
  }
})

test('[META-06] any other path shows the not-found page, which leads home', async ({ page }) => {
  for (const path of ['/tidak-ada', '/fitur/tidak-ada', '/documentation/captcha', '/login/x']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible()
    await expect(
      page.getByText('Halaman yang Anda cari mungkin sudah dihapus, berganti nama, atau sedang tidak tersedia.'),
    ).toBeVisible()
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

test('[META-07] one setting names the brand in titles, header and landing page', async ({ page }) => {
  const other = await startSiarin({ env: { BRAND_NAME: 'Ruang <b>Tayang</b>' } })
  try {
    await page.goto(`${other.url}/`)
    await expect(page).toHaveTitle(/^Ruang <b>Tayang<\/b> - /)
    await expect(page.getByRole('banner').getByRole('link', { name: 'Ruang <b>Tayang</b>' })).toBeVisible()
    await expect(page.getByRole('main')).toContainText('Ruang <b>Tayang</b> memutar video Anda')
    await page.goto(`${other.url}/register`)
    await expect(page).toHaveTitle('Ruang <b>Tayang</b> - Register')
    await expect(page.getByRole('main')).toContainText('Buat akun Ruang <b>Tayang</b>')
    await expect(page.locator('html')).not.toContainText('Siarin')
  } finally {
    await other.dispose()
  }
})

test('[META-07] without the setting the brand is Siarin', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('banner').getByRole('link', { name: 'Siarin' })).toBeVisible()
})

test('[META-08] the interface is Indonesian and keeps the English labels that the specification quotes', async ({
  page,
  account,
}) => {
  await page.goto('/register')
  await expect(page.locator('html')).toHaveAttribute('lang', 'id')
  await expect(page.getByText('Sudah punya akun? Login')).toBeVisible()
  await expect(page.getByText('Password must be at least 6 characters')).toBeVisible()

  await account.login(page, await account.register())
  await page.goto('/fitur')
  for (const tile of ['Live', 'Account', 'Tambah Followers', 'Tutorial']) {
    await expect(page.getByRole('main').getByRole('link', { name: tile })).toBeVisible()
  }
  await page.goto('/fitur/live')
  await expect(page.getByText('Anda belum mengupload video.')).toBeVisible()
  await page.getByRole('tab', { name: 'Go', exact: true }).click()
  await expect(page.getByText('Silakan pilih video terlebih dahulu dari tab Lokal atau Bigo')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Go Live' })).toBeDisabled()
})
