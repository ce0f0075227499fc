import type { Locator, Page } from '@playwright/test'
import {
  email,
  fillLogin,
  fillRegister,
  loginButton,
  password,
  registerButton,
  username,
} from '../support/auth-forms.ts'
import { holdCalls } from '../support/calls.ts'
import { expect, test } from '../support/fixtures.ts'
import { consoleErrors, stored } from '../support/page-facts.ts'

const dialog = (page: Page): Locator => page.getByRole('alertdialog')

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
  const answer = await holdCalls(page, '**/auth/register')
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
  const answer = await holdCalls(page, '**/auth/login')
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
  const logged = consoleErrors(page)

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
  const logged = consoleErrors(page)

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
