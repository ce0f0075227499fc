import { setTimeout as sleep } from 'node:timers/promises'
import type SqliteDatabase from 'better-sqlite3'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteDialect,
} from 'kysely'
import { isDiskFull, isLocked } from '../../errors.ts'
import type { Changes } from './changes.ts'
import type { DatabaseReserve } from './database-reserve.ts'
import { keepStatements } from './kept-statements.ts'
import { createStatementTurns } from './statement-turns.ts'

/** SQLite waits for a lock inside one call, and the whole program with it: that wait is kept short, the rest is ours. */
export const SQLITE_WAIT_MS = 5
const GIVE_UP_AFTER_MS = 5_000
const PAUSE_MS = 100

/**
 * Kysely's SQLite, which comes back to a locked database without holding anything else up. There is one connection, taken in
 * turns; Kysely would let a call that waits for the lock keep it, so the turns are ours: a waiter gives it to the others meanwhile.
 * A transaction waits before it begins, and has the lock from there on: none fails halfway because another program writes.
 * What finds the disk full goes on with a piece of the reserve.
 */
export class PatientSqliteDialect extends SqliteDialect {
  readonly #database: SqliteDatabase.Database
  readonly #reserve: Pick<DatabaseReserve, 'release' | 'ensureRoom'>
  readonly #changes: Pick<Changes, 'watch'>

  constructor(
    database: SqliteDatabase.Database,
    reserve: Pick<DatabaseReserve, 'release' | 'ensureRoom'>,
    changes: Pick<Changes, 'watch'>,
  ) {
    super({ database: keepStatements(database) })
    this.#database = database
    this.#reserve = reserve
    this.#changes = changes
  }

  override createAdapter(): SqliteAdapter {
    return new TurnTakingAdapter()
  }

  override createDriver(): Driver {
    const driver = super.createDriver()
    const turns = createStatementTurns()
    const patient = new WeakSet<DatabaseConnection>()
    let inTransaction = false

    const connect = driver.acquireConnection.bind(driver)
    driver.acquireConnection = async (...args) => {
      await turns.take()
      const connection = await connect(...args)
      if (!patient.has(connection)) makePatient(connection)
      patient.add(connection)
      return connection
    }
    driver.releaseConnection = async () => {
      inTransaction = false
      turns.give()
    }
    const reserve = this.#reserve
    driver.beginTransaction = async (connection) => {
      reserve.ensureRoom()
      await connection.executeQuery(CompiledQuery.raw('begin immediate'))
      inTransaction = true
    }

    // SQLite itself takes back what finds the disk full. A second rollback would fail, and its error would hide the true one.
    const rollback = driver.rollbackTransaction.bind(driver)
    driver.rollbackTransaction = async (connection) => {
      if (this.#database.inTransaction) await rollback(connection)
    }

    function makePatient(connection: DatabaseConnection): void {
      const run = connection.executeQuery.bind(connection) as <R>(...args: unknown[]) => Promise<QueryResult<R>>
      connection.executeQuery = async <R>(...args: unknown[]): Promise<QueryResult<R>> => {
        if (inTransaction) await turns.breathe()
        for (const until = Date.now() + GIVE_UP_AFTER_MS; ; ) {
          try {
            return await run<R>(...args)
          } catch (error) {
            if (isDiskFull(error) && !inTransaction && reserve.release()) continue
            if (!isLocked(error) || inTransaction || Date.now() > until) throw error
          }
          turns.give()
          await sleep(PAUSE_MS)
          await turns.take()
        }
      }
    }
    return this.#changes.watch(driver)
  }
}

class TurnTakingAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}
