import { fillLogin, fillRegister, loginButton, registerButton } from '../support/auth-forms.ts'
import { holdClock } from '../support/clock.ts'
import { expect, test } from '../support/fixtures.ts'
import { consoleErrors } from '../support/page-facts.ts'

test('[AUTH-13] Login and Register have 50 particles and load nothing from elsewhere', async ({ page, siarin }) => {
  const hosts = new Set<string>()
  page.on('request', (request) => hosts.add(new URL(request.url()).origin))
  const complaints = consoleErrors(page)

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
  await holdClock(page)
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
  await holdClock(page)
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
