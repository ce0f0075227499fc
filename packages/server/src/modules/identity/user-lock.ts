import { type Db, isPostgres } from '../../platform/db/database.ts'

/** One change at a time of what one user has: what is read in it holds until it is done. */
export async function withUserLocked<T>(db: Db, userId: string, change: (db: Db) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (transaction) => {
    // SQLite has one writer at a time. Not 'for update': that would hold up rows which name the user.
    if (isPostgres(db)) {
      await transaction.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
    }
    return change(transaction)
  })
}
