import { basename } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import type { RegisterBody, SessionUser } from '@siarin/contracts/auth'
import type { cachedClip } from '@siarin/testkit/clips'
import type { Account } from './account.ts'
import { expect } from './fixtures.ts'
import type { Member } from './member.ts'
import { uploadByApi, videosReady } from './videos-by-api.ts'

/** What the tests read of a <video>: they run in Node and know no DOM. */
export interface PlayingVideo {
  currentTime: number
  muted: boolean
  pause(): void
  addEventListener(type: string, heard: () => void, options: object): void
}

const SLOW_BYTES_PER_SECOND = 500_000

const list = (page: Page): Locator => page.getByRole('list', { name: 'Video lokal' })
export const rows = (page: Page): Locator => list(page).getByRole('listitem')
export const row = (page: Page, name: string): Locator => rows(page).filter({ hasText: name })
export const pickButton = (page: Page, name: string): Locator =>
  row(page, name).getByRole('button', { pressed: false }).first()
export const chooser = (page: Page): Locator => page.getByLabel('File video')
export const bar = (page: Page): Locator => page.getByRole('progressbar', { name: 'Upload' })
export const uploaded = (page: Page): Locator => page.getByText('Upload berhasil.')
export const player = (page: Page): Locator => page.locator('main video').first()

/** As the member; as somebody new where the account is given. */
export async function openLive(page: Page, who: Account | Member): Promise<void> {
  if ('enter' in who) await who.enter(page)
  else await who.login(page, await who.register())
  await page.goto('/fitur/live')
  await expect(page.getByText('Anda belum mengupload video.')).toBeVisible()
}

/** Someone, new unless `registered`, who has these videos ready, on the Live screen; the videos came by the API. */
export async function openLiveWith(
  page: Page,
  account: Account,
  files: readonly string[],
  registered?: RegisterBody,
): Promise<SessionUser> {
  const { user } = await account.login(page, registered ?? (await account.register()))
  for (const file of files) await uploadByApi(page.request, user, file)
  // Asked for more often than the page does.
  await videosReady(page.request, user)
  await page.goto('/fitur/live')
  for (const file of files) await ready(page, basename(file))
  return user
}

/** The owner on the Live screen. */
export async function openLiveAs(page: Page, owner: Member): Promise<void> {
  await owner.enter(page)
  await page.goto('/fitur/live')
  await expect(rows(page)).not.toHaveCount(0)
}

/** The text of the global message. */
export const message = (page: Page): Locator => page.getByTestId('message')

export async function upload(page: Page, file: string): Promise<void> {
  await chooser(page).setInputFiles(file)
  await expect(uploaded(page)).toBeVisible()
  await expect(row(page, basename(file))).toBeVisible()
}

export async function ready(page: Page, name: string): Promise<void> {
  await expect(row(page, name)).toBeVisible()
  await expect(row(page, name).getByTestId('video-state')).toHaveCount(0, { timeout: 200_000 })
}

export const currentTime = (video: Locator): Promise<number> =>
  video.evaluate((element) => (element as unknown as PlayingVideo).currentTime)

/** Some megabytes, so that a slow line needs seconds for them. */
export const heavyClip = (clip: typeof cachedClip, name: string): Promise<string> =>
  clip(name, {
    seconds: 4,
    width: 1280,
    height: 720,
    extraArgs: ['-b:v', '12M', '-minrate', '12M', '-maxrate', '12M', '-bufsize', '12M', '-x264-params', 'nal-hrd=cbr'],
  })

/** A slow line, until the answer is called: then the rest goes as fast as it can. */
export async function slowUploads(page: Page, bytesPerSecond = SLOW_BYTES_PER_SECOND): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  const setRate = async (uploadThroughput: number): Promise<void> => {
    const line = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput }
    await session.send('Network.emulateNetworkConditions', line)
  }
  await setRate(bytesPerSecond)
  return () => setRate(-1)
}

export const percent = async (page: Page): Promise<number> =>
  Number(
    (await bar(page)
      .getAttribute('aria-valuenow', { timeout: 1000 })
      .catch(() => '0')) ?? 0,
  )

export const reach = (page: Page, share: number): Promise<void> =>
  expect.poll(() => percent(page), { timeout: 60_000, intervals: [100] }).toBeGreaterThanOrEqual(share)
