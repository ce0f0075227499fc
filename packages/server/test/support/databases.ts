import { type Postgres, startPostgres } from '@siarin/testkit/postgres'

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
