import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { Queue } from '../../platform/queue/queue.ts'
import { createRefill } from '../../platform/queue/refill.ts'
import type { LibraryRepo, VideoRow } from './library.repo.ts'

interface RefillDeps {
  repo: Pick<LibraryRepo, 'unfinished'>
  queue: Queue
  clock: Clock
  log: Log
}

/** The file of a younger row may still be on its way to its place. */
const YOUNG_MS = 60_000

/** Nobody would wait for a video for ever because its job got lost. */
export function createLibraryRefill({ repo, queue, clock, log }: RefillDeps): () => Promise<void> {
  const preparations = createRefill({ queue, kind: 'prepare-video', log })
  const imports = createRefill({ queue, kind: 'import-video', log })
  return async () => {
    const rows = await repo.unfinished(clock.now() - YOUNG_MS)
    await preparations(ownersOf(rows.filter(({ step }) => step !== 'importing')))
    await imports(ownersOf(rows.filter(({ step }) => step === 'importing')))
  }
}

const ownersOf = (rows: readonly VideoRow[]): string[] => [...new Set(rows.map(({ user_id }) => user_id))]
