import { STREAM_TEXTS } from '@siarin/contracts/texts'
import { ffmpegsUnder } from '@siarin/testkit/processes'
import { waitFor } from '@siarin/testkit/wait-for'
import { newName, PATIENT, stop, streams, tab, word } from '../support/broadcasts.ts'
import { expect, test } from '../support/fixtures.ts'
import { atEachSize, expectNoSidewaysScroll } from '../support/layout.ts'
import { message, openLive, pickButton, row, upload } from '../support/live-screen.ts'

test('a video that is still being prepared goes on air by itself as soon as it is ready @long', async ({
  page,
  account,
  clip,
  siarin,
  rtmp,
}) => {
  const name = 'nanti.avi'
  const codecs = { videoCodec: 'mpeg4', audioCodec: 'libmp3lame' } as const
  await openLive(page, account)
  await upload(page, await clip(name, { seconds: 4, width: 640, height: 360, ...codecs }))
  const encoders = await waitFor('the encoder', async () => {
    // What an earlier test left may still be on its way.
    const isOurs = (args: string[]) => args.includes('libx264') && args.some((arg) => arg.endsWith('original.avi'))
    const found = (await ffmpegsUnder(siarin.dataDir)).filter(({ args }) => isOurs(args))
    return found.length > 0 && found
  })
  for (const { pid } of encoders) process.kill(pid, 'SIGSTOP')
  await expect(row(page, name).getByTestId('video-state')).toHaveText(/^Diproses( \d+%)?$/)

  await pickButton(page, name).click()
  await tab(page, 'Go').click()
  await expect(page.getByLabel('Siarkan begitu siap')).toBeChecked()
  await expect(page.getByTestId('preparation')).toContainText('Siarannya dimulai sendiri begitu siap')
  const key = newName()
  await page.getByLabel('Platform').selectOption({ label: 'Lainnya' })
  await page.getByLabel('RTMP/stream key').fill(`${rtmp.url}/${key}`)
  await atEachSize(page, () => expectNoSidewaysScroll(page))
  await page.getByRole('button', { name: 'Go Live' }).click()
  await expect(message(page)).toHaveText(STREAM_TEXTS.startsWhenReady)

  await tab(page, 'Live').click()
  const stream = streams(page).first()
  await expect(word(stream, 'Menunggu video')).toBeVisible()
  await expect(stream).toContainText(/Diproses( \d+%)?/)
  await atEachSize(page, () => expectNoSidewaysScroll(page))
  expect(await rtmp.publisher(key)).toBeNull()

  for (const { pid } of encoders) process.kill(pid, 'SIGCONT')
  await expect(word(stream, 'Tayang')).toBeVisible({ timeout: PATIENT.timeoutMs })
  await rtmp.waitForPublisher(key, { growing: true, ...PATIENT })
  await expect(word(stream, 'Menunggu video')).toHaveCount(0)
  await stop(page, stream)
})
