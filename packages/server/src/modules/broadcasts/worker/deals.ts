import type { Db } from '../../../platform/db/database.ts'
import { place } from '../lease/placement.ts'
import { type AssignableStream, assignedStreams } from '../store/assigned-streams.repo.ts'
import type { WorkerLeaseRow } from '../store/worker-leases.repo.ts'

/** Among those that are up. Streams for which nobody has room stay where they are. */
export const dealtTo =
  (rows: readonly WorkerLeaseRow[], isWaiting = (_streamId: string): boolean => false) =>
  (streams: readonly AssignableStream[]): Map<string, string> =>
    place(
      streams.filter(({ id }) => !isWaiting(id)),
      rows.filter(({ isLive, state }) => isLive && state === 'up'),
    )

/** What dead workers kept goes to the live ones of `rows`, in the transaction that takes their leases away. */
export const dealOfDead = (inside: Db, dead: readonly string[], rows: readonly WorkerLeaseRow[]): Promise<void> =>
  assignedStreams(inside).dealOf(dead, dealtTo(rows))
