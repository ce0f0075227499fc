import { expect, test } from '../support/fixtures.ts'
import { startPresenting } from './presenter.ts'

test('platform accounts and the API key', async ({ page, account }) => {
  const presenter = await startPresenting(page, 'accounts-and-api-key')
  await account.login(page, await account.register({ username: 'Dewi', email: 'dewi.toko@gmail.com' }))
  await page.goto('/fitur')
  await expect(page.getByRole('heading', { level: 1, name: 'Fitur' })).toBeVisible()
  await presenter.begin()

  await presenter.say('Buka Account untuk menghubungkan platform')
  await presenter.click(page.getByRole('main').getByRole('link', { name: 'Account' }))
  await expect(page.getByRole('tab', { name: 'Add Account' })).toBeVisible()

  await presenter.say('Pilih TikTok, tempel token, lalu beri nama')
  await presenter.pointAt(page.getByLabel('Platform'))
  await page.getByLabel('Platform').selectOption({ label: 'TikTok' })
  await presenter.type(page.getByLabel(/Token/i), 'contoh-token-streamlabs-1234')
  await presenter.type(page.getByLabel('Account Name'), 'Toko Dewi')
  await presenter.click(page.getByRole('main').getByRole('button', { name: 'Add Account' }))
  await expect(page.getByText('Akun berhasil ditambahkan.')).toBeVisible()

  await presenter.say('Token disimpan terenkripsi dan tidak pernah ditampilkan lagi')
  await presenter.click(page.getByRole('tab', { name: 'TikTok' }))
  await expect(page.getByText('Toko Dewi')).toBeVisible()
  await presenter.pause(2000)

  await presenter.say('API key untuk program Anda ada di My Profile')
  await presenter.click(page.getByRole('banner').getByRole('button', { name: 'Profile' }))
  await presenter.click(page.getByRole('menuitem', { name: 'My Profile' }))
  await presenter.click(page.getByRole('button', { name: 'Copy' }))
  await expect(page.getByText('Copied!')).toBeVisible()
  await presenter.pause(800)

  await presenter.say('Bocor? Buat yang baru: kunci lama langsung tidak berlaku')
  await presenter.click(page.getByRole('button', { name: 'Regenerate API Key' }))
  await presenter.click(page.getByRole('alertdialog').getByRole('button', { name: 'Ganti kunci' }))
  await expect(page.getByText('API Key Updated')).toBeVisible()
  await presenter.pause(1500)

  await presenter.say('Contoh perintahnya ada di Dokumentasi, siap disalin')
  await presenter.click(page.getByRole('banner').getByRole('button', { name: 'Dokumentasi' }))
  await presenter.click(page.getByRole('menuitem', { name: 'Pengantar' }))
  await presenter.click(page.getByRole('main').getByRole('link', { name: 'Mengatur siaran lewat API' }))
  await expect(page.getByRole('heading', { level: 2, name: 'Mulai cepat' })).toBeVisible()
  await page.mouse.wheel(0, 260)
  await presenter.pause(800)
  await presenter.click(page.getByRole('button', { name: 'Salin' }).first())
  await presenter.end({ step: 2, afterSeconds: 3 })
})
