import type { Clock } from '../../platform/clock.ts'
import type { NextStep, SmallSteps } from '../../platform/small-steps.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import type { FileFactsRepo } from './file-facts.repo.ts'
import type { RecordingRow, RecordingsRepo } from './recordings.repo.ts'

interface RemoveDeps {
  readonly repo: Pick<RecordingsRepo, 'beginRemoval' | 'dropPieces' | 'removeRows'>
  readonly storage: Pick<Storage, 'remove'>
  readonly facts: Pick<FileFactsRepo, 'clipsOf' | 'forget'>
  readonly isKeyKept: (key: string) => Promise<boolean>
  readonly steps: SmallSteps
  readonly clock: Clock
}

const CLIPS_AT_ONCE = 100

/** Where all files of a recording lie. */
export const folderOf = ({ user_id, id }: Pick<RecordingRow, 'user_id' | 'id'>): string => `${user_id}/${id}/`

/** Its mark first, then its files, then its row: a program that finds the mark after a crash goes on. */
export function createRemove({ repo, storage, facts, isKeyKept, steps, clock }: RemoveDeps) {
  /** What is known of files that no other recording is played from. */
  async function forgetFacts(userId: string, step: NextStep): Promise<void> {
    for (let after: string | undefined = ''; after !== undefined; ) {
      const clips: string[] = await facts.clipsOf(userId, after, CLIPS_AT_ONCE)
      for (const clip of clips) {
        await step()
        if (!(await isKeyKept(clip))) await facts.forget(userId, clip)
      }
      after = clips.at(-1)
    }
  }

  return async (row: RecordingRow): Promise<void> => {
    if (row.removing_at === null && !(await repo.beginRemoval(row.id, clock.now()))) return
    const step = steps.of(row.user_id)
    await storage.remove(folderOf(row))
    await repo.dropPieces(row, step)
    await repo.removeRows(row)
    // Nobody waits for that: what it leaves, the next one finds.
    void forgetFacts(row.user_id, step).catch(() => {})
  }
}
