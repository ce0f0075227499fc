import { setTimeout as sleep } from 'node:timers/promises'
import { type DatabaseConnection, type Driver, type QueryResult, SqliteDialect } from 'kysely'

/** SQLite waits for a lock inside one call, and the whole program with it: that wait is kept short, the rest is ours. */
export const SQLITE_WAIT_MS = 5
const GIVE_UP_AFTER_MS = 5_000
const PAUSE_MS = 100

const isBusy = (error: unknown): boolean =>
  error instanceof Error && ((error as { code?: string }).code ?? '').startsWith('SQLITE_BUSY')

/**
 * Kysely's SQLite, which comes back to a locked database without holding anything else up: there is one connection, and
 * whoever waits for the lock gives it to the others meanwhile. Within a transaction nobody waits: it fails at once, as a whole.
 */
export class PatientSqliteDialect extends SqliteDialect {
  override createDriver(): Driver {
    const driver = super.createDriver()
    const patient = new WeakSet<DatabaseConnection>()
    let inTransaction = false

    const acquire = driver.acquireConnection.bind(driver)
    driver.acquireConnection = async (...args) => {
      const connection = await acquire(...args)
      if (!patient.has(connection)) makePatient(connection)
      patient.add(connection)
      return connection
    }
    const begin = driver.beginTransaction.bind(driver)
    driver.beginTransaction = async (...args) => {
      await begin(...args)
      inTransaction = true
    }
    const release = driver.releaseConnection.bind(driver)
    driver.releaseConnection = async (...args) => {
      inTransaction = false
      await release(...args)
    }

    function makePatient(connection: DatabaseConnection): void {
      const run = connection.executeQuery.bind(connection) as <R>(...args: unknown[]) => Promise<QueryResult<R>>
      connection.executeQuery = async <R>(...args: unknown[]): Promise<QueryResult<R>> => {
        for (const until = Date.now() + GIVE_UP_AFTER_MS; ; ) {
          try {
            return await run<R>(...args)
          } catch (error) {
            if (!isBusy(error) || inTransaction || Date.now() > until) throw error
          }
          await release(connection)
          await sleep(PAUSE_MS)
          await acquire()
        }
      }
    }
    return driver
  }
}
