import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { deleteDeep, readSchema } from '../../platform/db/delete-deep.ts'
import type { OldRows } from '../../platform/db/old-rows.ts'

/** Those that were deleted go once nothing of them has to be ended any more. Written as the indexes have it. */
export const clearable: OldRows = {
  table: 'schedules',
  where: sql`deleted_at is not null and not exists (
    select 1 from schedule_occurrences where schedule_id = schedules.id and next_try_at is not null)`,
}

export const deletedSchedules = (db: Db) => ({
  /** With their history, in small batches: two hundred may have a quarter of a million occurrences. */
  async clearDeleted(isOver: () => boolean = () => false): Promise<void> {
    await deleteDeep(db, await readSchema(db), { ...clearable, isOver })
  },
})
