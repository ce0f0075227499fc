import { randomBytes } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { type FoundProcess, ffmpegsUnder } from '@siarin/testkit/processes'
import type { Siarin } from '@siarin/testkit/siarin-server'
import { expect } from './fixtures.ts'
import { pickButton } from './live-screen.ts'

/** For what ffmpeg and the RTMP server need to do, on a busy machine. */
export const PATIENT = { timeoutMs: 90_000 }

export const tab = (page: Page, name: string): Locator => page.getByRole('tab', { name, exact: true })
export const streams = (page: Page): Locator => page.getByRole('list', { name: 'Siaran aktif' }).getByRole('listitem')
export const word = (place: Locator, text: string): Locator => place.getByText(text, { exact: true })
/** A stream's name on the RTMP server that no other test has. */
export const newName = (): string => `live${randomBytes(4).toString('hex')}`

/** Chooses a ready video and opens the Go form. */
export async function openGo(page: Page, video: string): Promise<void> {
  await tab(page, 'Lokal').click()
  // What is not there is said in seconds, and not by the end of the test's time.
  await expect(tab(page, 'Lokal')).toHaveAttribute('aria-selected', 'true')
  await pickButton(page, video).click({ timeout: PATIENT.timeoutMs })
  await tab(page, 'Go').click()
}

/** Puts a ready video on air through the Go form, and opens the Live tab. */
export async function goLive(page: Page, broadcast: { video: string; target: string; title?: string }): Promise<void> {
  await openGo(page, broadcast.video)
  await page.getByLabel('Judul live').fill(broadcast.title ?? '')
  await page.getByLabel('Platform').selectOption({ label: 'Lainnya' })
  await page.getByLabel('RTMP/stream key').fill(broadcast.target)
  await page.getByRole('button', { name: 'Go Live' }).click()
  await expect(page.getByText('Siaran langsung dimulai!')).toBeVisible()
  await tab(page, 'Live').click()
}

/** What carries the stream of this name to its target. Other tests may have left something running. */
export const ffmpegsTo = async ({ dataDir }: Siarin, name: string): Promise<FoundProcess[]> =>
  (await ffmpegsUnder(dataDir)).filter(({ args }) => args.some((arg) => arg.includes(name)))

export async function stop(page: Page, row: Locator): Promise<void> {
  await row.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Hentikan' }).click()
}
