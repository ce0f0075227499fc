import type { APIRequestContext, Locator, Page } from '@playwright/test'
import type { SessionUser } from '@siarin/contracts/auth'
import { playlistSource } from '@siarin/contracts/playlists'
import { faults } from '../support/axe.ts'
import { DEVICES } from '../support/devices.ts'
import { expect, test } from '../support/fixtures.ts'
import { expectNoSidewaysScroll } from '../support/layout.ts'
import { ageProofs } from '../support/plan-row.ts'
import { uploadByApi, videosReady } from '../support/videos-by-api.ts'

const prompt = (page: Page): Locator => page.getByRole('dialog').filter({ hasText: 'Ketik password Anda' })
const names = (page: Page): Locator =>
  page.getByRole('list', { name: 'Isi playlist' }).getByRole('listitem').getByRole('heading')

async function post(request: APIRequestContext, user: SessionUser, path: string, data: object) {
  const answer = await request.post(path, { headers: { 'X-API-Key': user.apiKey }, data })
  expect(answer.ok(), await answer.text()).toBe(true)
  return answer.json()
}

async function prove(page: Page, password: string): Promise<void> {
  await expect(prompt(page)).toBeVisible()
  await expectNoSidewaysScroll(page)
  expect(await faults(page)).toEqual([])
  await prompt(page).getByLabel('Password', { exact: true }).fill(password)
  await prompt(page).getByRole('button', { name: 'Lanjutkan' }).click()
  await expect(prompt(page)).toHaveCount(0)
}

for (const { device, use } of DEVICES) {
  test.describe(device, () => {
    test.use(use)

    test('[SAFE-02] a browser that is not known asks for the password before it changes what viewers will see', async ({
      page,
      account,
      clip,
      request,
      siarin,
    }) => {
      const person = await account.register()
      const { user } = await account.login(page, person)
      for (const name of ['senja.mp4', 'fajar.mp4'])
        await uploadByApi(page.request, user, await clip(name, { seconds: 3 }))
      await videosReady(page.request, user)
      const { playlist } = await post(request, user, '/fitur/playlist', {
        ...{ name: 'Malam', shuffle: false, videos: ['senja.mp4', 'fajar.mp4'] },
      })
      await post(request, user, '/fitur/schedule', {
        title: 'Malam',
        rule: { repeat: { kind: 'daily' }, windows: [{ start: '19:00', minutes: 60 }] },
        broadcast: {
          source: playlistSource(playlist.id),
          platform: 'lain',
          rtmpStream: 'rtmp://127.0.0.1:1/live/kunci',
        },
      })
      await page.context().clearCookies()
      ageProofs(siarin.dataDir, person.email)

      await test.step('in the editor of a playlist that a schedule starts', async () => {
        await page.goto(`/fitur/playlist?id=${playlist.id}`)
        await expect(names(page)).toHaveText(['senja.mp4', 'fajar.mp4'])
        const more = page.getByRole('button', { name: 'Pilihan untuk senja.mp4' }).first()
        if (await more.isVisible()) await more.click()
        await page.getByRole('button', { name: 'Turun senja.mp4' }).click()
        await prove(page, person.password)
        await expect(page.getByText('senja.mp4 dipindah ke urutan 2 dari 2.')).toBeAttached()
        await expect(names(page)).toHaveText(['fajar.mp4', 'senja.mp4'])
      })

      await test.step('in the form of a schedule, which keeps what was typed', async () => {
        ageProofs(siarin.dataDir, person.email)
        await page.goto('/fitur/jadwal')
        await page.getByRole('button', { name: 'Ubah Malam' }).click()
        await page.getByLabel('Mulai').fill('20:15')
        await page.getByRole('button', { name: 'Simpan' }).click()
        await prove(page, person.password)
        await expect(page.getByText('Jadwal diubah.')).toBeVisible()
        await expect(page.getByRole('list', { name: 'Semua jadwal' })).toContainText('20.15')
      })
    })
  })
}
