import type { Clock } from '../../platform/clock.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import type { RecordingRow, RecordingsRepo } from './recordings.repo.ts'

interface RemoveDeps {
  readonly repo: Pick<RecordingsRepo, 'beginRemoval' | 'removeRows'>
  readonly storage: Pick<Storage, 'remove'>
  readonly clock: Clock
}

/** Where all files of a recording lie. */
export const folderOf = ({ user_id, id }: Pick<RecordingRow, 'user_id' | 'id'>): string => `${user_id}/${id}/`

/** Its mark first, then its files, then its row: a program that finds the mark after a crash goes on. */
export const createRemove =
  ({ repo, storage, clock }: RemoveDeps) =>
  async (row: RecordingRow): Promise<void> => {
    if (row.removing_at === null && !(await repo.beginRemoval(row.id, clock.now()))) return
    await storage.remove(folderOf(row))
    await repo.removeRows(row)
  }
