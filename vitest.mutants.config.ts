import { defineConfig } from 'vitest/config'

/** What Stryker runs once per mutant: the unit tests of the packages whose rules it changes. */
export default defineConfig({
  test: {
    include: ['packages/{media,server}/src/**/*.test.ts'],
    // The sources count each step here, which takes a test many times as long.
    testTimeout: 60_000,
  },
})
