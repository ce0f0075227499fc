import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, chromium } from '@playwright/test'
import { run } from './run.ts'

const WEB_BUILD = join(import.meta.dirname, '..', '..', 'scripts', 'lib', 'web-build.mjs')

/** What the browser shows, if its sources have changed since. */
export async function buildPage(): Promise<void> {
  const script = `const { ensureWebBuilt } = await import('${pathToFileURL(WEB_BUILD)}'); await ensureWebBuilt()`
  await run(process.execPath, ['--input-type=module', '--eval', script])
}

/** The system's own browser, as the tests use it. */
export async function startChromium(): Promise<Browser> {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const executablePath = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((file) => existsSync(file))
  return chromium.launch({ ...(executablePath && { executablePath }), args: ['--no-sandbox', '--disable-gpu'] })
}
