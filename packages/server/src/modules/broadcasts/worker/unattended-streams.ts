import type { Clock } from '../../../platform/clock.ts'
import type { StreamsRepo } from '../store/streams.repo.ts'
import type { WorkersRepo } from '../store/workers.repo.ts'

interface UnattendedDeps {
  repo: Pick<StreamsRepo, 'keepers'>
  workers: Pick<WorkersRepo, 'hosts'>
  clock: Clock
  worker: string
  isKeptHere: (streamId: string) => boolean
  /** For its video, which is not ready yet: it has no job meanwhile. */
  isWaiting: (streamId: string) => boolean
}

/** Streams that are wanted and that nobody keeps: neither this worker nor one that has been heard of lately. */
export async function unattendedStreams(deps: UnattendedDeps): Promise<string[]> {
  const [rows, others] = await Promise.all([deps.repo.keepers(), deps.workers.hosts(deps.clock.now())])
  const isKept = ({ id, worker }: { id: string; worker: string | null }): boolean =>
    worker === deps.worker ? deps.isKeptHere(id) : worker !== null && others.has(worker)
  return rows.filter((row) => !isKept(row) && !deps.isWaiting(row.id)).map(({ id }) => id)
}
