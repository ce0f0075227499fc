import type { DatabaseConnection, Driver } from 'kysely'
import { turnNumber } from '../loop-turn.ts'

/** Tells what was remembered of some tables from what is there now. */
export interface TableVersion {
  /** The same number as before: nothing has been changed since. */
  version(): number
}

export type Changes = ReturnType<typeof createChanges>

const SELECTS = /^\s*select\b/i
const WITH = /^\s*with\b/i
const WRITES = /\b(insert|update|delete)\b/i

export const readsOnly = (text: string): boolean => SELECTS.test(text) || (WITH.test(text) && !WRITES.test(text))

/**
 * Which tables have been changed, for those who remember what they read. Every statement of this program is seen, and counts once it can be
 * read by others. SQLite tells of other programs too; PostgreSQL does not, so what is remembered there must be forgotten soon by itself.
 */
export function createChanges() {
  const groups: { readonly named: RegExp; count: number }[] = []
  let readOthers: (() => number) | null = null
  let lastOfOthers = 0
  let countOfOthers = 0
  let readIn = -1

  /** Once in each turn of the event loop: what a caller did before it asked us came with an earlier turn, or is read in this one. */
  function othersChanges(): number {
    if (readOthers === null || readIn === turnNumber()) return countOfOthers
    const read = readOthers()
    if (read !== lastOfOthers) countOfOthers++
    lastOfOthers = read
    readIn = turnNumber()
    return countOfOthers
  }

  return {
    /** Whether the changes of other programs are seen too. */
    get seesOthers(): boolean {
      return readOthers !== null
    },
    /** How to read a number that changes with every change of another program. */
    hearOthers(read: () => number): void {
      readOthers = read
    },
    of(tables: readonly string[]): TableVersion {
      const group = { named: new RegExp(`\\b(?:${tables.join('|')})\\b`), count: 0 }
      groups.push(group)
      return { version: () => group.count + othersChanges() }
    },
    /** Sees all that goes through this driver. */
    watch(driver: Driver): Driver {
      return watchWrites(driver, (statements) => {
        for (const group of groups) if (statements.some((text) => group.named.test(text))) group.count++
      })
    },
  }
}

function watchWrites(driver: Driver, tell: (statements: readonly string[]) => void): Driver {
  /** What was written in the transaction of each connection, and can be read by others only once that is done. */
  const written = new WeakMap<DatabaseConnection, Set<string>>()
  const watched = new WeakSet<DatabaseConnection>()

  function watchConnection(connection: DatabaseConnection): void {
    const run = connection.executeQuery.bind(connection)
    connection.executeQuery = async (query, options) => {
      if (readsOnly(query.sql)) return run(query, options)
      try {
        return await run(query, options)
      } finally {
        // Also where it failed: an answer that got lost says nothing about what was done.
        tell([query.sql])
        written.get(connection)?.add(query.sql)
      }
    }
  }

  const acquire = driver.acquireConnection.bind(driver)
  driver.acquireConnection = async (options) => {
    const connection = await acquire(options)
    if (!watched.has(connection)) watchConnection(connection)
    watched.add(connection)
    return connection
  }
  const begin = driver.beginTransaction.bind(driver)
  driver.beginTransaction = async (connection, settings) => {
    written.set(connection, new Set())
    await begin(connection, settings)
  }
  const telling =
    (end: (connection: DatabaseConnection) => Promise<void>) =>
    async (connection: DatabaseConnection): Promise<void> => {
      try {
        await end(connection)
      } finally {
        tell([...(written.get(connection) ?? [])])
        written.delete(connection)
      }
    }
  driver.commitTransaction = telling(driver.commitTransaction.bind(driver))
  driver.rollbackTransaction = telling(driver.rollbackTransaction.bind(driver))
  return driver
}
