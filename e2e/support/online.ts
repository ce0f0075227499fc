import { randomBytes } from 'node:crypto'
import type { APIRequestContext, Locator, Page } from '@playwright/test'
import type { SessionUser } from '@siarin/contracts/auth'
import type { BigoService } from '@siarin/testkit/bigo-service'
import type { HlsSource } from '@siarin/testkit/hls-source'
import { tab } from './broadcasts.ts'
import { expect } from './fixtures.ts'
import { currentTime, player } from './live-screen.ts'

/** A room on Bigo, or a token of TikTok, that no other test has. */
export const newId = (): string => `id${randomBytes(5).toString('hex')}`

export const rooms = (page: Page): Locator => page.getByRole('list', { name: 'Video online' }).getByRole('listitem')
export const quietRooms = (page: Page): Locator =>
  page.getByRole('list', { name: 'Tidak sedang siaran' }).getByRole('listitem')
export const sources = (page: Page): Locator => page.getByRole('list', { name: 'Sumber online' }).getByRole('listitem')

/** Bigo is asked again only after some seconds: what it says now may be seen a little later. */
export async function untilBigoTab(page: Page, holds: () => Promise<void>): Promise<void> {
  await expect(async () => {
    await tab(page, 'Live').click()
    await tab(page, 'Bigo').click()
    await holds()
  }).toPass({ timeout: 120_000, intervals: [1000] })
}

export async function addByApi(
  page: Page,
  user: SessionUser,
  kind: 'bigo' | 'tiktok' | 'online',
  body: object,
): Promise<void> {
  const answer = await page.request.post(`/fitur/${kind}/add`, { data: { apiKey: user.apiKey, ...body } })
  expect(answer.ok(), await answer.text()).toBe(true)
}

export async function addSource(page: Page, name: string, url: string): Promise<void> {
  await page.getByRole('button', { name: 'Tambah sumber online' }).click()
  await page.getByLabel('Nama').fill(name)
  await page.getByLabel('Alamat HLS (.m3u8)').fill(url)
  await page.getByRole('button', { name: 'Tambah sumber', exact: true }).click()
}

export async function plays(page: Page): Promise<void> {
  const before = await currentTime(player(page))
  await expect.poll(() => currentTime(player(page)), { timeout: 90_000 }).toBeGreaterThan(before + 0.5)
}

type OnlineWorld = { request: APIRequestContext; bigo: BigoService; hls: HlsSource }

/** Gives the filled account a room that is live (of the two that it has) and an address of its own. */
export async function fillOnlineSources({ apiKey }: { apiKey: string }, world: OnlineWorld): Promise<void> {
  world.bigo.set('sari_bernyanyi', { is: 'live', hls: world.hls.url, nickname: 'Sari Bernyanyi' })
  const data = { name: 'Kamera pantai', url: world.hls.masterUrl }
  const answer = await world.request.post('/fitur/online/add', { headers: { 'X-API-Key': apiKey }, data })
  if (!answer.ok()) throw new Error(`the source was answered ${answer.status()}: ${await answer.text()}`)
}
