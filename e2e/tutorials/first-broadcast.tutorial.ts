import { expect, test } from '../support/fixtures.ts'
import { chooser, pickButton, ready, row } from '../support/live-screen.ts'
import { startPresenting } from './presenter.ts'

const VIDEO = 'Hujan di Ubud.mp4'

test('first broadcast', async ({ page, rtmp, clip }) => {
  const file = await clip(VIDEO, {
    picture: 'gradients=c0=0x0b3d2e:c1=0x7fb69a:speed=0.02:seed=1',
    seconds: 60,
    width: 1280,
    height: 720,
    fps: 25,
  })
  // What is typed looks like a key of YouTube; what is sent goes to an RTMP server of ours.
  await page.route('**/fitur/steam/start', (route) =>
    route.continue({ postData: { ...route.request().postDataJSON(), rtmpStream: `${rtmp.url}/tutorial` } }),
  )
  const presenter = await startPresenting(page, 'first-broadcast')
  const person = { name: 'Sari', email: 'sari.siaran@gmail.com', password: 'rahasia-sekali' }

  await page.goto('/register')
  await expect(page.getByRole('heading', { name: 'Register' })).toBeVisible()
  await presenter.begin()
  await presenter.say('Buat akun dengan alamat Gmail')
  await presenter.type(page.getByLabel('Username'), person.name)
  await presenter.type(page.getByLabel('Email'), person.email)
  await presenter.type(page.getByLabel('Password', { exact: true }), person.password)
  await presenter.click(page.getByRole('button', { name: 'Register' }))
  await expect(page).toHaveURL('/login')

  await presenter.say('Masuk')
  await presenter.type(page.getByLabel('Email'), person.email)
  await presenter.type(page.getByLabel('Password', { exact: true }), person.password)
  await presenter.click(page.getByRole('button', { name: 'Login' }))
  await expect(page).toHaveURL('/profile')

  await presenter.say('Buka Fitur, lalu Live')
  await presenter.click(page.getByRole('banner').getByRole('button', { name: 'Fitur' }))
  await presenter.click(page.getByRole('menuitem', { name: 'Live' }))
  await expect(page.getByText('Anda belum mengupload video.')).toBeVisible()

  await presenter.say('Seret video Anda ke kotak upload')
  await presenter.pointAt(page.getByText('Klik atau seret video ke sini'))
  await chooser(page).setInputFiles(file)
  await presenter.wait(async () => {
    await expect(row(page, VIDEO)).toBeVisible({ timeout: 60_000 })
    await ready(page, VIDEO)
  })

  await presenter.say('Pilih videonya: pemutar memperlihatkan isinya')
  await presenter.click(pickButton(page, VIDEO))
  await presenter.pause(2000)

  await presenter.say('Di tab Go, isi judul, platform, dan stream key')
  await presenter.click(page.getByRole('tab', { name: 'Go', exact: true }))
  await presenter.type(page.getByLabel('Judul live'), 'Hujan untuk tidur')
  await presenter.pointAt(page.getByLabel('Platform'))
  await page.getByLabel('Platform').selectOption({ label: 'YouTube' })
  await presenter.type(page.getByLabel('RTMP/stream key'), 'abcd-efgh-ijkl-mnop')

  await presenter.say('Tekan Go Live')
  await presenter.click(page.getByRole('button', { name: 'Go Live' }))
  await presenter.wait(() => rtmp.waitForPublisher('tutorial', { growing: true }))

  await presenter.say('Tayang. Sekarang Anda boleh menutup laptop')
  await presenter.click(page.getByRole('tab', { name: 'Live', exact: true }))
  await expect(page.getByText('Tayang', { exact: true })).toBeVisible()
  await presenter.pause(6000)
  await presenter.end({ step: 7, afterSeconds: 5 })
})
