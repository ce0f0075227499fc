import { CompiledQuery, DefaultQueryExecutor } from 'kysely'
import type { Db } from '../../src/platform/db/database.ts'

/** What SQLite would do for each statement of a piece of work: which tables it looks through, and by which index. */
export async function sqlitePlans(db: Db, work: () => Promise<unknown>): Promise<string[]> {
  const execute = DefaultQueryExecutor.prototype.executeQuery
  const asked: CompiledQuery[] = []
  DefaultQueryExecutor.prototype.executeQuery = function note<R>(...args: Parameters<typeof execute>) {
    asked.push(args[0])
    return execute.call<DefaultQueryExecutor, typeof args, ReturnType<typeof execute<R>>>(this, ...args)
  }
  try {
    await work()
  } finally {
    DefaultQueryExecutor.prototype.executeQuery = execute
  }
  const plans = new Set<string>()
  for (const { sql, parameters } of asked) {
    const explain = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters])
    for (const { detail } of (await db.executeQuery<{ detail: string }>(explain)).rows) plans.add(detail)
  }
  return [...plans]
}
