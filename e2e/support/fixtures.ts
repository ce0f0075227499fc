import { type BrowserContext, test as base, expect } from '@playwright/test'
import { type BigoService, startBigoService } from '@siarin/testkit/bigo-service'
import { cachedClip } from '@siarin/testkit/clips'
import { type HlsSource, startHlsSource } from '@siarin/testkit/hls-source'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { type Siarin, startSiarin } from '@siarin/testkit/siarin-server'
import { type StreamlabsService, startStreamlabsService } from '@siarin/testkit/streamlabs-service'
import { type Account, createAccount } from './account.ts'
import { keepMessages } from './lasting-messages.ts'
import { createMember, type Member, OWNED_VIDEO } from './member.ts'
import { startTold, type Told } from './told.ts'
import { keepWarm } from './warm-contexts.ts'

export type TestOptions = {
  /** Messages stand long enough for the slowest machine to be seen. */
  lastingMessages: boolean
  /** The browser has never been here: for what a first visit loads. */
  firstVisit: boolean
}

type TestFixtures = TestOptions & {
  /** The address from which the server believes this test to come. */
  address: string
  account: Account
  clip: typeof cachedClip
  /** A broadcast somewhere else, which lets no page of ours read it. */
  hls: HlsSource
}

export const WHATSAPP_NUMBER = '6281234567890'

type WorkerFixtures = {
  siarin: Siarin
  /**
   * A second server, which holds everyone to their plan. Beside the first one: a test that replaced it would cost a new worker, with a
   * browser and all servers.
   */
  enforced: Siarin
  /** Whom the first server tells: its operator has a bot. */
  told: Told
  bigo: BigoService
  streamlabs: StreamlabsService
  rtmp: RtmpServer
  nextAddress: () => string
  /** Somebody without videos, who is shared: for tests that change nothing of theirs. `reader.enter(page)` logs the page in. */
  reader: Member
  /** The same, with the video OWNED_VIDEO, ready. */
  owner: Member
}

async function emptyCache(context: BrowserContext): Promise<void> {
  const session = await context.newCDPSession(context.pages()[0] ?? (await context.newPage()))
  await session.send('Network.clearBrowserCache')
  await session.detach()
}

const sentFrom = (address: string) => ({ 'X-Forwarded-For': address })

export const test = base.extend<TestFixtures, WorkerFixtures>({
  bigo: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern
    async ({}, use) => {
      const bigo = await startBigoService()
      await use(bigo)
      await bigo.dispose()
    },
    { scope: 'worker' },
  ],

  streamlabs: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern
    async ({}, use) => {
      const streamlabs = await startStreamlabsService()
      await use(streamlabs)
      await streamlabs.dispose()
    },
    { scope: 'worker' },
  ],

  siarin: [
    async ({ bigo, streamlabs, told }, use) => {
      const platforms = { BIGO_API_URL: bigo.url, STREAMLABS_API_URL: streamlabs.url }
      const siarin = await startSiarin({ env: { ...platforms, ...told.settings, STORAGE_LIMIT_GB: '20' } })
      await use(siarin)
      await siarin.dispose()
    },
    { scope: 'worker', timeout: 120_000 },
  ],

  enforced: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern
    async ({}, use) => {
      const siarin = await startSiarin({ env: { ENFORCE_PLANS: 'true', WHATSAPP_NUMBER } })
      await use(siarin)
      await siarin.dispose()
    },
    { scope: 'worker', timeout: 120_000 },
  ],

  told: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern
    async ({}, use) => {
      const told = await startTold()
      await use(told)
      await told.dispose()
    },
    { scope: 'worker' },
  ],

  rtmp: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern
    async ({}, use) => {
      const rtmp = await startRtmpServer()
      await use(rtmp)
      await rtmp.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],

  nextAddress: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern
    async ({}, use, { workerIndex }) => {
      let last = 0
      await use(() => {
        last += 1
        return `10.${workerIndex % 256}.${last >> 8}.${last & 255}`
      })
    },
    { scope: 'worker' },
  ],

  reader: [
    async ({ siarin, nextAddress, playwright }, use) =>
      use(await createMember(playwright.request, { baseURL: siarin.url, address: nextAddress() })),
    { scope: 'worker', timeout: 120_000 },
  ],

  owner: [
    async ({ siarin, nextAddress, playwright }, use) => {
      const videos = [await cachedClip(OWNED_VIDEO, { seconds: 3 })]
      await use(await createMember(playwright.request, { baseURL: siarin.url, address: nextAddress(), videos }))
    },
    { scope: 'worker', timeout: 300_000 },
  ],

  browser: [
    async ({ browser }, use) => {
      keepWarm(browser)
      await use(browser)
    },
    { scope: 'worker' },
  ],

  lastingMessages: [true, { option: true }],
  firstVisit: [false, { option: true }],

  // By a call, not as an option: with options of its own each test would need a browser context of its own.
  context: async ({ context, reuseContext, lastingMessages, firstVisit, address }, use, testInfo) => {
    await context.setExtraHTTPHeaders(sentFrom(address))
    if (lastingMessages) await keepMessages(context)
    if (firstVisit) await emptyCache(context)
    await use(context)
    // The next test may have another context: what this one left open would go on asking and playing.
    const isShared = reuseContext && testInfo.status === testInfo.expectedStatus
    if (isShared) await context.pages()[0]?.goto('about:blank')
  },

  request: async ({ playwright, baseURL, address }, use) => {
    const extraHTTPHeaders = sentFrom(address)
    const request = await playwright.request.newContext({ ...(baseURL && { baseURL }), extraHTTPHeaders })
    await use(request)
    await request.dispose()
  },

  baseURL: async ({ siarin }, use) => use(siarin.url),

  // Rate limits count by address: with one for each test, no test uses up another's share. The `request` fixture and
  // every page of the test's context send it.
  address: async ({ nextAddress }, use) => use(nextAddress()),

  account: async ({ request }, use) => use(createAccount(request)),

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern
  clip: async ({}, use) => use(cachedClip),

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern
  hls: async ({}, use) => {
    const source = await startHlsSource()
    await use(source)
    await source.dispose()
  },
})

export { expect }
