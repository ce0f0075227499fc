import { type Postgres, startPostgres } from '@siarin/testkit/postgres'
import { startProgram, type TestProgram } from './program.ts'

export interface TestDatabases {
  /** The setting that makes the program use a fresh database of this kind. */
  settings(): Promise<Record<string, string>>
  stop(): Promise<void>
}

/** Both databases answer to the same tests: `describe.each(DATABASES)`. */
export const DATABASES: readonly { name: string; open: () => Promise<TestDatabases> }[] = [
  { name: 'SQLite', open: async () => ({ settings: async () => ({}), stop: async () => {} }) },
  {
    name: 'PostgreSQL',
    open: async () => {
      const postgres: Postgres = await startPostgres()
      return {
        settings: async () => ({ DATABASE_URL: await postgres.createDatabase() }),
        stop: () => postgres.stop(),
      }
    },
  },
]

/** The whole program on such a database, which ends with it. */
export async function startProgramOn(
  open: () => Promise<TestDatabases>,
  env: Record<string, string> = {},
): Promise<TestProgram> {
  const databases = await open()
  const program = await startProgram({ ...(await databases.settings()), ...env })
  return {
    ...program,
    async close() {
      await program.close()
      await databases.stop()
    },
  }
}
