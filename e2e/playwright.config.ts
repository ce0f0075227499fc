import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { defineConfig, type ReporterDescription } from '@playwright/test'

const { PATH = '', CI, SIARIN_ALL, SIARIN_E2E_REPORT, SIARIN_E2E_TRACE } = process.env

/** The system's own browser, the quick one first: Playwright's download is not among the package sources. */
const chromium = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
  .flatMap((name) => PATH.split(delimiter).map((folder) => join(folder, name)))
  .find((file) => existsSync(file))

/** scripts/test.mjs reads the counts from this file. */
const report: ReporterDescription[] = SIARIN_E2E_REPORT ? [['json', { outputFile: SIARIN_E2E_REPORT }]] : []

export default defineConfig({
  testDir: './tests',
  outputDir: './test-results',
  globalSetup: './support/build.ts',
  reporter: [['list'], ...report],
  // Each worker has a server, an RTMP server and a browser of its own. They often wait: with twice as many as a small machine has cores,
  // these are always busy.
  workers: 4,
  fullyParallel: true,
  // A test that passes at its second try hides a race: of the test, or of the program. scripts/test.mjs tries what failed on a busy machine again, alone.
  retries: 0,
  // Bounds for a machine that is busy with something else; they cost nothing where all is well.
  timeout: 360_000,
  expect: { timeout: 45_000 },
  // What a test whose title ends with '@long' is about has another, or one of another suite: `npm run test:all` has them all.
  ...(SIARIN_ALL === 'true' ? {} : { grepInvert: /@long/ }),
  forbidOnly: Boolean(CI),
  use: {
    // Emptied between tests, and the browser need not load and compile the app anew for each.
    reuseContext: true,
    locale: 'id-ID',
    timezoneId: 'Asia/Jakarta',
    viewport: { width: 1366, height: 768 },
    // What moves for ever, the browser draws sixty times a second without a graphics card: a sixth of the suite's time. Tests of what moves ask
    // for it.
    contextOptions: { reducedMotion: 'reduce' },
    // A trace of each test costs a tenth of the suite's time: SIARIN_E2E_TRACE=true asks for it, to look at a failure.
    trace: SIARIN_E2E_TRACE ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
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
