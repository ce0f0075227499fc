import type { Secret } from '@siarin/media/secret'
import type { PostgresPool } from 'kysely'
import pg from 'pg'
import { DatabaseAwayError } from '../../errors.ts'
import type { Log } from '../log.ts'
import { readInTurns } from './read-in-turns.ts'

const POOL_SIZE = 10
const INT8_OID = 20

/**
 * The server would give a dear statement further processes of its own, and compile it for a tenth of a second first. Who may have how many
 * statements at once (`fair-postgres.ts`) would not say then how many cores they have.
 */
const ONE_PROCESS_EACH = '-c max_parallel_workers_per_gather=0 -c jit=off'

/** A database that hangs is answered for with an error, not waited for. The server gives up first, and says why. */
const CALL_BOUNDS = {
  statement_timeout: 9_000,
  query_timeout: 10_000,
  idle_in_transaction_session_timeout: 30_000,
}

/**
 * Only an answer of the server leaves a connection usable. pg gives up waiting but keeps the connection, on which the statement is still
 * under way: a `begin` that comes true when the server wakes would swallow whatever is written there afterwards.
 */
class CarefulClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config)
    // The pool listens while nobody uses it. A connection that is reset between two statements would end the program.
    this.on('error', () => {})
  }

  override query(...args: unknown[]): never {
    const answer = (super.query as (...args: unknown[]) => Promise<unknown>).apply(this, args)
    // The caller gives no callback. The type says 'never' since pg has a dozen forms of this call.
    return answer.catch((error: Error) => {
      if (error instanceof pg.DatabaseError) throw error
      this.end().catch(() => {})
      throw new DatabaseAwayError(error)
    }) as never
  }
}

/** For what is worth nothing when it is late. */
const QUICK_BOUNDS = { statement_timeout: 1_500, query_timeout: 1_500, connectionTimeoutMillis: 1_500, max: 3 }

/** `patient`: for a migration, which may take minutes. `quick`: for looks at other workers. `beats`: for the thread that renews a lease. */
export type PostgresManners = 'usual' | 'patient' | 'quick' | 'beats'

export function openPostgresPool(url: Secret, log: Log, manners: PostgresManners = 'usual'): PostgresPool {
  const pool = new pg.Pool({
    connectionString: url.reveal(),
    Client: CarefulClient,
    max: POOL_SIZE,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    options: ONE_PROCESS_EACH,
    ...(manners === 'usual' && CALL_BOUNDS),
    ...(manners === 'quick' && QUICK_BOUNDS),
    ...(manners === 'beats' && { ...QUICK_BOUNDS, max: 1 }),
    types: {
      // Our integers are milliseconds and bytes, far below 2^53: numbers, as SQLite gives them.
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === INT8_OID ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
    },
  })
  pool.on('connect', (client) => readInTurns(client.connection.stream))
  // An idle connection that the server closes is replaced by the pool; without a listener it would end the program.
  pool.on('error', (error) => log.warn({ err: error.message }, 'database connection lost'))
  return {
    options: pool.options,
    Client: CarefulClient,
    end: () => pool.end(),
    connect: () =>
      pool.connect().catch((error: Error) => {
        throw new DatabaseAwayError(error)
      }),
  }
}
