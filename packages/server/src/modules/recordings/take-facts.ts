import type { Db } from '../../platform/db/database.ts'
import type { ToldFact } from '../../platform/outbox/fact-reader.ts'
import type { RecordingsRepo } from './recordings.repo.ts'
import type { Sent } from './sent.ts'

interface TakeFactsDeps {
  readonly repo: Pick<RecordingsRepo, 'begin' | 'hasAny'>
  readonly sent: Sent
}

const BEGINS = 'stream.live'
const ENDS = new Set(['stream.ended', 'stream.failed'])

/** Begins a recording once its broadcast is on air. How it goes on, and when it ends, is seen from the rows: see follow.ts. */
export const createTakeFacts =
  ({ repo, sent }: TakeFactsDeps) =>
  async (inside: Db, facts: readonly ToldFact[]): Promise<void> => {
    for (const { fact, subjectId, at } of facts) {
      if (fact !== BEGINS && !ENDS.has(fact)) continue
      const [broadcast] = await sent(inside).recordedOf([subjectId])
      if (!broadcast) continue
      if (fact === BEGINS) {
        // It is known to be on air a little after its first moment was sent.
        const firstAt = broadcast.isOnline ? null : await sent(inside).firstAt(broadcast.id, at)
        await repo.begin(inside, broadcast, firstAt ?? at)
      } else if (broadcast.endedAt !== null && !(await repo.hasAny(inside, broadcast.id))) {
        // It never was on air.
        await sent(inside).dropPieces(broadcast.id, null)
        await sent(inside).releaseVideos(broadcast.id)
      }
    }
  }
