import { STREAM_TEXTS } from '@siarin/contracts/texts'
import { startSiarin } from '@siarin/testkit/siarin-server'
import { newName, tab } from '../support/broadcasts.ts'
import { test as base, expect } from '../support/fixtures.ts'
import { message, openLiveWith, pickButton } from '../support/live-screen.ts'

const VIDEO = 'kebun.mp4'

/** A server whose machine never has the memory that it asks for. */
const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern
  baseURL: async ({}, use) => {
    const siarin = await startSiarin({ env: { MIN_FREE_MEMORY_MB: '9000000' } })
    await use(siarin.url)
    await siarin.dispose()
  },
})

test('[LIVE-21] a start for which the server has no memory says so, and keeps what was typed @long', async ({
  page,
  account,
  clip,
  rtmp,
}) => {
  await openLiveWith(page, account, [await clip(VIDEO, { seconds: 3 })])
  await pickButton(page, VIDEO).click()
  await tab(page, 'Go').click()
  const target = `${rtmp.url}/${newName()}`
  await page.getByLabel('Platform').selectOption({ label: 'Lainnya' })
  await page.getByLabel('RTMP/stream key').fill(target)
  await page.getByRole('button', { name: 'Go Live' }).click()
  await expect(message(page)).toHaveText(`Error: ${STREAM_TEXTS.serverMemoryFull}`)
  await expect(page.getByLabel('RTMP/stream key')).toHaveValue(target)
})
