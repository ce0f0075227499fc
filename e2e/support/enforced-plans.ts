import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Locator, Page } from '@playwright/test'
import type { RegisterBody } from '@siarin/contracts/auth'
import { startSiarin } from '@siarin/testkit/siarin-server'
import { test as base } from './fixtures.ts'
import { changePlanRow, type PlanRow } from './plan-row.ts'

export const WHATSAPP_NUMBER = '6281234567890'
export const HOUR_MS = 3_600_000

const SIARIN = join(import.meta.dirname, '..', '..', 'scripts', 'siarin.mjs')

type EnforcedFixtures = {
  /** `npm run siarin -- …`, beside the running server. */
  operator: (...words: string[]) => Promise<void>
  /** Changes what somebody's plan follows from, behind the back of the page. */
  setPlanRow: (user: RegisterBody, change: PlanRow) => void
}

/** A server of its own that holds everyone to their plan; the trial lasts a day. */
export const test = base.extend<EnforcedFixtures>({
  siarin: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's needs from this pattern
    async ({}, use) => {
      const siarin = await startSiarin({ env: { ENFORCE_PLANS: 'true', WHATSAPP_NUMBER } })
      await use(siarin)
      await siarin.dispose()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
  operator: async ({ siarin }, use) => {
    const env = { ...process.env, DATA_DIR: siarin.dataDir }
    await use(async (...words) => {
      await promisify(execFile)(process.execPath, [SIARIN, ...words], { env })
    })
  },
  setPlanRow: async ({ siarin }, use) => {
    await use(({ email }, change) => changePlanRow(siarin.dataDir, email, change))
  },
})

export const hoursAgo = (hours: number): number => Date.now() - hours * HOUR_MS

export const strip = (page: Page): Locator => page.getByRole('complementary', { name: 'Masa paket' })
export const quietState = (page: Page, title: string): Locator =>
  page.getByRole('main').getByRole('heading', { level: 2, name: title })
