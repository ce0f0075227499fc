import type { Locator, Page } from '@playwright/test'
import type { LoginBody, RegisterBody } from '@siarin/contracts/auth'

export const username = (page: Page): Locator => page.getByLabel('Username')
export const email = (page: Page): Locator => page.getByLabel('Email')
export const password = (page: Page): Locator => page.getByLabel('Password', { exact: true })
export const registerButton = (page: Page): Locator => page.getByRole('button', { name: /^Regist(er|ering\.\.\.)$/ })
export const loginButton = (page: Page): Locator => page.getByRole('button', { name: /^(Login|Logging in\.\.\.)$/ })

export async function fillLogin(page: Page, user: LoginBody): Promise<void> {
  await page.goto('/login')
  await email(page).fill(user.email)
  await password(page).fill(user.password)
}

export async function fillRegister(page: Page, user: RegisterBody): Promise<void> {
  await page.goto('/register')
  await username(page).fill(user.username)
  await email(page).fill(user.email)
  await password(page).fill(user.password)
}
