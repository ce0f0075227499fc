import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { defineConfig, type ReporterDescription } from '@playwright/test'

const { PATH = '', CI, SIARIN_E2E_REPORT } = process.env

/** The system's own browser: Playwright's download is not among the package sources. */
const chromium = ['chromium', 'chromium-browser', 'google-chrome']
  .flatMap((name) => PATH.split(delimiter).map((folder) => join(folder, name)))
  .find((file) => existsSync(file))

/** scripts/test.mjs reads the counts from this file. */
const report: ReporterDescription[] = SIARIN_E2E_REPORT ? [['json', { outputFile: SIARIN_E2E_REPORT }]] : []

export default defineConfig({
  testDir: './tests',
  outputDir: './test-results',
  reporter: [['list'], ...report],
  // Each worker has a server, an RTMP server and a browser of its own. With more of them than cores, what runs at low priority, as the
  // preparation of a video, hardly gets its turn.
  workers: 2,
  // A message stands for three seconds of the page's time: a machine that is starved may miss one.
  retries: process.env['CI'] ? 1 : 0,
  timeout: 180_000,
  expect: { timeout: 20_000 },
  forbidOnly: Boolean(CI),
  use: {
    locale: 'id-ID',
    timezoneId: 'Asia/Jakarta',
    viewport: { width: 1366, height: 768 },
    trace: 'retain-on-failure',
    launchOptions: {
      ...(chromium ? { executablePath: chromium } : {}),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
