import { type Db, isPostgres } from '../../platform/db/database.ts'

/** One change at a time of what one user has: what is read in it holds until it is done. */
export async function withUserLocked<T>(db: Db, userId: string, change: (db: Db) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (transaction) => {
    await lockUser(transaction, userId)
    return change(transaction)
  })
}

/** The same for a transaction that has begun: until it is over. */
export async function lockUser(transaction: Db, userId: string): Promise<void> {
  // SQLite has one writer at a time. Not 'for update': that would hold up rows which name the user.
  if (!isPostgres(transaction)) return
  await transaction.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
}

interface LimitedList {
  readonly userId: string
  readonly most: number
  readonly count: (locked: Db) => Promise<number>
}

/** Adds to a list that has an end. However many are added at once, each is counted. False: there are as many as there may be. */
export const addWithin = (
  db: Db,
  { userId, most, count }: LimitedList,
  insert: (locked: Db) => Promise<unknown>,
): Promise<boolean> =>
  withUserLocked(db, userId, async (locked) => {
    if ((await count(locked)) >= most) return false
    await insert(locked)
    return true
  })
