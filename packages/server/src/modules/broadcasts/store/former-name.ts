import type { Db } from '../../../platform/db/database.ts'
import { formerWorkerId } from '../../../platform/worker-id.ts'
import { isWanted } from './wanted-streams.ts'

/** Up to version 0.6 a worker was called what its host is called. The broadcasts that it left on air then are its own under its new name too. */
export async function followFormerName(db: Db, worker: string): Promise<void> {
  const former = formerWorkerId()
  if (former === worker) return
  await db.updateTable('streams').set({ worker }).where(isWanted).where('worker', '=', former).execute()
}
