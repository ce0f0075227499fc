const MEDIA = 'packages/media/src'
const SERVER = 'packages/server/src'

/** Rules of the server that ask neither a clock, a disk, a database nor the network, each with a test beside it. */
const PURE_RULES = [
  'cli/dates',
  'cli/plan-period',
  'cli/tables',
  'modules/identity/guess-rules',
  'modules/identity/session-rules',
  'modules/library/clean-filename',
  'modules/library/minimum-pace',
  'modules/plans/judge-standing',
  'modules/platforms/read-room',
  'modules/platforms/rewrite-playlist',
  'modules/platforms/source-faults',
  'modules/broadcasts/keeper/failure-reasons',
  'modules/broadcasts/keeper/next-state',
  'modules/broadcasts/spec/source-filename',
  'modules/broadcasts/keeper/watchdog',
  'modules/broadcasts/relay/relay-state',
  'modules/broadcasts/store/facts-of-transition',
  'modules/broadcasts/worker/judge-awaited',
  'modules/system/read-machine',
  'platform/bounded-map',
  'platform/clock',
  'platform/egress/address-guard',
  'platform/egress/proxied-playlist',
  'platform/mail/letter-queue',
  'platform/secrets/seal',
  'platform/turns',
]

export default {
  mutate: [`${MEDIA}/**/*.ts`, `!${MEDIA}/**/*.test.ts`, ...PURE_RULES.map((rule) => `${SERVER}/${rule}.ts`)],
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.mutants.config.ts' },
  coverageAnalysis: 'perTest',
  // Constants and texts: they are made when a file is loaded, so each would need all of its tests in a process of its own.
  ignoreStatic: true,
  concurrency: 2,
  // A mutant that takes too long counts as found: a busy machine must not be taken for an endless loop.
  timeoutMS: 10_000,
  dryRunTimeoutMinutes: 20,
  thresholds: { high: 95, low: 90, break: 85 },
  // The rules and their tests are all that the copy needs. It has no tsconfig.json because Stryker cannot read one with TypeScript 7.
  ignorePatterns: [
    '*',
    '!vitest.mutants.config.ts',
    '!tsconfig.base.json',
    '!packages/**',
    'packages/web',
    'packages/server/test',
  ],
  tempDirName: '.cache/mutants',
  cleanTempDir: 'always',
  reporters: ['clear-text', 'progress', 'html', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false, skipFull: true },
  htmlReporter: { fileName: '.cache/mutants-report/index.html' },
  jsonReporter: { fileName: '.cache/mutants-report/mutants.json' },
}
