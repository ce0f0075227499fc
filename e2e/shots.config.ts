import { defineConfig } from '@playwright/test'
import base from './playwright.config.ts'

/** `npm run shots`: pictures of every screen, to look at. Nothing is compared. */
export default defineConfig({
  ...base,
  testDir: './shots',
  testMatch: '*.shots.ts',
  outputDir: './.cache/shots',
  reporter: 'list',
  fullyParallel: true,
  timeout: 180_000,
})
