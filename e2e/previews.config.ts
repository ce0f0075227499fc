import { defineConfig } from '@playwright/test'
import base from './playwright.config.ts'

/** `npm run previews`: draws the pictures that chats show beside a shared link, and the icons of the home screen. They are committed. */
export default defineConfig({
  ...base,
  testDir: './previews',
  testMatch: '*.previews.ts',
  outputDir: './.cache/previews',
  reporter: 'list',
  workers: 1,
})
