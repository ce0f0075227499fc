import { pino } from 'pino'
import type { Config } from '../config.ts'
import { BootError } from '../errors.ts'
import { COMMAND_MANNERS, type Db, openDatabase, unusableDatabase } from '../platform/db/database.ts'
import { Refusal } from './command.ts'

/** As it is, of whatever version: nothing is made or migrated. */
export async function withDatabase<T>({ databaseUrl, dataDir }: Config, work: (db: Db) => Promise<T>): Promise<T> {
  const db = openDatabase(databaseUrl, dataDir, pino({ level: 'silent' }), COMMAND_MANNERS)
  try {
    return await work(db)
  } catch (error) {
    throw error instanceof Refusal || error instanceof BootError ? error : unusableDatabase(databaseUrl, dataDir, error)
  } finally {
    await db.destroy()
  }
}
