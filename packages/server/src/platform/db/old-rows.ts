import type { RawBuilder } from 'kysely'
import type { Db } from './database.ts'
import { deleteDeep, readSchema } from './delete-deep.ts'

/** Rows of one table that nobody will ask for again. The module that owns the table says which they are. */
export interface OldRows {
  readonly table: string
  readonly where: RawBuilder<unknown>
}

/** With all that belongs to them. Returns how many rows went, by table. */
export async function deleteOldRows(
  db: Db,
  old: readonly OldRows[],
  isOver: () => boolean = () => false,
): Promise<Record<string, number>> {
  const schema = await readSchema(db)
  const cleared: Record<string, number> = {}
  for (const { table, where } of old) {
    cleared[table] = (cleared[table] ?? 0) + (await deleteDeep(db, schema, { table, where, isOver }))
  }
  return cleared
}
