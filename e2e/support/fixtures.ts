import { test as base, expect } from '@playwright/test'
import { type BigoService, startBigoService } from '@siarin/testkit/bigo-service'
import { type HlsSource, startHlsSource } from '@siarin/testkit/hls-source'
import { type RtmpServer, startRtmpServer } from '@siarin/testkit/nginx-rtmp'
import { type Siarin, startSiarin } from '@siarin/testkit/siarin-server'
import { type StreamlabsService, startStreamlabsService } from '@siarin/testkit/streamlabs-service'
import { type Account, createAccount } from './account.ts'
import { cachedClip } from './clip-cache.ts'

type TestFixtures = {
  /** The address from which the server believes this test to come. */
  address: string
  account: Account
  clip: typeof cachedClip
  /** A broadcast somewhere else, which lets no page of ours read it. */
  hls: HlsSource
}

type WorkerFixtures = {
  siarin: Siarin
  bigo: BigoService
  streamlabs: StreamlabsService
  rtmp: RtmpServer
  nextAddress: () => string
}

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
    async ({ bigo, streamlabs }, use) => {
      const siarin = await startSiarin({
        env: { BIGO_API_URL: bigo.url, STREAMLABS_API_URL: streamlabs.url, STORAGE_LIMIT_GB: '20' },
      })
      await use(siarin)
      await siarin.dispose()
    },
    { scope: 'worker', timeout: 60_000 },
  ],

  rtmp: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern
    async ({}, use) => {
      const rtmp = await startRtmpServer()
      await use(rtmp)
      await rtmp.stop()
    },
    { scope: 'worker', timeout: 60_000 },
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

  baseURL: async ({ siarin }, use) => use(siarin.url),

  address: async ({ nextAddress }, use) => use(nextAddress()),

  // Rate limits count by address: with one for each test, no test uses up another's share. The `request` fixture and
  // every page of the test's context send it.
  extraHTTPHeaders: async ({ address }, use) => use({ 'X-Forwarded-For': address }),

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
