import { DefaultQueryExecutor, sql } from 'kysely'
import type { Db } from '../../src/platform/db/database.ts'

export interface Measured<T> {
  readonly result: T
  /** How many rows all statements of this process returned together, and the most that one of them did. */
  readonly rows: number
  readonly mostRows: number
  /** The most rows that one statement changed. */
  readonly mostChanged: number
  readonly statements: number
  /** For how long nothing else got its turn, at most: see `watchLoop`. */
  readonly stallMs: number
}

/** On an idle machine no call holds up the others for longer; asserted at five times that. */
export const STALL_MS = 50
const LOOK_MS = 1

const threadMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/**
 * Watches for how long one thing holds the event loop, until `end`, which returns the longest. It counts the CPU time that this thread has
 * used between two turns: by the clock, a machine that is busy with other tests would be taken for work that holds the loop.
 */
export function watchLoop(): { end(): number } {
  let longest = 0
  let at = threadMs()
  const look = (): void => {
    const now = threadMs()
    longest = Math.max(longest, now - at)
    at = now
  }
  const timer = setInterval(look, LOOK_MS)
  return {
    end() {
      clearInterval(timer)
      look()
      return longest
    },
  }
}

/** What a piece of work reads, and for how long it holds up everything else. */
export async function measure<T>(work: () => Promise<T>): Promise<Measured<T>> {
  const execute = DefaultQueryExecutor.prototype.executeQuery
  let [rows, mostRows, mostChanged, statements] = [0, 0, 0, 0]
  DefaultQueryExecutor.prototype.executeQuery = async function count<R>(...args: Parameters<typeof execute>) {
    const found = await execute.call<DefaultQueryExecutor, typeof args, ReturnType<typeof execute<R>>>(this, ...args)
    rows += found.rows.length
    mostRows = Math.max(mostRows, found.rows.length)
    mostChanged = Math.max(mostChanged, Number(found.numAffectedRows ?? 0))
    statements++
    return found
  }
  const loop = watchLoop()
  try {
    const result = await work()
    return { result, rows, mostRows, mostChanged, statements, stallMs: loop.end() }
  } finally {
    loop.end()
    DefaultQueryExecutor.prototype.executeQuery = execute
  }
}

/**
 * How many rows of a table PostgreSQL has looked at in this transaction for a piece of work, also those that it leaves out of the answer.
 */
export async function looksAt(inside: Db, table: string, work: () => Promise<unknown>): Promise<number> {
  const look = async () => {
    const { rows } = await sql<{ count: number }>`
      select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as count
      from pg_stat_xact_user_tables where relname = ${table}`.execute(inside)
    return rows[0]?.count ?? 0
  }
  const before = await look()
  await work()
  return (await look()) - before
}

/** The same of what can be done again: other programs on the machine hold it up too, so the calmest of three counts. */
export async function measureCalmest<T>(work: () => Promise<T>): Promise<Measured<T>> {
  let calmest = await measure(work)
  for (let again = 0; again < 2 && calmest.stallMs > STALL_MS; again++) {
    const next = await measure(work)
    if (next.stallMs < calmest.stallMs) calmest = next
  }
  return calmest
}

export const measuredText = (what: string, { rows, mostRows, statements, stallMs }: Measured<unknown>): string =>
  `${what}: ${rows} rows by ${statements} statements, at most ${mostRows} at once, ${Math.round(stallMs)} ms of ${STALL_MS} ms\n`
