import type { Locator, Page } from '@playwright/test'
import { LoginAnswer } from '@siarin/contracts/auth'
import { expect, test } from '../support/fixtures.ts'

const username = (page: Page): Locator => page.getByLabel('Username')
const email = (page: Page): Locator => page.getByLabel('Email')
const password = (page: Page): Locator => page.getByLabel('Password', { exact: true })
const registerButton = (page: Page): Locator => page.getByRole('button', { name: /^Regist(er|ering\.\.\.)$/ })
const loginButton = (page: Page): Locator => page.getByRole('button', { name: /^(Login|Logging in\.\.\.)$/ })
const dialog = (page: Page): Locator => page.getByRole('alertdialog')
const stored = (page: Page, key: string): Promise<string | null> =>
  page.evaluate((name) => localStorage.getItem(name), key)

async function fillLogin(page: Page, user: { email: string; password: string }): Promise<void> {
  await page.goto('/login')
  await email(page).fill(user.email)
  await password(page).fill(user.password)
}

async function fillRegister(page: Page, user: { username: string; email: string; password: string }): Promise<void> {
  await page.goto('/register')
  await username(page).fill(user.username)
  await email(page).fill(user.email)
  await password(page).fill(user.password)
}

/** From here on time passes only when a test says so: a slow machine sees what a fast one does. */
async function stopClock(page: Page): Promise<void> {
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
}

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

test('[AUTH-01] Register has its three fields, the toggle, the hint and the link', async ({ page }) => {
  await page.goto('/register')
  for (const field of [username(page), email(page), password(page)]) {
    await expect(field).toBeVisible()
    await expect(field).toHaveAttribute('required')
  }
  await expect(email(page)).toHaveAttribute('type', 'email')
  await expect(page.getByText('Password must be at least 6 characters')).toBeVisible()

  await password(page).fill('rahasia')
  await expect(password(page)).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: 'Tampilkan password' }).click()
  await expect(password(page)).toHaveAttribute('type', 'text')
  await page.getByRole('button', { name: 'Sembunyikan password' }).click()
  await expect(password(page)).toHaveAttribute('type', 'password')
  await expect(password(page)).toHaveValue('rahasia')

  await expect(page.getByText('Sudah punya akun? Login', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Login' }).click()
  await expect(page).toHaveURL('/login')
})

test('[AUTH-02] Login has its two fields, the toggle and the link', async ({ page }) => {
  await page.goto('/login')
  await expect(username(page)).toHaveCount(0)
  await expect(email(page)).toHaveAttribute('type', 'email')
  await password(page).fill('rahasia')
  await page.getByRole('button', { name: 'Tampilkan password' }).click()
  await expect(password(page)).toHaveAttribute('type', 'text')
  await page.getByRole('button', { name: 'Sembunyikan password' }).click()
  await expect(password(page)).toHaveAttribute('type', 'password')

  await expect(page.getByText('Belum punya akun? Register', { exact: true })).toBeVisible()
  await page.getByRole('link', { name: 'Register' }).click()
  await expect(page).toHaveURL('/register')
})

test('[AUTH-03] Register is valid only with three, @gmail.com and six', async ({ page }) => {
  const good = { username: 'abc', email: 'abc@gmail.com', password: '123456' }
  const bad = [
    { ...good, username: 'ab' },
    { ...good, email: 'abc@example.com' },
    { ...good, email: '@gmail.com' },
    { ...good, password: '12345' },
  ]
  for (const values of bad) {
    await fillRegister(page, values)
    await expect(registerButton(page)).toBeDisabled()
  }
  await fillRegister(page, good)
  await expect(registerButton(page)).toBeEnabled()
  await username(page).fill('ab')
  await expect(registerButton(page)).toBeDisabled()
})

test('[AUTH-03] Login is valid only with @gmail.com and six', async ({ page }) => {
  await fillLogin(page, { email: 'abc@example.com', password: '123456' })
  await expect(loginButton(page)).toBeDisabled()
  await email(page).fill('ABC@Gmail.com')
  await expect(loginButton(page)).toBeEnabled()
  await password(page).fill('12345')
  await expect(loginButton(page)).toBeDisabled()
})

test('[AUTH-04] Register is disabled and says so while it works', async ({ page }) => {
  let answer = (): void => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/auth/register', async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/register')
  await expect(registerButton(page)).toBeDisabled()
  await fillRegister(page, { username: `slow${Date.now()}`, email: `slow${Date.now()}@gmail.com`, password: '123456' })
  await registerButton(page).click()
  const busy = page.getByRole('button', { name: 'Registering...' })
  await expect(busy).toBeDisabled()
  await expect(busy.getByTestId('spinner')).toBeVisible()
  answer()
  await expect(page).toHaveURL('/login')
})

test('[AUTH-04] Login is disabled and says so while it works', async ({ page, account }) => {
  let answer = (): void => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route('**/auth/login', async (route) => {
    await held
    await route.continue()
  })
  const user = await account.register()
  await page.goto('/login')
  await expect(loginButton(page)).toBeDisabled()
  await fillLogin(page, user)
  await loginButton(page).click()
  const busy = page.getByRole('button', { name: 'Logging in...' })
  await expect(busy).toBeDisabled()
  await expect(busy.getByTestId('spinner')).toBeVisible()
  answer()
  await expect(page).toHaveURL('/profile')
})

test('[AUTH-05] a login is stored, sent with every request, and shown', async ({ page, account, siarin }) => {
  const user = await account.register()
  const bearers = new Map<string, string | undefined>()
  page.on('request', (request) => bearers.set(new URL(request.url()).pathname, request.headers()['authorization']))

  await fillLogin(page, user)
  await stopClock(page)
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

test('[AUTH-06] a registration is confirmed and leads to Login', async ({ page }) => {
  const name = `baru${Date.now()}`
  await fillRegister(page, { username: name, email: `${name}@gmail.com`, password: '123456' })
  await registerButton(page).click()
  await expect(page.getByText('Registration Successful!', { exact: true })).toBeVisible()
  await expect(page.getByText('You can now login with your credentials', { exact: true })).toBeVisible()
  await expect(page).toHaveURL('/login')
  expect(await stored(page, 'token')).toBeNull()

  await fillLogin(page, { email: `${name}@gmail.com`, password: '123456' })
  await loginButton(page).click()
  await expect(page).toHaveURL('/profile')
})

test("[AUTH-07] a refused login shows the server's message in a dialog and keeps what was typed", async ({
  page,
  account,
}) => {
  const user = await account.register()
  const logged: string[] = []
  page.on('console', (message) => message.type() === 'error' && logged.push(message.text()))

  await fillLogin(page, { ...user, password: 'wrong-one' })
  await loginButton(page).click()
  await expect(dialog(page).getByRole('heading', { name: 'Login Failed' })).toBeVisible()
  await expect(dialog(page)).toContainText('Email or password is wrong.')
  await dialog(page).getByRole('button', { name: 'OK' }).click()
  await expect(dialog(page)).toHaveCount(0)

  await expect(page.locator('form')).not.toContainText(/wrong|failed|error/i)
  await expect(email(page)).toHaveValue(user.email)
  await expect(password(page)).toHaveValue('wrong-one')
  await expect(loginButton(page)).toBeEnabled()
  expect(logged.join('\n')).toContain('Login failed')
  expect(logged.join('\n')).not.toContain('wrong-one')
})

test('[AUTH-07] a login that gets no message from the server shows the default', async ({ page }) => {
  await page.route('**/auth/login', (route) => route.fulfill({ status: 502, body: 'Bad Gateway' }))
  await fillLogin(page, { email: 'abc@gmail.com', password: '123456' })
  await loginButton(page).click()
  await expect(dialog(page)).toContainText('Unable to login. Please try again.')
  await dialog(page).getByRole('button', { name: 'OK' }).click()

  await page.unroute('**/auth/login')
  await page.route('**/auth/login', (route) => route.abort())
  await loginButton(page).click()
  await expect(dialog(page)).toContainText('Unable to login. Please try again.')
})

test("[AUTH-07] a refused registration shows the server's message, or the default", async ({ page, account }) => {
  const taken = await account.register()
  const logged: string[] = []
  page.on('console', (message) => message.type() === 'error' && logged.push(message.text()))

  await fillRegister(page, { ...taken, username: `${taken.username}x` })
  await registerButton(page).click()
  await expect(dialog(page).getByRole('heading', { name: 'Registration Failed' })).toBeVisible()
  await expect(dialog(page)).toContainText('This email is already registered.')
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
  await expect(page).toHaveURL('/register')
  await expect(page.locator('form')).not.toContainText(/registered|failed|error/i)
  expect(logged.join('\n')).toContain('Registration failed')

  await page.route('**/auth/register', (route) => route.fulfill({ status: 500, json: {} }))
  await registerButton(page).click()
  await expect(dialog(page)).toContainText('Unable to register. Please try again.')
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

async function expectLoggedOut(page: Page): Promise<void> {
  await expect(page).toHaveURL('/login')
  expect(await stored(page, 'token')).toBeNull()
  expect(await stored(page, 'user')).toBeNull()
}

test('[AUTH-09] logout ends the session at the server and here', async ({ page, account, request }) => {
  const { token } = await account.login(page, await account.register())
  await page.goto('/profile')
  const logout = page.getByRole('button', { name: 'Logout' })
  await expect(logout).toBeVisible()
  await stopClock(page)
  await logout.click()
  await expectToastFor1500Ms(page, 'Logged Out Successfully')
  await expectLoggedOut(page)
  const answer = await request.get('/auth/profile', { headers: { authorization: `Bearer ${token}` } })
  expect(answer.status()).toBe(401)
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

test('[AUTH-13] Login and Register have 50 particles and load nothing from elsewhere', async ({ page, siarin }) => {
  const hosts = new Set<string>()
  page.on('request', (request) => hosts.add(new URL(request.url()).origin))
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))

  for (const path of ['/login', '/register']) {
    await page.goto(path)
    const particles = page.getByTestId('particles').locator('span')
    await expect(particles).toHaveCount(50)
    await expect(particles.first()).toHaveCSS('animation-name', 'drift')
    await expect(particles.last()).toHaveCSS('animation-name', 'drift')
  }
  expect([...hosts]).toEqual([siarin.url])
  expect(complaints).toEqual([])
})

test('[AUTH-13] a press on a button ripples for 600 ms', async ({ page }) => {
  await page.goto('/login')
  const toggle = page.getByRole('button', { name: 'Tampilkan password' })
  await stopClock(page)
  await toggle.click()
  const ripple = page.getByTestId('ripple')
  await expect(ripple).toHaveCount(1)
  await expect(ripple).toHaveCSS('animation-duration', '0.6s')
  await page.clock.runFor(590)
  await expect(ripple).toHaveCount(1)
  await page.clock.runFor(20)
  await expect(ripple).toHaveCount(0)
})

test('[AUTH-13] the submit buttons ripple too', async ({ page }) => {
  await stopClock(page)
  await page.route('**/auth/*', () => {})
  await fillLogin(page, { email: 'abc@gmail.com', password: '123456' })
  await loginButton(page).click()
  await expect(loginButton(page).getByTestId('ripple')).toHaveCount(1)
  await fillRegister(page, { username: 'abc', email: 'abc@gmail.com', password: '123456' })
  await registerButton(page).click()
  await expect(registerButton(page).getByTestId('ripple')).toHaveCount(1)
})

test('[AUTH-13] who prefers less motion gets neither', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  for (const path of ['/login', '/register']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByTestId('particles')).toHaveCount(0)
    await page.getByRole('button', { name: 'Tampilkan password' }).click()
    await expect(page.getByRole('button', { name: 'Sembunyikan password' })).toBeVisible()
    await expect(page.getByTestId('ripple')).toHaveCount(0)
  }
})
