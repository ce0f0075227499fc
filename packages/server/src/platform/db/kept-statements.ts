import type SqliteDatabase from 'better-sqlite3'

const MOST_STATEMENTS = 300
/** A list of a thousand values makes a text of its own each time, which nobody asks for again. */
const LONGEST_TEXT = 4_000
/** Everything else, such as a change of the tables, is not asked twice. */
const ASKED_OFTEN = /^\s*(select|insert|update|delete|with|begin|commit|rollback)\b/i
const CHANGES_TABLES = /^\s*(create|alter|drop|vacuum|pragma|attach|detach|reindex)\b/i

type Preparing = Pick<SqliteDatabase.Database, 'prepare' | 'close'>

/**
 * To prepare a statement takes SQLite longer than to answer most of ours: each text is prepared once and kept, the last used ones. SQLite
 * itself prepares a kept one anew after another program has changed the tables; what this one changes empties the store.
 */
export function keepStatements(database: Preparing, mostStatements = MOST_STATEMENTS) {
  const kept = new Map<string, SqliteDatabase.Statement>()

  function prepare(text: string): SqliteDatabase.Statement {
    const known = kept.get(text)
    // One that is being read row by row cannot begin anew.
    if (known && !known.busy) {
      // The oldest stands first.
      kept.delete(text)
      kept.set(text, known)
      return known
    }
    if (CHANGES_TABLES.test(text)) kept.clear()
    const fresh = database.prepare(text)
    if (!known && text.length <= LONGEST_TEXT && ASKED_OFTEN.test(text)) keep(text, fresh)
    return fresh
  }

  function keep(text: string, statement: SqliteDatabase.Statement): void {
    kept.set(text, statement)
    const [oldest] = kept.keys()
    if (kept.size > mostStatements && oldest !== undefined) kept.delete(oldest)
  }

  return {
    prepare,
    close: () => void database.close(),
    count: () => kept.size,
  }
}
