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

const CHECK_MS = 5_000
/** Where there are any: while a fleet is upgraded. */
const CHECK_CLOSELY_MS = 500
/** A worker of the version before ends what it keeps within 18 s of its last word with Redis, and says every 2 s that it lives. */
const SILENT_MS = 30_000
/** One that is told to end takes its name off the list first, and then gives its ffmpegs 5 s. */
const FAREWELL_MS = 9_000

interface KnownName extends Sighting {
  readonly hasBeenListed: boolean
}

/** Workers of the version before have no lease: they are dead once their sign of life has not changed for long. */
export function createDeadNames({ worker, assigned, workers }: DeadNamesDeps) {
  const seen = new Map<string, KnownName>()
  let checkedAtMs = Number.NEGATIVE_INFINITY
  let dead: readonly string[] = []

  return async (rows: readonly WorkerLeaseRow[]): Promise<readonly string[]> => {
    if (steadyMs() - checkedAtMs < (seen.size > 0 ? CHECK_CLOSELY_MS : CHECK_MS)) return dead
    checkedAtMs = steadyMs()
    const leased = new Set([worker, ...rows.map(({ id }) => id)])
    const names = (await assigned.keeperNames()).filter((name) => !leased.has(name))
    for (const name of seen.keys()) if (!names.includes(name)) seen.delete(name)
    const lastSeen = names.length > 0 ? await workers.lastSeen() : new Map<string, number>()
    dead = names.filter((name) => {
      const before = seen.get(name)
      const isListed = lastSeen.has(name)
      const hasBeenListed = isListed || before?.hasBeenListed === true
      const known = { ...sighted(before, String(lastSeen.get(name)), steadyMs()), hasBeenListed }
      seen.set(name, known)
      return checkedAtMs - known.sinceMs >= (hasBeenListed && !isListed ? FAREWELL_MS : SILENT_MS)
    })
    return dead
  }
}
