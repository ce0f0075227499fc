import { steadyMs } from '../../../platform/clock.ts'
import { type Sighting, sighted } from '../lease/lease-state.ts'
import type { AssignedStreamsRepo } from '../store/assigned-streams.repo.ts'
import type { WorkerLeaseRow } from '../store/worker-leases.repo.ts'
import type { WorkersRepo } from '../store/workers.repo.ts'

interface DeadNamesDeps {
  worker: string
  assigned: Pick<AssignedStreamsRepo, 'keeperNames'>
  workers: Pick<WorkersRepo, 'lastSeen'>
}

const LOOK_MS = 5_000
/** A worker of the version before ends what it keeps within 18 s of its last word with Redis, and says every 2 s that it lives. */
const SILENT_MS = 30_000

/** Workers of the version before have no lease: they are dead once their sign of life has not changed for long. */
export function createDeadNames({ worker, assigned, workers }: DeadNamesDeps) {
  const seen = new Map<string, Sighting>()
  let lookedAtMs = Number.NEGATIVE_INFINITY
  let dead: readonly string[] = []

  return async (rows: readonly WorkerLeaseRow[]): Promise<readonly string[]> => {
    if (steadyMs() - lookedAtMs < LOOK_MS) return dead
    lookedAtMs = steadyMs()
    const leased = new Set([worker, ...rows.map(({ id }) => id)])
    const names = (await assigned.keeperNames()).filter((name) => !leased.has(name))
    for (const name of seen.keys()) if (!names.includes(name)) seen.delete(name)
    const lastSeen = names.length > 0 ? await workers.lastSeen() : new Map<string, number>()
    for (const name of names) seen.set(name, sighted(seen.get(name), String(lastSeen.get(name)), steadyMs()))
    dead = names.filter((name) => lookedAtMs - (seen.get(name)?.sinceMs ?? lookedAtMs) >= SILENT_MS)
    return dead
  }
}
