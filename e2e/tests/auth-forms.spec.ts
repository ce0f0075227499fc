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
import { expect, test } from '../support/fixtures.ts'
import { consoleErrors, stored } from '../support/page-facts.ts'
import { expectToast, noteSaid } from '../support/said.ts'

const dialog = (page: Page): Locator => page.getByRole('alertdialog')

test('[AUTH-06] a registration is confirmed and leads to Login', async ({ page }) => {
  const name = `baru${Date.now()}`
  await noteSaid(page)
  await fillRegister(page, { username: name, email: `${name}@gmail.com`, password: 'kunci7' })
  await registerButton(page).click()
  await expectToast(page, 'Registration Successful!', 'You can now login with your credentials')
  await expect(page).toHaveURL('/login')
  expect(await stored(page, 'token')).toBeNull()

  await fillLogin(page, { email: `${name}@gmail.com`, password: 'kunci7' })
  await loginButton(page).click()
  await expect(page).toHaveURL('/profile')
})

test('[AUTH-07] what the server refuses is shown in its words in a dialog, and what was typed stays', async ({
  page,
  account,
}) => {
  const user = await account.register()
  const logged = consoleErrors(page)

  await test.step('a login', async () => {
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

  await test.step('a registration', async () => {
    await fillRegister(page, { ...user, username: `${user.username}x` })
    await registerButton(page).click()
    await expect(dialog(page).getByRole('heading', { name: 'Registration Failed' })).toBeVisible()
    await expect(dialog(page)).toContainText('This email is already registered.')
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toHaveCount(0)
    await expect(page).toHaveURL('/register')
    await expect(page.locator('form')).not.toContainText(/registered|failed|error/i)
    await expect(username(page)).toHaveValue(`${user.username}x`)
    expect(logged.join('\n')).toContain('Registration failed')
  })
})
