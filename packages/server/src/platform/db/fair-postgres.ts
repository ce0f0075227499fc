import {
  type CompiledQuery,
  type DatabaseConnection,
  PostgresDialect,
  PostgresDriver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import { createFairTurns } from '../fair-turns.ts'
import { loopShares } from '../loop-shares.ts'
import { presentOwner } from '../on-behalf-of.ts'

/** Those that are left of the pool are for transactions and for the program itself. */
const STATEMENTS_AT_ONCE = 8
const EACH = 2

type InTurn = ReturnType<typeof createFairTurns>
type Acquire = () => Promise<DatabaseConnection>
type Release = (connection: DatabaseConnection) => Promise<void>

/**
 * Kysely's PostgreSQL, where an account has few statements under way at once. Each has a process of the server to itself, which may keep a
 * core busy for as long as it lasts: an account with six dear calls at once would have all of them, and most of the pool. So a connection is
 * only taken once there is a place for the statement. A transaction waits for one before it begins, while it holds nothing, and keeps it to its end.
 */
export class FairPostgresDialect extends PostgresDialect {
  readonly #config: ConstructorParameters<typeof PostgresDialect>[0]

  constructor(config: ConstructorParameters<typeof PostgresDialect>[0]) {
    super(config)
    this.#config = config
  }

  override createDriver(): FairDriver {
    return new FairDriver(this.#config)
  }
}

class FairDriver extends PostgresDriver {
  readonly #inTurn = createFairTurns({
    ...{ atOnce: STATEMENTS_AT_ONCE, each: EACH },
    ...{ mostWaiting: Number.POSITIVE_INFINITY, mostWaitingEach: Number.POSITIVE_INFINITY },
  })

  override async acquireConnection(): Promise<never> {
    const acquire: Acquire = () => super.acquireConnection()
    const release: Release = (connection) => super.releaseConnection(connection as never)
    // Kysely's own class has more than Kysely asks of one.
    return new FairConnection(acquire, release, this.#inTurn) as never
  }

  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    await super.beginTransaction((await (connection as FairConnection).reserveInTurn()) as never, settings)
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await super.commitTransaction((await (connection as FairConnection).reserve()) as never)
  }

  // Kysely discards one whose rollback failed by a mark of its own, which only its own connections have.
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await super.rollbackTransaction((await (connection as FairConnection).reserve()) as never)
  }

  override async releaseConnection(connection: DatabaseConnection): Promise<void> {
    await (connection as FairConnection).release()
  }
}

/** Waits for a place. Returns how to leave it. */
const enter = (inTurn: InTurn, owner: string): Promise<() => void> =>
  new Promise((entered) => {
    void inTurn(owner, () => new Promise<void>((leave) => entered(leave)))
  })

/** What Kysely has for one statement, or for those of one transaction. */
class FairConnection implements DatabaseConnection {
  readonly #acquire: Acquire
  readonly #release: Release
  readonly #inTurn: InTurn
  #reserved: DatabaseConnection | null = null
  #leave = (): void => {}

  constructor(acquire: Acquire, release: Release, inTurn: InTurn) {
    this.#acquire = acquire
    this.#release = release
    this.#inTurn = inTurn
  }

  async reserve(): Promise<DatabaseConnection> {
    this.#reserved ??= await this.#acquire()
    return this.#reserved
  }

  async reserveInTurn(): Promise<DatabaseConnection> {
    const owner = presentOwner()
    // Apart from the account's single statements: one that a transaction awaits outside of itself never waits for transactions.
    if (owner !== null) {
      await loopShares.untilIn(owner)
      this.#leave = await enter(this.#inTurn, `transactions of ${owner}`)
    }
    return this.reserve()
  }

  async release(): Promise<void> {
    const reserved = this.#reserved
    this.#reserved = null
    try {
      if (reserved) await this.#release(reserved)
    } finally {
      this.#leave()
    }
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const owner = presentOwner()
    try {
      if (this.#reserved) return await this.#reserved.executeQuery<R>(query)
      if (owner === null) return await this.#executeAlone<R>(query)
      await loopShares.untilIn(owner)
      return await this.#inTurn(owner, () => this.#executeAlone<R>(query))
    } finally {
      loopShares.goOnFor(owner)
    }
  }

  async #executeAlone<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const connection = await this.#acquire()
    try {
      return await connection.executeQuery<R>(query)
    } finally {
      await this.#release(connection)
    }
  }

  async *streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    yield* (await this.reserve()).streamQuery<R>(query, chunkSize)
  }
}
