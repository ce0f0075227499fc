import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { deleteDeep, readSchema } from '../../platform/db/delete-deep.ts'

/** What is wanted stays until it is ended: the row of the user waits for it, see `hasWanted`. */
const ONLY_ENDED = { streams: sql`phase = 'ended'`, broadcasts: sql`ended_at is not null` }

/** Every row that goes with a user, by what the database itself says. A table that comes later is among them. */
export const createRowEraser =
  (db: Db) =>
  async (userId: string, isOver: () => boolean): Promise<void> => {
    const schema = await readSchema(db)
    for (const { table, column } of schema.children.get('users') ?? []) {
      await deleteDeep(db, schema, { table, where: sql`${sql.ref(column)} = ${userId}`, only: ONLY_ENDED, isOver })
    }
  }
