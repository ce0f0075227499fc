import type { Page } from '@playwright/test'
import { LoginAnswer } from '@siarin/contracts/auth'
import { fillLogin, loginButton } from '../support/auth-forms.ts'
import { holdClock } from '../support/clock.ts'
import { expect, test } from '../support/fixtures.ts'
import { expectLoggedOut } from '../support/logged-out.ts'
import { stored } from '../support/page-facts.ts'

/** With the clock stopped, and going again afterwards. A toast comes with a tick of the clock, and slides out for a moment before it is gone. */
async function expectToastFor1500Ms(page: Page, text: string): Promise<void> {
  const toast = page.locator('[data-sonner-toast]', { hasText: text })
  const tick = async (): Promise<number> => {
    await page.clock.runFor(5)
    return toast.count()
  }
  await expect.poll(tick).toBe(1)
  await page.clock.runFor(1480)
  await expect(toast).toHaveAttribute('data-removed', 'false')
  await page.clock.runFor(25)
  await expect(toast).toHaveAttribute('data-removed', 'true')
  await page.clock.runFor(1000)
  await expect(toast).toHaveCount(0)
  await page.clock.resume()
}

test('[AUTH-05] a login is stored, sent with every request, and shown', async ({ page, account, siarin }) => {
  const user = await account.register()
  const bearers = new Map<string, string | undefined>()
  page.on('request', (request) => bearers.set(new URL(request.url()).pathname, request.headers()['authorization']))

  await fillLogin(page, user)
  await holdClock(page)
  const answered = page.waitForResponse('**/auth/login')
  await loginButton(page).click()
  const answer = LoginAnswer.parse(await (await answered).json())

  await expect(page).toHaveURL('/profile')
  await expectToastFor1500Ms(page, 'Login Successful!')

  expect(await stored(page, 'token')).toBe(answer.token)
  expect(JSON.parse((await stored(page, 'user')) ?? '')).toEqual({
    username: user.username,
    email: user.email,
    apiKey: answer.user.apiKey,
    server: siarin.url,
  })

  expect(bearers.get('/auth/login')).toBeUndefined()
  await page.goto('/fitur/live')
  await expect(page.getByText('Anda belum mengupload video.')).toBeVisible()
  for (const path of ['/auth/profile', '/fitur/video', '/fitur/steam/active']) {
    expect(bearers.get(path), path).toBe(`Bearer ${answer.token}`)
  }
})

test('[AUTH-08] a stored token means logged in, and the stored user supplies the API key', async ({
  page,
  account,
}) => {
  const user = await account.register()
  const { user: known } = await account.login(page, user)
  const asked = page.waitForRequest('**/fitur/video?*')
  await page.goto('/fitur/live')
  expect(new URL((await asked).url()).searchParams.get('apiKey')).toBe(known.apiKey)

  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: `Welcome back, ${user.username}!` })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: `Welcome back, ${user.username}!` })).toBeVisible()
})

test('[AUTH-08] a broken stored user does not break the page', async ({ page, account }) => {
  const user = await account.register()
  await account.login(page, user)
  await page.evaluate(() => localStorage.setItem('user', '{"username":'))
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Welcome back, User!' })).toBeVisible()
  await page.goto('/fitur/live')
  await expect(page.getByTestId('message')).toHaveText('API Key diperlukan.')

  // The profile knows better, and what it says is kept.
  await page.goto('/profile')
  await expect(page.getByTestId('avatar')).toBeVisible()
  expect(JSON.parse((await stored(page, 'user')) ?? '')).toMatchObject({ username: user.username })
})

test('[AUTH-09] logout ends the session at the server and here', async ({ page, account }) => {
  const { token } = await account.login(page, await account.register())
  await page.goto('/profile')
  const logout = page.getByRole('button', { name: 'Logout' })
  await expect(logout).toBeVisible()
  await holdClock(page)
  await logout.click()
  await expectToastFor1500Ms(page, 'Logged Out Successfully')
  await expectLoggedOut(page)
  expect((await account.profile(token)).status()).toBe(401)
})

test("[AUTH-09] the header's logout does the same", async ({ page, account }) => {
  await account.login(page, await account.register())
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Profile' }).click()
  await page.getByRole('menuitem', { name: 'Keluar' }).click()
  await expect(page.getByText('Logged Out Successfully', { exact: true })).toBeVisible()
  await expectLoggedOut(page)
})

test('[AUTH-09] a logout that the server does not hear clears this browser and warns', async ({ page, account }) => {
  const user = await account.register()
  for (const failure of ['unreachable', 'broken'] as const) {
    await account.login(page, user)
    await page.goto('/profile')
    await page.route('**/auth/logout', (route) =>
      failure === 'unreachable' ? route.abort() : route.fulfill({ status: 500, json: { message: 'Boom' } }),
    )
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page.getByText('Logout Issue', { exact: true })).toBeVisible()
    await expect(
      page.getByText('You have been logged out locally, but there was an issue with the server.', { exact: true }),
    ).toBeVisible()
    await expectLoggedOut(page)
    await page.unroute('**/auth/logout')
  }
})

test('[AUTH-10] a session that was ended elsewhere ends here with its reason', async ({ page, account, request }) => {
  const { token } = await account.login(page, await account.register())
  // Also on a screen that is open to everyone: how its member stands is asked on each.
  await page.goto('/documentation')
  await expect(page.getByRole('button', { name: 'Profile' })).toBeVisible()
  await request.post('/auth/logout', { headers: { authorization: `Bearer ${token}` } })
  await expect(page.getByText('Session Ended', { exact: true })).toBeVisible()
  await expect(page.getByText('Token invalidated. Please login again.', { exact: true })).toBeVisible()
  await expectLoggedOut(page)
})

test('[AUTH-10] each of the three markers ends the session, once', async ({ page, account }) => {
  const user = await account.register()
  for (const message of ['Token expired', 'Oops: Token invalidated!', 'Session expired. Please login again.']) {
    await account.login(page, user)
    await page.route('**/auth/profile', (route) => route.fulfill({ status: 401, json: { success: false, message } }))
    await page.goto('/profile')
    await expect(page.getByText('Session Ended', { exact: true })).toHaveCount(1)
    await expect(page.getByText(message, { exact: true })).toBeVisible()
    await expectLoggedOut(page)
    await page.unroute('**/auth/profile')
  }
})

test('[AUTH-10] other errors pass through', async ({ page, account }) => {
  const { token } = await account.login(page, await account.register())
  const answers = [
    { status: 401, json: { success: false, message: 'Please login first.' } },
    { status: 403, json: { success: false, message: 'Token expired' } },
  ]
  for (const answer of answers) {
    await page.route('**/auth/profile', (route) => route.fulfill(answer))
    await page.goto('/profile')
    await expect(page.getByRole('button', { name: 'Try Again' })).toBeVisible()
    await expect(page.getByText('Session Ended')).toHaveCount(0)
    expect(await stored(page, 'token')).toBe(token)
    await page.unroute('**/auth/profile')
  }
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByTestId('avatar')).toBeVisible()
})
