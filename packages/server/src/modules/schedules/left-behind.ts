import type { Db } from '../../platform/db/database.ts'
import { createSchedulesRepo } from './schedules.repo.ts'

/** Each that is to go on air by itself. Returns how many there were. */
export async function pauseSchedulesOf(inside: Db, workspaceId: string, now: number): Promise<number> {
  const own = inside.selectFrom('schedules').select('id').where('user_id', '=', workspaceId)
  const rows = await own.where('deleted_at', 'is', null).where('paused_at', 'is', null).orderBy('id').execute()
  const { change } = createSchedulesRepo(inside)
  for (const { id } of rows) await change(id, workspaceId, { paused_at: now }, now)
  return rows.length
}
