import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Locator, Page } from '@playwright/test'
import type { RegisterBody } from '@siarin/contracts/auth'
import { test as base, WHATSAPP_NUMBER } from './fixtures.ts'
import { changePlanRow, type PlanRow } from './plan-row.ts'

export { WHATSAPP_NUMBER }
export const HOUR_MS = 3_600_000

const SIARIN = join(import.meta.dirname, '..', '..', 'scripts', 'siarin.mjs')

type EnforcedFixtures = {
  /** `npm run siarin -- …`, beside the running server. */
  operator: (...words: string[]) => Promise<void>
  /** Changes what somebody's plan follows from, behind the back of the page. */
  setPlanRow: (user: RegisterBody, change: PlanRow) => void
}

/** On a server that holds everyone to their plan; the trial lasts a day. */
export const test = base.extend<EnforcedFixtures>({
  baseURL: async ({ enforced }, use) => use(enforced.url),
  operator: async ({ enforced }, use) => {
    const env = { ...process.env, DATA_DIR: enforced.dataDir }
    await use(async (...words) => {
      await promisify(execFile)(process.execPath, [SIARIN, ...words], { env })
    })
  },
  setPlanRow: async ({ enforced }, use) => {
    await use(({ email }, change) => changePlanRow(enforced.dataDir, email, change))
  },
})

export const hoursAgo = (hours: number): number => Date.now() - hours * HOUR_MS

export const strip = (page: Page): Locator => page.getByRole('complementary', { name: 'Masa paket' })
export const quietState = (page: Page, title: string): Locator =>
  page.getByRole('main').getByRole('heading', { level: 2, name: title })
