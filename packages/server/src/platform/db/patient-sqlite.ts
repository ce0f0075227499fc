import { setTimeout as sleep } from 'node:timers/promises'
import type SqliteDatabase from 'better-sqlite3'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
} from 'kysely'
import { isDiskFull, isLocked } from '../../errors.ts'
import { type Changes, readsOnly } from './changes.ts'
import type { Checkpoints } from './checkpoints.ts'
import type { DatabaseReserve } from './database-reserve.ts'
import { keepStatements } from './kept-statements.ts'
import { createStatementTurns } from './statement-turns.ts'

/** SQLite waits for a lock inside one call, and the whole program with it: that wait is kept short, the rest is ours. */
export const SQLITE_WAIT_MS = 5
const GIVE_UP_AFTER_MS = 5_000
const PAUSE_MS = 100

/** Two connections to one file: a transaction may take its time on the first, and what is only read does not wait for it. */
export interface SqliteConnections {
  readonly writer: SqliteDatabase.Database
  readonly reader: SqliteDatabase.Database
  /** What the thread beside them does with the log; null: they do it themselves. */
  readonly checkpoints: Checkpoints | null
}

type Reserve = Pick<DatabaseReserve, 'release' | 'ensureRoom'>

/**
 * Kysely's SQLite, which comes back to a locked database without holding anything else up. Each of its connections is taken in turns;
 * Kysely would let a call that waits for the lock keep it, so the turns are ours: a waiter gives it to the others meanwhile.
 * A transaction waits before it begins, and has the lock from there on: none fails halfway because another program writes.
 * What finds the disk full goes on with a piece of the reserve.
 */
export class PatientSqliteDialect extends SqliteDialect {
  readonly #connections: SqliteConnections
  readonly #reserve: Reserve
  readonly #changes: Pick<Changes, 'watch'>

  constructor(connections: SqliteConnections, reserve: Reserve, changes: Pick<Changes, 'watch'>) {
    super({ database: connections.writer })
    this.#connections = connections
    this.#reserve = reserve
    this.#changes = changes
  }

  override createAdapter(): SqliteAdapter {
    return new TurnTakingAdapter()
  }

  override createDriver(): Driver {
    return this.#changes.watch(new PatientDriver(this.#connections, this.#reserve))
  }
}

class TurnTakingAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/** One of the two connections, and whose turn it is to use it. */
interface Line {
  readonly turns: ReturnType<typeof createStatementTurns>
  readonly connection: DatabaseConnection
}

class PatientDriver extends SqliteDriver {
  readonly #writer: SqliteDatabase.Database
  readonly #reader: SqliteDriver
  readonly #checkpoints: SqliteConnections['checkpoints']
  readonly #reserve: Reserve
  readonly #turns = { writing: createStatementTurns(), reading: createStatementTurns() }

  constructor({ writer, reader, checkpoints }: SqliteConnections, reserve: Reserve) {
    super({ database: keepStatements(writer) })
    this.#writer = writer
    this.#reader = new SqliteDriver({ database: keepStatements(reader) })
    this.#checkpoints = checkpoints
    this.#reserve = reserve
  }

  override async init(): Promise<void> {
    await Promise.all([super.init(), this.#reader.init()])
  }

  override async acquireConnection(): Promise<PatientConnection> {
    const writing = { turns: this.#turns.writing, connection: await super.acquireConnection() }
    const reading = { turns: this.#turns.reading, connection: await this.#reader.acquireConnection() }
    return new PatientConnection(writing, reading, this.#reserve, () => this.#checkpoints?.noteWrite())
  }

  override beginTransaction(connection: PatientConnection): Promise<void> {
    return connection.begin()
  }

  // SQLite itself takes back what finds the disk full. A second rollback would fail, and its error would hide the true one.
  override async rollbackTransaction(connection: PatientConnection): Promise<void> {
    if (this.#writer.inTransaction) await super.rollbackTransaction(connection)
  }

  override async releaseConnection(connection?: DatabaseConnection): Promise<void> {
    if (connection instanceof PatientConnection) connection.release()
  }

  override async destroy(): Promise<void> {
    await this.#checkpoints?.stop()
    // The writer last: it then takes what is left of the log into the file.
    await this.#reader.destroy()
    await super.destroy()
  }
}

/** What Kysely has for one statement, or for those of one transaction. */
class PatientConnection implements DatabaseConnection {
  readonly #writing: Line
  readonly #reading: Line
  readonly #reserve: Reserve
  readonly #noteWrite: () => void
  #inTransaction = false

  constructor(writing: Line, reading: Line, reserve: Reserve, noteWrite: () => void) {
    this.#writing = writing
    this.#reading = reading
    this.#reserve = reserve
    this.#noteWrite = noteWrite
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#inTransaction) {
      await this.#writing.turns.breathe()
      return this.#writing.connection.executeQuery<R>(query)
    }
    const line = readsOnly(query.sql) ? this.#reading : this.#writing
    await line.turns.take()
    try {
      return await this.#patiently<R>(line, query)
    } finally {
      if (line === this.#writing) this.#noteWrite()
      line.turns.give()
    }
  }

  async begin(): Promise<void> {
    const { turns } = this.#writing
    await turns.take()
    try {
      this.#reserve.ensureRoom()
      await this.#patiently(this.#writing, CompiledQuery.raw('begin immediate'))
      this.#inTransaction = true
    } finally {
      if (!this.#inTransaction) turns.give()
    }
  }

  release(): void {
    if (!this.#inTransaction) return
    this.#inTransaction = false
    this.#noteWrite()
    this.#writing.turns.give()
  }

  streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    return this.#reading.connection.streamQuery<R>(query, chunkSize)
  }

  async #patiently<R>({ turns, connection }: Line, query: CompiledQuery): Promise<QueryResult<R>> {
    for (const until = Date.now() + GIVE_UP_AFTER_MS; ; ) {
      try {
        return await connection.executeQuery<R>(query)
      } catch (error) {
        if (isDiskFull(error) && this.#reserve.release()) continue
        if (!isLocked(error) || Date.now() > until) throw error
      }
      turns.give()
      await sleep(PAUSE_MS)
      await turns.take()
    }
  }
}
