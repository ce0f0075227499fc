import { faults } from '../support/axe.ts'
import { newName, openGo, PATIENT, stop, streams, tab } from '../support/broadcasts.ts'
import { DEVICES } from '../support/devices.ts'
import { expect, test } from '../support/fixtures.ts'
import { expectNoSidewaysScroll } from '../support/layout.ts'
import { message, openLiveWith } from '../support/live-screen.ts'

/** More than Twitch takes, and less than YouTube does; noise, which no encoder can make small. */
const NOISE = ['-vf', 'noise=alls=80:allf=t', '-b:v', '9000k', '-maxrate', '9000k', '-bufsize', '4500k']

for (const { device, use } of DEVICES) {
  test.describe(`on a ${device}`, () => {
    test.use(use)

    test('[TGT-02] a platform is searched, its server filled in, and what it will not take is said before Go Live', async ({
      page,
      account,
      clip,
      rtmp,
    }) => {
      const name = 'ramai.mp4'
      await openLiveWith(page, account, [await clip(name, { seconds: 2, fps: 60, extraArgs: NOISE })])
      await openGo(page, name)
      const platform = page.getByLabel('Platform')
      const search = page.getByRole('combobox', { name: 'Layanan tujuan' })
      const server = page.getByLabel('Alamat server')
      const key = page.getByLabel('RTMP/stream key')
      const go = page.getByRole('button', { name: 'Go Live' })
      const notice = page.getByRole('note')

      await test.step('the platforms of the select tell what they find', async () => {
        await platform.selectOption({ label: 'TikTok' })
        await expect(notice).toContainText('Video ini 60 fps, TikTok menerima paling tinggi 30 fps.')
        await expect(notice).toContainText('Siapkan ulang untuk TikTok: 6.000 kbps, 30 fps')
        await platform.selectOption({ label: 'YouTube' })
        await expect(notice).toHaveCount(0)
        await expect(search).toHaveCount(0)
      })

      await test.step('under Lainnya there is a list, by name and by region', async () => {
        await platform.selectOption({ label: 'Lainnya' })
        await search.click()
        expect(await page.getByRole('option', { selected: false }).count()).toBeGreaterThanOrEqual(25)
        // On a phone the button sticks: the list must not open behind it.
        const [list, button] = [await page.getByRole('listbox').boundingBox(), await go.boundingBox()]
        expect((list?.y ?? Number.NaN) + (list?.height ?? 0)).toBeLessThanOrEqual(button?.y ?? 0)
        await search.fill('tidak ada yang begini')
        await expect(page.getByText('Tidak ada yang cocok.')).toBeVisible()
        await search.fill('jepang')
        await expect(page.getByRole('listbox').getByRole('option')).toHaveText([/^niconico/])
        await search.fill('twi')
        expect(await faults(page)).toEqual([])
        await expectNoSidewaysScroll(page)
        await page.getByRole('option', { name: /^Twitch/ }).click()
        await expect(search).toHaveValue('Twitch')
        await expect(page.getByRole('listbox')).toHaveCount(0)
      })

      await test.step('it fills in the server, and tells where the key is and what it takes', async () => {
        await expect(server).toHaveValue('rtmps://ingest.global-contribute.live-video.net/app')
        const facts = page.getByTestId('preset-facts')
        await expect(facts).toContainText('dashboard.twitch.tv/settings/stream')
        await expect(facts).toContainText('Seluruh dunia · Kuncinya tetap · paling lama 48 jam per siaran')
        await expect(facts).toContainText('sampai 6.000 kbps')
        await page.getByLabel('Lokasi server').selectOption({ label: 'Singapura' })
        await expect(server).toHaveValue('rtmp://live-sin.twitch.tv/app')
        await expect(notice).toContainText('Twitch menerima paling tinggi 6.000 kbps')
        await expect(notice.getByRole('button')).toHaveText('Siapkan ulang untuk Twitch: 6.000 kbps')
        expect(await faults(page)).toEqual([])
        await expectNoSidewaysScroll(page)
      })

      await test.step('the video is made to fit, beside the one that there is', async () => {
        await notice.getByRole('button').click()
        await expect(notice).toContainText(
          'Siap untuk Twitch. Yang dikirim ke sana versi 320×180 · 60 fps · 6.000 kbps.',
          {
            timeout: 60_000,
          },
        )
        await expect(notice.getByRole('button')).toHaveCount(0)
        expect(await faults(page)).toEqual([])
        await expectNoSidewaysScroll(page)
      })

      await test.step('one that gives an address for each broadcast asks for it', async () => {
        await search.click()
        await search.fill('instagram')
        await search.press('Enter')
        await expect(server).toHaveValue('')
        await expect(notice).toContainText('Instagram tampil tegak')
        await key.fill('kunci?s_bl=1&a=2')
        await go.click()
        await expect(message(page)).toHaveText('Isi alamat server yang diberikan Instagram.')
      })

      await test.step('a finding keeps nobody from going live: the key goes behind the server, to the letter', async () => {
        const stream = newName()
        await server.fill(`${rtmp.url}/`)
        await key.fill(` ${stream}?a=1&b=%2F `)
        await expect(notice).toBeVisible()
        const sent = page.waitForRequest('**/fitur/steam/start')
        await go.click()
        expect((await sent).postDataJSON()).toMatchObject({
          platform: 'lain',
          rtmpStream: `${rtmp.url}/${stream}?a=1&b=%2F`,
        })
        await expect(message(page)).toHaveText('Siaran langsung dimulai!')
        await rtmp.waitForPublisher(stream, { growing: true, ...PATIENT })
        await tab(page, 'Live').click()
        await stop(page, streams(page).first())
        // As the row goes the page grows shorter: a press on a tab meanwhile would go astray.
        await expect(streams(page)).toHaveCount(0)
      })

      await test.step('without one, the whole address is asked for as before', async () => {
        await openGo(page, name)
        await page.getByRole('button', { name: 'Kosongkan layanan tujuan' }).click()
        await expect(server).toHaveCount(0)
        await expect(notice).toHaveCount(0)
        await expect(page.getByText('Isi alamat lengkap yang diawali rtmp:// atau rtmps://.')).toBeVisible()
      })

      await test.step('what was made takes room, and can be removed again', async () => {
        await tab(page, 'Lokal').click()
        const versions = page.getByRole('list', { name: `Versi lain ${name}` })
        await expect(versions).toContainText(/^Versi 320×180 · 60 fps · 6\.000 kbps · [\d.,]+ [KM]B$/)
        expect(await faults(page)).toEqual([])
        await expectNoSidewaysScroll(page)
        await versions.getByRole('button', { name: /^Hapus versi/ }).click()
        await page.getByRole('alertdialog').getByRole('button', { name: 'Hapus', exact: true }).click()
        await expect(versions).toHaveCount(0)
      })
    })
  })
}
