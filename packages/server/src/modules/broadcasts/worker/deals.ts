import type { Db } from '../../../platform/db/database.ts'
import { place } from '../lease/placement.ts'
import { type AssignableStream, assignedStreams } from '../store/assigned-streams.repo.ts'
import type { WorkerLeaseRow } from '../store/worker-leases.repo.ts'

/** By what each worker has told, less what it was given since. Streams for which nobody has room stay where they are. */
export const dealtTo =
  (rows: readonly WorkerLeaseRow[], isWaiting = (_streamId: string): boolean => false) =>
  (streams: readonly AssignableStream[], kept: ReadonlyMap<string, number>): Map<string, string> => {
    const takers = rows
      .filter(({ isLive, state }) => isLive && state === 'up')
      .map((row) => ({ ...row, room: Math.min(row.room, row.max_streams - (kept.get(row.id) ?? 0)) }))
    return place(
      streams.filter(({ id }) => !isWaiting(id)),
      takers,
    )
  }

/** What dead workers kept goes to the live ones of `rows`, in the transaction that takes their leases away. */
export const dealOfDead = (inside: Db, dead: readonly string[], rows: readonly WorkerLeaseRow[]): Promise<void> =>
  assignedStreams(inside).dealOf(dead, dealtTo(rows))
