import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { JobKind, Queue } from '../../platform/queue/queue.ts'
import { createRefill } from '../../platform/queue/refill.ts'
import { jobOf } from './lanes.ts'
import type { LibraryRepo } from './library.repo.ts'
import type { RenditionOrdersRepo } from './rendition-orders.repo.ts'

interface RefillDeps {
  orders: Pick<RenditionOrdersRepo, 'openOwners'>
  repo: Pick<LibraryRepo, 'waitingJobs'>
  queue: Queue
  clock: Clock
  log: Log
  mayWork: (userId: string) => Promise<boolean>
}

/** The file of a younger row may still be on its way to its place. */
const YOUNG_MS = 60_000

/** Nobody would wait for a video for ever because its job got lost, or because its owner was suspended for a while. */
export function createLibraryRefill({ repo, orders, queue, clock, log, mayWork }: RefillDeps): () => Promise<void> {
  const refill = (kind: JobKind) => {
    const fillIn = createRefill({ queue, kind, log })
    const resting = new Set<string>()
    return async (owners: readonly string[]): Promise<void> => {
      const wanted: string[] = []
      // They have nothing unfinished any more, or are gone.
      for (const owner of resting) if (!owners.includes(owner)) resting.delete(owner)
      for (const owner of owners) {
        if (!(await mayWork(owner))) resting.add(owner)
        else if (resting.delete(owner)) await queue.add(kind, owner)
        else wanted.push(owner)
      }
      await fillIn(wanted)
    }
  }
  const preparations = { quick: refill(jobOf('quick')), long: refill(jobOf('long')) }
  const imports = refill('import-video')
  return async () => {
    const jobs = await repo.waitingJobs(clock.now() - YOUNG_MS)
    const ownersOf = (wanted: JobKind): string[] => [
      ...new Set(jobs.filter(({ kind }) => kind === wanted).map(({ userId }) => userId)),
    ]
    await preparations.quick(ownersOf(jobOf('quick')))
    await preparations.long([...new Set([...ownersOf(jobOf('long')), ...(await orders.openOwners())])])
    await imports(ownersOf('import-video'))
  }
}
