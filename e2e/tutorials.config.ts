import { defineConfig } from '@playwright/test'
import base from './playwright.config.ts'
import type { TestOptions } from './support/fixtures.ts'

/** `npm run tutorials`: records the videos of the Tutorial screen anew, from the real program. One at a time, so that each has the machine. */
export default defineConfig<TestOptions>({
  ...base,
  testDir: './tutorials',
  testMatch: '*.tutorial.ts',
  outputDir: './.cache/tutorials',
  reporter: 'list',
  workers: 1,
  timeout: 600_000,
  use: {
    ...base.use,
    trace: 'off',
    lastingMessages: false,
    viewport: { width: 1280, height: 720 },
    colorScheme: 'light',
  },
})
