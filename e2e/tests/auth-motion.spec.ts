import { holdClock } from '../support/clock.ts'
import { expect, test } from '../support/fixtures.ts'
import { codeIsHere, consoleErrors } from '../support/page-facts.ts'

test('[AUTH-13] Login and Register have 50 particles, ripple, and load nothing from elsewhere', async ({
  page,
  siarin,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
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
  // The ripple goes by this clock, however long the looking takes.
  await holdClock(page)
  await page.getByRole('button', { name: 'Tampilkan password' }).click()
  const ripple = page.getByTestId('ripple')
  await expect(ripple).toHaveCount(1)
  await expect(ripple).toHaveCSS('animation-duration', '0.6s')
  expect([...hosts]).toEqual([siarin.url])
  expect(complaints).toEqual([])
})

for (const path of ['/login', '/register']) {
  test(`[AUTH-13] who prefers less motion gets neither at ${path}`, async ({ page }) => {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await codeIsHere(page)
    await expect(page.getByTestId('particles')).toHaveCount(0)
    // A ripple would stand still with this clock, and be seen.
    await holdClock(page)
    await page.getByRole('button', { name: 'Tampilkan password' }).click()
    await expect(page.getByRole('button', { name: 'Sembunyikan password' })).toBeVisible()
    await expect(page.getByTestId('ripple')).toHaveCount(0)
  })
}
