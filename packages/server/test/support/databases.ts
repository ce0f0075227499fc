import { isWholeRun } from '@siarin/testkit/whole-run'
import { type Timings, USUAL_TIMINGS } from '../../src/platform/timings.ts'
import { isLongForm } from './fault-table.ts'
import { startProgram, type TestProgram } from './program.ts'
import { migratedPostgres } from './shared-servers.ts'

export interface TestDatabases {
  /** The setting that makes the program use a fresh database of this kind. */
  settings(): Promise<Record<string, string>>
  stop(): Promise<void>
}

interface KindOfDatabase {
  readonly name: string
  readonly open: () => Promise<TestDatabases>
}

export const SQLITE: KindOfDatabase = {
  name: 'SQLite',
  open: async () => ({ settings: async () => ({}), stop: async () => {} }),
}

/** For what a database decides, such as who of many is first. */
export const BOTH_DATABASES: readonly KindOfDatabase[] = [
  SQLITE,
  {
    name: 'PostgreSQL',
    open: async () => {
      const opened: Awaited<ReturnType<typeof migratedPostgres>>[] = []
      return {
        settings: async () => {
          const database = await migratedPostgres()
          opened.push(database)
          return { DATABASE_URL: database.url }
        },
        stop: async () => {
          for (const { drop } of opened) await drop()
        },
      }
    },
  },
]

/**
 * Both databases answer to the same tests: `describe.each(DATABASES)`. For every change they do so in the tests of the repositories
 * (REPO_DATABASES); the program over them is shown on SQLite then, and on both in `npm run test:all`.
 */
export const DATABASES: readonly KindOfDatabase[] = isWholeRun ? BOTH_DATABASES : [SQLITE]

/**
 * Where a suite has shown on each database what a database decides, such as who of many is first, the rest of it is the same program over
 * repositories that have tests of their own on both: SQLite shows it, and the long form (`npm run test:faults`) shows it on both.
 */
export const showsAll = (name: string): boolean => isLongForm || name === 'SQLite'

const { alerts, webhooks, schedules, telegram } = USUAL_TIMINGS
/**
 * For tests that have nothing to do with these: those who have say which. At the pace of other tests they ask the database many times a second whether anything has
 * happened, which on PostgreSQL is more work than most tests.
 */
export const CALM: Pick<Timings, 'alerts' | 'webhooks' | 'schedules' | 'telegram'> = {
  ...{ alerts, webhooks, schedules, telegram },
}

/** The whole program on such a database, which ends with it. */
export async function startProgramOn(
  open: () => Promise<TestDatabases>,
  env: Record<string, string> = {},
  timings: Partial<Timings> = CALM,
): Promise<TestProgram> {
  const databases = await open()
  const program = await startProgram({ ...(await databases.settings()), ...env }, timings)
  return {
    ...program,
    async close() {
      await program.close()
      await databases.stop()
    },
  }
}
