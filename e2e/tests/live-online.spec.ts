import type { Page } from '@playwright/test'
import { tab } from '../support/broadcasts.ts'
import { expect, test } from '../support/fixtures.ts'
import { serveBigo, serveHls } from '../support/hls.ts'
import { message, openLive, player } from '../support/live-screen.ts'

const online = (page: Page) => page.getByRole('list', { name: 'Video online' }).getByRole('listitem')

test('[LIVE-07] online videos are listed with title, size and an Online marker, those that are live', async ({
  page,
  account,
  siarin,
}) => {
  const hls = await serveHls(page, siarin.url)
  await openLive(page, account)
  await serveBigo(page, [
    { nickname: 'Kamar Sari 🎤', streamUrl: hls.url },
    { nickname: 'Sudah tidur', streamUrl: hls.url, isLive: false },
    { nickname: 'تجربة طويلة جدا', streamUrl: `${siarin.url}/online/lain.mp4` },
  ])
  const asked = page.waitForRequest('**/fitur/bigo/live')
  await tab(page, 'Bigo').click()
  // The default client: the session, and no key.
  expect((await asked).method()).toBe('GET')
  expect((await asked).headers()['authorization']).toMatch(/^Bearer \S+/)
  expect((await asked).url()).toBe(`${siarin.url}/fitur/bigo/live`)

  await expect(online(page)).toHaveCount(2)
  await expect(online(page).nth(0)).toContainText('Kamar Sari 🎤')
  await expect(online(page).nth(0)).toContainText('0 Bytes')
  await expect(online(page).nth(0).getByText('Online', { exact: true })).toBeVisible()
  await expect(message(page)).toHaveText('Ditemukan 2 stream aktif.')

  await test.step('one that is picked is the source of a broadcast', async () => {
    await page.getByRole('button', { name: /Kamar Sari/ }).click()
    await expect(page.getByTestId('current-video')).toHaveText('Kamar Sari 🎤')
    await expect(player(page)).toHaveAttribute('src', /^blob:/)
    await tab(page, 'Go').click()
    await expect(page.getByTestId('chosen-source')).toHaveText('Kamar Sari 🎤')
    await page.getByLabel('RTMP/stream key').fill('abcd-efgh')
    const started = page.waitForRequest('**/fitur/steam/start')
    await page.getByRole('button', { name: 'Go Live' }).click()
    expect((await started).postDataJSON()).toMatchObject({ source: hls.url, platform: 'youtube', looping: true })
  })
})

test('[LIVE-07] [LIVE-21] an empty Bigo tab says so, and one that is not live is no video', async ({
  page,
  account,
}) => {
  await openLive(page, account)
  await serveBigo(page, [{ nickname: 'Sudah tidur', isLive: false }])
  await tab(page, 'Bigo').click()
  await expect(page.getByText('Tidak ada video online yang tersedia.')).toBeVisible()
  await expect(message(page)).toHaveText('Tidak ada stream yang aktif saat ini.')
  await expect(message(page)).toHaveRole('alert')
  await expect(page.getByRole('link', { name: 'Kelola akun Bigo' })).toHaveAttribute('href', '/fitur/account')
})

test('[LIVE-21] a video without a file or an address is not valid', async ({ page, account }) => {
  await openLive(page, account)
  await serveBigo(page, [{ nickname: 'Tanpa alamat' }])
  await tab(page, 'Bigo').click()
  await page.getByRole('button', { name: /Tanpa alamat/ }).click()
  await expect(message(page)).toHaveText('Video tidak valid.')
  await expect(page.getByTestId('current-video')).toHaveText('Belum ada video dipilih')
})

test('[LIVE-15] every tab loads its list when it is opened, and the active streams load on entry too', async ({
  page,
  account,
}) => {
  await serveBigo(page, [])
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.method() === 'GET') asked.push(pathname)
  })
  const count = (path: string): number => asked.filter((seen) => seen === path).length
  await openLive(page, account)
  await expect.poll(() => count('/fitur/steam/active')).toBeGreaterThan(0)
  expect(count('/fitur/video')).toBeGreaterThan(0)
  expect(count('/fitur/bigo/live')).toBe(0)

  for (const [name, path] of [
    ['Bigo', '/fitur/bigo/live'],
    ['Live', '/fitur/steam/active'],
    ['Lokal', '/fitur/video'],
    ['Bigo', '/fitur/bigo/live'],
  ] as const) {
    const before = count(path)
    await tab(page, name).click()
    await expect.poll(() => count(path)).toBeGreaterThan(before)
  }
})
