import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const { SIARIN_ALL, SIARIN_MACHINES } = process.env

/**
 * Each takes a minute or nearly one. One that begins last keeps one core busy while the other has nothing left to do. Those that take
 * processes down and count the seconds off air are not among them: all at once, they are in each other's way.
 */
const LONGEST = new RegExp(
  `/test/(?:hostile/|(?:${[
    ...['plans', 'program', 'when-ready', 'storage', 'platforms-preview', 'faults-full-disk', 'plan-library', 'relay'],
    ...['library', 'cli', 'alert-telling', 'schedule-clock'],
  ].join('|')})\\.test)`,
)

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => LONGEST.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'scripts/**/*.test.ts'],
          // Some make thousands of examples, a second of work: on a busy machine the usual five seconds are over before it is.
          testTimeout: 60_000,
          isolate: false,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'web',
          maxWorkers: 2,
          include: ['packages/web/src/**/*.test.tsx'],
          environment: 'happy-dom',
          setupFiles: ['packages/web/src/testing/setup.ts'],
          env: { TZ: 'Asia/Jakarta' },
          testTimeout: 60_000,
          // Each file has a DOM of its own all the same; loading the whole app anew for each took two thirds of the time.
          isolate: false,
        },
      },
      {
        test: {
          name: 'server',
          include: ['packages/server/test/**/*.test.ts'],
          exclude: [
            // Twenty minutes: `npm run test:machines`. Its short form is machines-short.test.ts.
            ...(SIARIN_MACHINES === 'long' ? [] : ['packages/server/test/machines/**']),
            ...(SIARIN_ALL === 'true' ? [] : ['**/*.long.test.ts']),
          ],
          globalSetup: 'packages/server/test/support/shared-servers.ts',
          // For the programs that tests start: they are compiled once.
          env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'packages/testkit/.cache/compiled') },
          // Far more than anything needs: they are for what hangs, also on a machine that is busy with something else.
          testTimeout: 600_000,
          hookTimeout: 600_000,
          // They often wait for timers and for other programs: with twice as many as a small machine has cores, these are always busy.
          maxWorkers: 4,
          // No module of ours has a state of its own, and loading them anew for each file took a minute of the run.
          isolate: false,
        },
      },
    ],
  },
})
