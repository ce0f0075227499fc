import { randomBytes } from 'node:crypto'
import { ffmpegsTo, PATIENT } from '../support/broadcasts.ts'
import { expect, test } from '../support/fixtures.ts'

// The whole way as most people see it: with all that moves.
test.use({ contextOptions: { reducedMotion: 'no-preference' } })

test('a person registers, logs in, uploads a video, goes live, and stops [LIVE-12] [LIVE-13]', async ({
  page,
  rtmp,
  siarin,
  clip,
}) => {
  const file = await clip('liburan di Bali.mp4', { seconds: 3 })
  const name = `sari${randomBytes(4).toString('hex')}`
  const carriers = () => ffmpegsTo(siarin, name)

  await test.step('register', async () => {
    await page.goto('/')
    await page
      .getByRole('link', { name: /daftar|coba gratis|register/i })
      .first()
      .click()
    await page.getByLabel('Username').fill(name)
    await page.getByLabel('Email').fill(`${name}@gmail.com`)
    await page.getByLabel('Password', { exact: true }).fill('rahasia-sekali')
    await page.getByRole('button', { name: 'Register' }).click()
    await expect(page.getByText('Registration Successful!')).toBeVisible()
    await expect(page).toHaveURL('/login')
  })

  await test.step('log in', async () => {
    // The address changes a moment before the form does, and both have these fields.
    await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
    await page.getByLabel('Email').fill(`${name}@gmail.com`)
    await page.getByLabel('Password', { exact: true }).fill('rahasia-sekali')
    await page.getByRole('button', { name: 'Login' }).click()
    await expect(page).toHaveURL('/profile')
    await expect(page.getByText('Login Successful!')).toBeVisible()
  })

  await test.step('upload', async () => {
    await page.goto('/fitur/live')
    await expect(page.getByText('Anda belum mengupload video.')).toBeVisible()
    await page.getByLabel('File video').setInputFiles(file)
    await expect(page.getByText('Upload berhasil.')).toBeVisible()
  })

  await test.step('pick it: it plays', async () => {
    await page
      .getByRole('button', { name: /^Putar|liburan di Bali\.mp4/ })
      .first()
      .click()
    await expect
      .poll(() => page.locator('video').evaluate((video) => (video as { readyState?: number }).readyState ?? 0))
      .toBeGreaterThan(1)
  })

  await test.step('go live', async () => {
    await page.getByRole('tab', { name: 'Go', exact: true }).click()
    await page.getByLabel('Platform').selectOption({ label: 'Lainnya' })
    await page.getByLabel('RTMP/stream key').fill(`${rtmp.url}/${name}`)
    await page.getByRole('button', { name: 'Go Live' }).click()
    await expect(page.getByText('Siaran langsung dimulai!')).toBeVisible()
    await rtmp.waitForPublisher(name, { growing: true, ...PATIENT })
    await expect.poll(() => rtmp.publisher(name)).toMatchObject({ width: 320, height: 180 })
    await expect.poll(carriers).toHaveLength(1)
  })

  await test.step('the Live tab says so', async () => {
    await page.getByRole('tab', { name: 'Live', exact: true }).click()
    await expect(page.getByText('Tayang', { exact: true })).toBeVisible()
  })

  await test.step('stop', async () => {
    await page.getByRole('button', { name: 'Stop' }).click()
    const question = page.getByRole('alertdialog')
    await expect(question).toContainText('Yakin ingin menghentikan live stream ini?')
    await question.getByRole('button', { name: 'Hentikan' }).click()
    await expect(page.getByText('Live stream berhasil dihentikan!')).toBeVisible()
    await expect(page.getByText('Tidak ada live stream yang aktif saat ini.')).toBeVisible()
    await rtmp.waitForNoPublisher(name, PATIENT)
    await expect.poll(carriers).toEqual([])
  })
})
