import { freePort } from '@siarin/testkit/free-port'
import { type MailServer, startMailServer } from '@siarin/testkit/mail-server'
import { startSiarin } from '@siarin/testkit/siarin-server'
import { waitFor } from '@siarin/testkit/wait-for'
import { faults } from '../support/axe.ts'
import { expect, test } from '../support/fixtures.ts'

const NEW_PASSWORD = 'yang-baru-sekali'

const linkIn = (mail: MailServer, to: string, subject: string): Promise<string> =>
  waitFor(`a mail '${subject}'`, async () => {
    const letter = mail.mails.findLast((each) => each.to === to && each.subject.startsWith(subject))
    return letter && /https?:\S+#\S+/.exec(letter.text)?.[0]
  })

test("[SAFE-02] with a mail server: the address is verified by a link, and 'Lupa password?' leads to a new password @long", async ({
  page,
}) => {
  const mail = await startMailServer()
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = { SMTP_URL: mail.url, MAIL_FROM: 'Siarin <no-reply@siarin.example>', PUBLIC_URL: url }
  const siarin = await startSiarin({ port, env })
  const user = { username: 'Sari Surat', email: 'sari.surat@gmail.com', password: 'rahasia-sekali' }
  const addresses: string[] = []
  page.on('request', (request) => addresses.push(request.url()))
  const login = async (password: string): Promise<void> => {
    await expect(page.getByRole('heading', { name: 'Login' })).toBeVisible()
    await page.getByLabel('Email').fill(user.email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    await expect(page).toHaveURL(/\/profile$/)
  }
  try {
    await page.goto(`${url}/register`)
    await page.getByLabel('Username').fill(user.username)
    await page.getByLabel('Email').fill(user.email)
    await page.getByLabel('Password', { exact: true }).fill(user.password)
    await page.getByRole('button', { name: 'Register' }).click()
    await login(user.password)
    await page.goto(`${url}/dashboard`)
    const strip = page.getByRole('complementary', { name: 'Verifikasi email' })
    await expect(strip).toContainText(user.email)
    expect(await faults(page)).toEqual([])

    const link = await linkIn(mail, user.email, 'Pastikan')
    await page.goto(link)
    await expect(page.getByText('Alamat email Anda sudah dipastikan.')).toBeVisible()
    expect(page.url()).toBe(`${url}/verify-email`)
    await page.goto(`${url}/dashboard`)
    await expect(page.getByRole('heading', { name: /Welcome back/ })).toBeVisible()
    await expect(strip).toHaveCount(0)

    await page.goto(`${url}/profile`)
    await page.getByRole('main').getByRole('button', { name: 'Logout' }).click()
    await page.getByRole('link', { name: 'Lupa password?' }).click()
    await expect(page.getByRole('heading', { name: 'Lupa password' })).toBeVisible()
    await page.getByLabel('Email').fill(user.email)
    expect(await faults(page)).toEqual([])
    await page.getByRole('button', { name: 'Kirim tautan' }).click()
    await expect(page.getByText('Kalau alamat itu punya akun')).toBeVisible()
    const reset = await linkIn(mail, user.email, 'Buat password baru')
    await page.goto(reset)
    await page.getByLabel('Password baru').fill('password')
    await page.getByRole('button', { name: 'Simpan password baru' }).click()
    await expect(page.getByText('Password ini terlalu umum')).toBeVisible()
    expect(await faults(page)).toEqual([])
    await page.getByLabel('Password baru').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Simpan password baru' }).click()
    await expect(page.getByText('Password baru Anda sudah berlaku')).toBeVisible()
    await page.getByRole('link', { name: 'Login' }).click()
    await login(NEW_PASSWORD)
    for (const secret of [link, reset].map((each) => each.split('#')[1] ?? '')) {
      expect(addresses.filter((address) => new URL(address).search.includes(secret))).toEqual([])
      expect(siarin.output()).not.toContain(secret)
    }
  } finally {
    await siarin.dispose()
    await mail.stop()
  }
})
