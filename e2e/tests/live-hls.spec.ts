import type { Page, Route } from '@playwright/test'
import { tab } from '../support/broadcasts.ts'
import { expect, test } from '../support/fixtures.ts'
import { SEGMENT_SECONDS, type ServedHls, serveBigo, serveHls } from '../support/hls.ts'
import { currentTime, message, openLive, player } from '../support/live-screen.ts'

const RECONNECTING = 'Sumber online terputus, menyambung ulang…'

async function pickOnline(page: Page, url: string): Promise<void> {
  await serveBigo(page, [{ nickname: 'Kamar Sari', streamUrl: url }])
  await tab(page, 'Bigo').click()
  await page.getByRole('button', { name: /Kamar Sari/ }).click()
}

const plays = (page: Page): Promise<void> => expect.poll(() => currentTime(player(page))).toBeGreaterThan(0.5)

test('[LIVE-17] an .m3u8 plays with hls.js, which is fetched only then, and is torn down on leaving', async ({
  page,
  reader,
  siarin,
}) => {
  const scripts: string[] = []
  page.on('request', (request) => /\/assets\/hls-/.test(request.url()) && scripts.push(request.url()))
  const hls = await serveHls(page, siarin.url)
  await openLive(page, reader)
  await tab(page, 'Live').click()
  expect(scripts).toEqual([])

  await pickOnline(page, hls.url)
  await expect(page.getByTestId('current-video')).toHaveText('Kamar Sari')
  await plays(page)
  expect(scripts).toHaveLength(1)
  expect(await player(page).getAttribute('src')).toMatch(/^blob:/)

  await test.step('another tab than Go tears it down', async () => {
    await tab(page, 'Go').click()
    expect(await player(page).getAttribute('src')).toMatch(/^blob:/)
    await tab(page, 'Live').click()
    await expect(player(page)).not.toHaveAttribute('src')
  })
  await test.step('so does leaving the screen', async () => {
    await tab(page, 'Bigo').click()
    await page.getByRole('button', { name: /Kamar Sari/ }).click()
    await plays(page)
    const left = await player(page).elementHandle()
    await page.getByRole('banner').getByRole('link', { name: 'Siarin' }).click()
    await expect(page).toHaveURL('/dashboard')
    await expect.poll(() => left?.getAttribute('src')).toBeNull()
    await expect.poll(() => left?.evaluate((video) => (video as HTMLVideoElement).paused)).toBe(true)
  })
})

test('[LIVE-17] without hls.js the browser plays it natively, and one that cannot says so @long', async ({
  page,
  reader,
  siarin,
}) => {
  const hls = await serveHls(page, siarin.url)
  await page.addInitScript(() => {
    Reflect.deleteProperty(window, 'MediaSource')
    Reflect.deleteProperty(window, 'ManagedMediaSource')
    const types: string[] = JSON.parse(sessionStorage.getItem('native') ?? '["application/vnd.apple.mpegurl"]')
    HTMLMediaElement.prototype.canPlayType = (type) => (types.includes(type) ? 'maybe' : '')
  })
  await openLive(page, reader)
  await pickOnline(page, hls.url)
  await expect(player(page)).toHaveAttribute('src', hls.url)

  await page.evaluate(() => sessionStorage.setItem('native', '[]'))
  await page.reload()
  await pickOnline(page, hls.url)
  await expect(message(page)).toHaveText('Browser tidak mendukung HLS.')
  await expect(message(page)).toHaveRole('alert')
  await expect(player(page)).not.toHaveAttribute('src')
})

const buffered = (hls: ServedHls): number => hls.asked.filter((name) => name.endsWith('.ts')).length * SEGMENT_SECONDS

for (const [limit, bandwidth] of [
  // What a level needs says how far ahead is kept: light ones up to maxMaxBufferLength, heavy ones maxBufferLength.
  [60, 200_000],
  [30, 400_000_000],
] as const) {
  test(`[LIVE-17] at most ${limit} s of a source of ${bandwidth} bit/s are kept ahead @long`, async ({
    page,
    reader,
    siarin,
  }) => {
    const hls = await serveHls(page, siarin.url, {
      seconds: 120,
      master: (text) => text.replace(/BANDWIDTH=\d+/g, `BANDWIDTH=${bandwidth}`),
    })
    await openLive(page, reader)
    await pickOnline(page, hls.url)
    await plays(page)
    await player(page).evaluate((video) => (video as HTMLVideoElement).pause())
    await expect.poll(() => buffered(hls), { timeout: 90_000 }).toBeGreaterThanOrEqual(limit - 2 * SEGMENT_SECONDS)
    // What is not asked for within this time is not asked for at all: the rest came as fast as it could.
    await page.waitForTimeout(2000)
    expect(buffered(hls)).toBeLessThanOrEqual(limit + 6 * SEGMENT_SECONDS)
  })
}

for (const [what, name] of [
  ['manifest', 'master.m3u8'],
  ['level', 'video.m3u8'],
  ['fragment', '0.ts'],
] as const) {
  test(`[LIVE-17] a ${what} is given 10 s, asked for five times more, and then again after a pause @long`, async ({
    page,
    reader,
    siarin,
  }) => {
    const held: Route[] = []
    const hls = await serveHls(page, siarin.url, {
      onFile: async (asked, route) => {
        if (asked !== name) return false
        held.push(route)
        return true
      },
    })
    const tries = (): number => hls.asked.filter((asked) => asked === name).length
    await openLive(page, reader)
    await serveBigo(page, [{ nickname: 'Kamar Sari', streamUrl: hls.url }])
    await page.clock.install()
    await tab(page, 'Bigo').click()
    const choice = page.getByRole('button', { name: /Kamar Sari/ })
    await expect(choice).toBeVisible()
    await page.clock.pauseAt(Date.now() + 60_000)
    await choice.click()

    // From here on time passes only as we say.
    await expect(async () => {
      await page.clock.runFor(100)
      expect(tries()).toBe(1)
    }).toPass()
    await page.clock.runFor(9500)
    expect(tries()).toBe(1)
    await expect(async () => {
      await page.clock.runFor(1000)
      expect(await message(page).textContent()).toBe(RECONNECTING)
    }).toPass({ timeout: 120_000, intervals: [0] })
    expect(tries()).toBe(6)
    await page.clock.runFor(1000)
    await expect.poll(tries).toBe(7)
    for (const route of held) await route.abort().catch(() => {})
  })
}

test('[LIVE-17] after a fatal network error the loading is tried again until it plays @long', async ({
  page,
  reader,
  siarin,
}) => {
  const refusals: Record<string, number> = { 'master.m3u8': 2, '1.ts': 1 }
  const hls = await serveHls(page, siarin.url, {
    onFile: async (name, route) => {
      const left = refusals[name] ?? 0
      if (left > 0) await route.fulfill({ status: 404, body: '' })
      refusals[name] = left - 1
      return left > 0
    },
  })
  await openLive(page, reader)
  await pickOnline(page, hls.url)
  await expect(message(page)).toHaveText(RECONNECTING)
  await plays(page)
  await expect.poll(() => currentTime(player(page))).toBeGreaterThan(SEGMENT_SECONDS)
  expect(hls.asked.filter((name) => name === 'master.m3u8')).toHaveLength(3)
})

test('a preview that counts no longer is not asked for again: the person is told to pick the source anew @long', async ({
  page,
  reader,
  siarin,
}) => {
  let ended = false
  const hls = await serveHls(page, siarin.url, {
    seconds: 120,
    onFile: async (_name, route) => {
      if (ended) await route.fulfill({ status: 410, body: '' })
      return ended
    },
  })
  await openLive(page, reader)
  await pickOnline(page, hls.url)
  await plays(page)
  ended = true
  await player(page).evaluate((video) => {
    ;(video as HTMLVideoElement).currentTime = 100
  })
  await expect(message(page)).toHaveText('Pratinjau ini sudah kedaluwarsa. Pilih lagi sumbernya.')
  await expect(player(page)).not.toHaveAttribute('src')
})

test('[LIVE-17] a fatal media error is recovered from, at the place where it happened @long', async ({
  page,
  reader,
  siarin,
}) => {
  await page.addInitScript(() => {
    const { createObjectURL } = URL
    URL.createObjectURL = (made) => {
      if (made instanceof MediaSource) Object.assign(window, { mediaSource: made })
      return createObjectURL(made)
    }
  })
  const hls = await serveHls(page, siarin.url, { seconds: 120 })
  await openLive(page, reader)
  await pickOnline(page, hls.url)
  await expect.poll(() => currentTime(player(page))).toBeGreaterThan(2)
  const before = await player(page).getAttribute('src')

  // What a decoder says that meets a picture it cannot read; not while a piece is being taken in.
  const breakDecoder = () =>
    page.evaluate(() => {
      const { mediaSource } = window as unknown as { mediaSource: MediaSource }
      if (mediaSource.readyState !== 'open' || [...mediaSource.sourceBuffers].some(({ updating }) => updating))
        return false
      mediaSource.endOfStream('decode')
      return true
    })
  await expect.poll(breakDecoder, { intervals: [50] }).toBe(true)
  await expect(player(page)).not.toHaveAttribute('src', before ?? '')
  await expect.poll(() => currentTime(player(page))).toBeGreaterThan(3)
  await expect(message(page)).not.toHaveText('Gagal memuat streaming HLS.')
})

test('[LIVE-17] any other fatal error ends the player and is said @long', async ({ page, reader, siarin }) => {
  await page.addInitScript(() => {
    // A browser that has no memory left for a segment.
    window.Uint8Array = new Proxy(Uint8Array, {
      construct(target, args: unknown[]) {
        if (typeof args[0] === 'number' && args[0] > 15_000) throw new RangeError('Array buffer allocation failed')
        return Reflect.construct(target, args)
      },
    })
  })
  const hls = await serveHls(page, siarin.url)
  await openLive(page, reader)
  await pickOnline(page, hls.url)
  await expect(message(page)).toHaveText('Gagal memuat streaming HLS.')
  await expect(message(page)).toHaveRole('alert')
  await expect(player(page)).not.toHaveAttribute('src')
})
