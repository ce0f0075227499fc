import { setTimeout as sleep } from 'node:timers/promises'
import { type DatabaseConnection, type Driver, type QueryResult, SqliteDialect } from 'kysely'

/** SQLite waits for a lock inside one call, and the whole program with it: that wait is kept short, the rest is ours. */
export const SQLITE_WAIT_MS = 100
const GIVE_UP_AFTER_MS = 5_000
const PAUSE_MS = 50

const isBusy = (error: unknown): boolean =>
  error instanceof Error && ((error as { code?: string }).code ?? '').startsWith('SQLITE_BUSY')

/** Kysely's SQLite, which comes back to a locked database without holding anything else up. */
export class PatientSqliteDialect extends SqliteDialect {
  override createDriver(): Driver {
    const driver = super.createDriver()
    const acquire = driver.acquireConnection.bind(driver)
    const patient = new WeakSet<DatabaseConnection>()
    driver.acquireConnection = async (...args) => {
      const connection = await acquire(...args)
      if (!patient.has(connection)) makePatient(connection)
      patient.add(connection)
      return connection
    }
    return driver
  }
}

function makePatient(connection: DatabaseConnection): void {
  const run = connection.executeQuery.bind(connection) as <R>(...args: unknown[]) => Promise<QueryResult<R>>
  connection.executeQuery = async <R>(...args: unknown[]): Promise<QueryResult<R>> => {
    for (const until = Date.now() + GIVE_UP_AFTER_MS; ; await sleep(PAUSE_MS)) {
      try {
        return await run<R>(...args)
      } catch (error) {
        if (!isBusy(error) || Date.now() > until) throw error
      }
    }
  }
}
