import { createReadStream } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from '../support/fixtures.ts'
import { chooser, pickButton, ready, row } from '../support/live-screen.ts'
import { startPresenting } from './presenter.ts'

const OLD_FORMAT = 'Rekaman lama.avi'
const FETCHED = 'senja-di-kuta.mp4'

test('preparing a video', async ({ page, account, clip }) => {
  // A format that no platform takes: the picture has to be made anew.
  const old = await clip(OLD_FORMAT, {
    picture: 'gradients=c0=0x1a1033:c1=0xd97b66:speed=0.02:seed=2',
    seconds: 25,
    width: 1280,
    height: 720,
    videoCodec: 'mpeg4',
    audioCodec: 'mp3',
    extraArgs: ['-q:v', '3'],
  })
  const online = await clip(FETCHED, {
    picture: 'gradients=c0=0x24365e:c1=0xf2a65a:speed=0.02:seed=3',
    seconds: 30,
    width: 1280,
    height: 720,
  })
  const elsewhere = createServer((_, answer) => {
    answer.setHeader('Content-Type', 'video/mp4')
    createReadStream(online).pipe(answer)
  }).listen(0, '127.0.0.1')
  await page.route('**/fitur/video/import', (route) =>
    route.continue({
      postData: {
        ...route.request().postDataJSON(),
        url: `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/${FETCHED}`,
      },
    }),
  )

  const presenter = await startPresenting(page, 'preparing-video')
  await account.login(page, await account.register({ username: 'Bayu', email: 'bayu.video@gmail.com' }))
  await page.goto('/fitur/live')
  await expect(page.getByText('Anda belum mengupload video.')).toBeVisible()
  await presenter.begin()

  await presenter.say('Format apa saja boleh, juga rekaman lama')
  await presenter.pointAt(page.getByText('Klik atau seret video ke sini'))
  await chooser(page).setInputFiles(old)
  await presenter.wait(() => expect(row(page, OLD_FORMAT)).toBeVisible({ timeout: 60_000 }))

  await presenter.say('Yang belum cocok untuk siaran disiapkan sekali saja')
  await presenter.pointAt(row(page, OLD_FORMAT))
  await presenter.wait(() => ready(page, OLD_FORMAT))
  await presenter.say('Siap. Klik untuk melihat hasilnya')
  await presenter.click(pickButton(page, OLD_FORMAT))
  await presenter.pause(2500)

  await presenter.say('Video di internet bisa diambil langsung oleh server')
  await presenter.click(page.getByRole('button', { name: 'Ambil dari alamat' }))
  await presenter.type(page.getByLabel('Alamat video'), `https://contoh.com/${FETCHED}`)
  await presenter.click(page.getByRole('button', { name: 'Ambil video' }))
  await presenter.wait(async () => {
    await expect(row(page, FETCHED)).toBeVisible({ timeout: 30_000 })
    await ready(page, FETCHED)
  })
  await presenter.pause(1000)

  await presenter.say('Bilah ini menunjukkan ruang yang terpakai')
  await presenter.pointAt(page.getByTestId('storage'))
  await presenter.pause(1500)

  await presenter.say('Video yang tidak dipakai lagi bisa dihapus')
  await presenter.click(row(page, FETCHED).getByRole('button', { name: /Hapus/ }))
  await presenter.click(page.getByRole('alertdialog').getByRole('button', { name: 'Hapus' }))
  await expect(row(page, FETCHED)).toHaveCount(0)
  await presenter.end({ step: 2, afterSeconds: 4 })
  elsewhere.close()
})
