import { LoginAnswer } from '@siarin/contracts/auth'
import { fillLogin, loginButton } from '../support/auth-forms.ts'
import { expect, test } from '../support/fixtures.ts'
import { expectLoggedOut } from '../support/logged-out.ts'
import { stored } from '../support/page-facts.ts'
import { expectSaid, expectToast, noteSaid } from '../support/said.ts'

test('[AUTH-05] a login is stored, sent with every request, and shown', async ({ page, account, siarin }) => {
  const user = await account.register()
  const bearers = new Map<string, string | undefined>()
  page.on('request', (request) => bearers.set(new URL(request.url()).pathname, request.headers()['authorization']))

  await noteSaid(page)
  await fillLogin(page, user)
  const answered = page.waitForResponse('**/auth/login')
  await loginButton(page).click()
  const answer = LoginAnswer.parse(await (await answered).json())

  await expect(page).toHaveURL('/profile')
  await expectToast(page, 'Login Successful!')

  expect(await stored(page, 'token')).toBe(answer.token)
  expect(JSON.parse((await stored(page, 'user')) ?? '')).toEqual({
    username: user.username,
    email: user.email,
    apiKey: answer.user.apiKey,
    server: siarin.url,
  })

  expect(bearers.get('/auth/login')).toBeUndefined()
  const asked = ['/auth/profile', '/fitur/video', '/fitur/steam/active']
  await expect.poll(() => bearers.has('/auth/profile')).toBe(true)
  await page.goto('/fitur/live')
  await expect.poll(() => asked.filter((path) => !bearers.has(path))).toEqual([])
  for (const path of asked) expect(bearers.get(path), path).toBe(`Bearer ${answer.token}`)
})

test('[AUTH-08] a stored token means logged in, without a stored API key nothing is asked, and a broken user does not break the page', async ({
  page,
  account,
}) => {
  const user = await account.register()
  await account.login(page, user)
  await noteSaid(page)
  const greeting = (name: string) => page.getByRole('heading', { name: `Welcome back, ${name}!` })
  const asked = page.waitForRequest('**/fitur/video')
  await page.goto('/fitur/live')
  expect((await asked).headers()['authorization']).toMatch(/^Bearer st_/)
  await page.goto('/dashboard')
  await expect(greeting(user.username)).toBeVisible()
  await page.reload()
  await expect(greeting(user.username)).toBeVisible()

  await test.step('a broken user', async () => {
    await page.evaluate(() => localStorage.setItem('user', '{"username":'))
    await page.reload()
    await expect(greeting('User')).toBeVisible()
    await page.goto('/fitur/live')
    await expectSaid(page, 'API Key diperlukan.', 'alert')

    // The profile knows better, and what it says is kept.
    await page.goto('/profile')
    await expect(page.getByTestId('avatar')).toBeVisible()
    expect(JSON.parse((await stored(page, 'user')) ?? '')).toMatchObject({ username: user.username })
  })
})

test("[AUTH-09] the header's logout ends the session at the server and here", async ({ page, account }) => {
  const { token } = await account.login(page, await account.register())
  await noteSaid(page)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Profile' }).click()
  await page.getByRole('menuitem', { name: 'Keluar' }).click()
  await expectToast(page, 'Logged Out Successfully')
  await expectLoggedOut(page)
  expect((await account.profile(token)).status()).toBe(401)
})

test('[AUTH-10] a session that was ended elsewhere ends here with its reason', async ({ page, account, request }) => {
  const { token } = await account.login(page, await account.register())
  await noteSaid(page)
  // Also on a screen that is open to everyone: how its member stands is asked on each.
  await page.goto('/documentation')
  await expect(page.getByRole('button', { name: 'Profile' })).toBeVisible()
  await request.post('/auth/logout', { headers: { authorization: `Bearer ${token}` } })
  await expectToast(page, 'Session Ended', 'Token invalidated. Please login again.')
  await expectLoggedOut(page)
})
