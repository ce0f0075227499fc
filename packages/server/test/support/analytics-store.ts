import type { RootOperationNode } from 'kysely'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { createRollUpRepo } from '../../src/modules/analytics/roll-up.repo.ts'
import { createRollUp } from '../../src/modules/analytics/roll-up.ts'
import { LIVE_STATE } from '../../src/modules/analytics/sample-rules.ts'
import type { NumberedSample } from '../../src/modules/analytics/samples.repo.ts'
import type { Db } from '../../src/platform/db/database.ts'
import { addUser, type REPO_DATABASES } from './repo-databases.ts'

export const START = Date.parse('2026-11-16T00:00:00Z')

export const sample = (streamNo: number, at: number, more: Partial<NumberedSample> = {}): NumberedSample => ({
  ...{ streamNo, at, kbps: 2000 + (at % 100), fps: 300, speed: 1000, unsentKb: at % 7, state: LIVE_STATE },
  ...more,
})

/** A program that dies at its so many-th statement: nothing of it is written from there on. */
export function dyingAfter(db: Db, statements: number): Db {
  let left = statements
  return db.withPlugin({
    transformQuery({ node }: { node: RootOperationNode }) {
      if (left-- <= 0) throw new Error('killed')
      return node
    },
    transformResult: async ({ result }) => result,
  })
}

/** The tables of analytics, empty before each test, with one user and a clock that stands. */
export function analyticsStore(open: (typeof REPO_DATABASES)[number]['open']) {
  let opened: Awaited<ReturnType<typeof open>>
  let userId: string
  const store = {
    now: START,
    clock: { now: () => store.now },
    get db() {
      return opened.db
    },
    get userId() {
      return userId
    },
    rollUpOn: (on: Db) => createRollUp({ db: on, clock: store.clock, repo: createRollUpRepo(on) }),
    async rollUpAll(): Promise<void> {
      const { rollUp } = store.rollUpOn(opened.db)
      for (let round = 0; round < 3; round++) await rollUp()
    },
  }

  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened.close())
  beforeEach(async () => {
    for (const table of [
      'stat_samples',
      'stat_minutes',
      'stat_hours',
      'stat_sums',
      'stat_places',
      'stat_streams',
      'stat_broadcasts',
    ] as const) {
      await opened.db.deleteFrom(table).execute()
    }
    store.now = START
    await opened.db.deleteFrom('users').execute()
    userId = await addUser(opened.db)
  })
  return store
}
