import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts'] } },
      {
        test: {
          name: 'web',
          include: ['packages/web/src/**/*.test.tsx'],
          environment: 'happy-dom',
          setupFiles: ['packages/web/src/testing/setup.ts'],
          env: { TZ: 'Asia/Jakarta' },
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
