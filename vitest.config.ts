import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
          // Some make thousands of examples, a second of work: on a busy machine the usual five seconds are over before it is.
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'server',
          include: ['packages/server/test/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // They mostly wait for timers and for other programs: one more than the two cores of a small machine is quickest.
          maxWorkers: 3,
        },
      },
    ],
  },
})
